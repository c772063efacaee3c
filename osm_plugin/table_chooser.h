#pragma once

// Which tables a routing hands to OpenSM: the last ones brought up to date, the engine's own, or
// none. Nothing of OpenSM is known here, so that it can be tried without it.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/lane_memory.h"
#include "osm_plugin/lane_plan.h"
#include "osm_plugin/path_levels.h"
#include "routing/engines/engine.h"
#include "routing/options/deadlock_options.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// Time in milliseconds since construction or the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    return milliseconds(now - std::exchange(lap_, now));
  }
  double total() const { return milliseconds(Clock::now() - start_); }

 private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
  Clock::time_point start_ = Clock::now();
  Clock::time_point lap_ = start_;
};

/// How much a message matters, and who says it: a line of the log each.
enum class Importance : std::uint8_t { error, info, detail };
using Say = std::function<void(Importance, const std::string& line)>;

struct ChooserOptions {
  DeadlockOptions deadlock;
  /// Under DeadlockPolicy::ignore: look for credit loops and say what is found.
  bool credit_loop_check = true;
  std::optional<StableOptions> stable;  ///< none: each routing is made anew
};

/// Tables that may be handed over: verified, and their lanes planned.
struct CandidateTables {
  ForwardingTables tables;
  LanePlan plan;
  std::string summary;  ///< how they came about, where that is worth a word in the log
  double route_ms = 0, verify_ms = 0, lanes_ms = 0;
};

struct Choice {
  std::optional<CandidateTables> tables;  ///< none: the reason was said
  /// The next sweep will have more lanes, and nobody has asked for it yet.
  bool ask_for_sweep = false;
};

class TableChooser {
 public:
  TableChooser(std::unique_ptr<RoutingEngine> engine, const ChooserOptions& options, Say say)
      : engine_(std::move(engine)), options_(options), say_(std::move(say)) {}

  /// Throws what the engine throws.
  Choice choose(const Fabric& fabric, const LaneSupply& supply);

  /// OpenSM has the tables now: their levels are in force, and the next choice starts from them.
  void adopt(const Fabric& fabric, CandidateTables chosen);

  /// Of the tables that were adopted last; none where OpenSM chooses the levels. They outlive a
  /// choice that fails.
  const std::optional<PathLevels>& levels() const noexcept { return levels_; }

 private:
  /// The tables of a routing, for the next one.
  struct LastTables {
    std::vector<Guid> switches;  // by row
    ForwardingTables tables;
  };
  /// What one choice is about.
  struct Question {
    const Fabric& fabric;
    const LaneSupply& supply;
  };

  std::optional<CandidateTables> best_of_both(const Question& question);
  std::optional<CandidateTables> reroute_stably(const Question& question);
  std::optional<CandidateTables> route_anew(const Question& question);
  std::optional<CandidateTables> route_for_lanes(const Question& question);
  std::optional<CandidateTables> examine(const Question& question, ForwardingTables tables,
                                         const DeadlockOptions& deadlock);
  bool may_be_used(const LanePlan& plan) const;
  bool verified(const Fabric& fabric, const ForwardingTables& tables) const;
  bool wants_sweep(const LanePlan& plan);
  bool accepted(const LanePlan& plan) const;
  void say_lines(Importance importance, const std::vector<std::string>& lines) const;
  void say_text(Importance importance, std::string_view text) const;

  std::unique_ptr<RoutingEngine> engine_;
  ChooserOptions options_;
  Say say_;
  Stopwatch watch_;

  // From one routing to the next.
  std::optional<LastTables> last_;  // only with `stable`
  std::optional<PathLevels> levels_;
  LaneMemory lane_memory_;
  bool asked_for_sweep_ = false;
};

}  // namespace pssp
