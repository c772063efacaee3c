#pragma once

// One routing engine of the registry as OpenSM sees it; what is behind the callbacks of adapter.h.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "osm_plugin/background_router.h"
#include "osm_plugin/capacity_source.h"
#include "osm_plugin/level_dump.h"
#include "osm_plugin/opensm_layout.h"
#include "osm_plugin/state_file.h"
#include "osm_plugin/subnet_reader.h"
#include "osm_plugin/table_chooser.h"
#include "routing/options/plugin_setup.h"

namespace pssp {

/// What the engines of a plugin have in common.
struct SharedByEngines {
  LevelDump& dump;
  /// What the switches hold, where this OpenSM has just taken over.
  const std::optional<RoutingState>& taken_over;
  /// Makes OpenSM sweep; may be called from any thread.
  std::function<void()> request_sweep;
};

/// OpenSM calls everything here with its lock held: exclusively for the two calls that build and
/// for update_*(), shared by its threads for path_sl().
class EngineAdapter {
 public:
  /// subnet, log and what is shared must outlive the adapter.
  EngineAdapter(osm_subn_t& subnet, osm_log_t& log, EngineSetup setup, const PluginOptions& options,
                const SharedByEngines& shared, const std::filesystem::path& cache_folder);

  const char* name() const noexcept { return name_.c_str(); }
  osm_subn_t& subnet() const noexcept { return opensm_; }
  bool has_levels() const noexcept { return levels() != nullptr; }
  /// Another subnet manager is the master: ends work in the background. From any thread.
  void stop_background() noexcept { background_.cancel(); }

  // The callbacks of adapter.h.
  int build_lid_matrices() noexcept;
  int build_fwd_tables(bool has_successor) noexcept;
  std::uint8_t path_sl(std::uint8_t hint, Lid source, Lid destination) const noexcept;
  void update_sl2vl(const osm_physp_t& port, ib_slvl_table_t& table) const noexcept;
  void update_vlarb(const osm_physp_t& port, unsigned entries, unsigned number,
                    ib_vl_arb_table_t& block) const noexcept;

 private:
  template <class Work>
  int guarded(Work work) noexcept;
  int start();
  int finish(bool has_successor);
  ChoiceLimits limits_for(const Fabric& fabric, bool has_successor) const;
  void take_fabric(bool with_capacities);
  void log_options();
  Choice choose_tables(bool has_successor);
  void restore_state(const Fabric& fabric);
  void take_over();
  void keep_state();
  void check_for_rebaseline();
  void dump_levels(const Fabric& fabric, const CandidateTables& chosen) const;
  void log_routing(const Fabric& fabric, Choice& choice, double setup_ms);
  RoutingReport report_of(const Fabric& fabric, const Choice& choice) const;
  void log(LogMessage message) const;
  /// Null where OpenSM chooses the levels.
  const PathLevels* levels() const noexcept;

  osm_subn_t& opensm_;
  osm_log_t& log_;
  std::string name_;
  TableChooser chooser_;
  BudgetOptions budget_;
  CapacitySource capacity_source_;
  std::string node_types_file_;
  bool options_are_logged_ = false;      // those of opensm.conf that mean nothing here
  std::optional<StateFile> state_file_;  // none: not stable
  bool keeps_state_ = false;
  SharedByEngines shared_;

  // Of the routing that is under way.
  std::optional<Subnet> subnet_;
  Stopwatch watch_;

  BackgroundRouter background_;  // last, because its thread uses the others
};

}  // namespace pssp

/// The name that C knows it by.
struct pssp_engine final : pssp::EngineAdapter {
  using EngineAdapter::EngineAdapter;
};
