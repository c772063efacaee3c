#pragma once

// One routing engine of the registry as OpenSM sees it; what is behind the callbacks of adapter.h.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_log.h>
#include <opensm/osm_subnet.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "osm_plugin/lane_plan.h"
#include "osm_plugin/path_levels.h"
#include "osm_plugin/plugin_options.h"
#include "osm_plugin/subnet_reader.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/verify/verify.h"

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

/// Tables that could be handed to OpenSM: verified, and their lanes planned.
struct CandidateTables {
  ForwardingTables tables;
  LanePlan plan;
  std::string summary;  ///< how they came about, where that is worth a word in the log
  double route_ms, verify_ms, lanes_ms;
};

/// The tables of a routing, for the next one.
struct LastTables {
  std::vector<Guid> switches;  ///< by row
  ForwardingTables tables;
};

}  // namespace pssp

/// OpenSM calls everything here with its lock held: exclusively for the two calls that build and
/// for update_*(), shared by its threads for path_sl().
struct pssp_engine {
 public:
  /// subnet and log must outlive the engine.
  pssp_engine(osm_subn_t& subnet, osm_log_t& log, std::string name)
      : opensm_(subnet), log_(log), name_(std::move(name)) {}

  /// The options are good for this engine.
  void accept(std::unique_ptr<pssp::RoutingEngine> engine, const pssp::PluginOptions& options);
  /// The options are wrong; said again at each routing, so that the log of a running opensm tells
  /// why another engine is used.
  void refuse(const std::string& reason);

  const char* name() const noexcept { return name_.c_str(); }
  osm_subn_t& subnet() const noexcept { return opensm_; }
  bool has_levels() const noexcept { return levels_.has_value(); }

  // The callbacks of adapter.h.
  int build_lid_matrices() noexcept;
  int build_fwd_tables() noexcept;
  std::uint8_t path_sl(std::uint8_t hint, pssp::Lid source, pssp::Lid destination) const noexcept;
  void update_sl2vl(const osm_physp_t& port, ib_slvl_table_t& table) const noexcept;
  void update_vlarb(const osm_physp_t& port, unsigned entries, unsigned number,
                    ib_vl_arb_table_t& block) const noexcept;

 private:
  template <class Work>
  int guarded(Work work) noexcept;
  int start();
  int finish();
  std::optional<pssp::CandidateTables> choose_tables(const pssp::Subnet& subnet);
  std::optional<pssp::CandidateTables> reroute_stably(const pssp::Subnet& subnet);
  std::optional<pssp::CandidateTables> route_anew(const pssp::Subnet& subnet);
  bool may_be_used(const pssp::LanePlan& plan) const;
  std::optional<pssp::CandidateTables> examine(const pssp::Subnet& subnet,
                                               pssp::ForwardingTables tables,
                                               const pssp::DeadlockOptions& deadlock);
  void remember(const pssp::Fabric& fabric, pssp::ForwardingTables tables);
  bool verified(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables) const;
  bool accepted(const pssp::LanePlan& plan);
  void ask_for_sweep(const pssp::LanePlan& plan);
  void dump_levels(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables,
                   const pssp::LanePlan& plan) const;
  void log_lines(osm_log_level_t level, const std::vector<std::string>& lines) const;
  void log_text(osm_log_level_t level, std::string_view text) const;
  void log(osm_log_level_t level, const std::string& message) const;
  std::string refusal() const;

  osm_subn_t& opensm_;
  osm_log_t& log_;
  std::string name_;
  std::unique_ptr<pssp::RoutingEngine> engine_;  // none: options were refused
  std::string refusal_;
  pssp::DeadlockOptions deadlock_;
  bool credit_loop_check_ = true;
  std::filesystem::path service_level_dump_;
  std::optional<pssp::StableOptions> stable_;  // none: each routing is made anew

  // From one routing to the next: the tables that OpenSM last had from this engine, and what they
  // go with.
  std::optional<pssp::LastTables> last_;  // only with stable_
  std::optional<pssp::PathLevels> levels_;
  bool asked_for_sweep_ = false;

  // Of the routing that is under way.
  std::optional<pssp::Subnet> subnet_;
  pssp::Stopwatch watch_;
};
