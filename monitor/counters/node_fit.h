#pragma once

// Which nodes may get jobs: what the daemon finds out each sweep, as pages, metrics, the history
// and schedulers are told of it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/counters/verdict_record.h"

namespace pssp {

/// VerdictRecord::what of a node: its row is at the first of its ports, `value` a DrainAdvice. The
/// row of no port says since when there are such rows at all.
inline constexpr std::string_view node_fitness = "fit";

/// "yes", "unknown", "watch", "no": good to bad as a scheduler asks for it.
std::string_view fit_word(Level level);
/// Nothing where it is none of these.
std::optional<Level> level_of_fit_word(std::string_view word);

/// What a scheduler is to do with a node that is not fit.
enum class DrainAdvice : std::uint8_t {
  none,
  drain,
  held_back,  ///< too many turned unfit lately: that is for people to decide
};
/// "-", "drain", "held_back".
std::string_view name_of(DrainAdvice advice);

struct FitReason {
  Level level = Level::watch;
  PortKey port;      ///< of what is wrong; the switch's port where that is the place to look
  std::string text;  ///< begins with the port by name; clean to show
};

struct NodeFit {
  std::string name;                ///< as NodeRails has it; hostile, clean before showing
  bool is_named = true;            ///< by a description, which schedulers may know
  Level level = Level::unknown;    ///< the worst of its reasons
  std::vector<FitReason> reasons;  ///< the worst first
  std::int64_t since_ms = 0;       ///< at this level
  DrainAdvice advice = DrainAdvice::none;
  std::vector<PortKey> ports;  ///< of its adapters, those that are gone too; at least one
};

/// Nodes, found by what people call them.
class FitList {
 public:
  FitList() = default;
  explicit FitList(std::vector<NodeFit> nodes);

  const std::vector<NodeFit>& nodes() const noexcept { return nodes_; }
  /// As NodeRails::find(): in small letters, up to the first dot; null where there is none.
  const NodeFit* find(std::string_view name) const;
  /// The node of an adapter; null where it is none's.
  const NodeFit* of_adapter(Guid guid) const;

 private:
  std::vector<NodeFit> nodes_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::unordered_map<Guid, std::uint32_t> by_adapter_;
};

}  // namespace pssp
