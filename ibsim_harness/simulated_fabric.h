#pragma once

// The stock opensm on a fabric that the stock ibsim simulates. All started programs end with the
// object.

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/log_follower.h"
#include "ibsim_harness/opensm_log.h"
#include "ibsim_harness/playable_topology.h"
#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"

namespace pssp {

struct OpensmRequest {
  std::string engine;                        ///< as for opensm -R: a name, or a list
  std::vector<std::string> plugin_settings;  ///< NAME=VALUE, for event_plugin_options
  std::string configuration;                 ///< lines at the end of opensm.conf
  std::vector<std::string> options;          ///< further command-line options
  std::chrono::seconds time_limit{0};        ///< for a sweep
};

/// The requirements of a SimulatedFabric for Surroundings::require(): programs, and the plugin if
/// one of `engines` (each as for opensm -R) is an engine of the plugin. `dumps_tables`: including
/// the requirements of dump_tables().
std::vector<Need> needs_of_simulation(std::span<const std::string> engines, bool dumps_tables);
/// The requirements of needs_of_simulation() for these engines, and of find_hints() if an engine
/// needs its results.
std::vector<Need> needs_of_trials(std::span<const EngineSpec> engines, bool dumps_tables);

/// The result of a routing by opensm.
struct RoutingOutcome {
  enum class State { routed, refused, cut_off, failed };
  State state = State::failed;
  std::vector<std::string> reasons;  ///< at least one, unless it is `routed`
  std::string used_engine;
  double routing_ms = 0;
  long peak_memory_kib = 0;
  std::optional<unsigned> lanes;  ///< as opensm counts them (lanes_needed())
};

/// ibsim in a separate folder, which then contains ibsim.log (its last lines, bounded_log.h),
/// opensm.log, opensm.conf, opensm.out, and in osm/ the caches and dumps of opensm. Any number of
/// these objects can run at the same time, because each has its own name for the sockets of ibsim
/// and its clients.
class SimulatedFabric {
 public:
  /// With a console, links can be removed and restored.
  enum class Console { none, ours };

  /// Starts ibsim, and returns when clients can connect. Throws Error(unreadable_input) with the
  /// message of ibsim for a topology that ibsim cannot simulate; Error(unsuitable_topology) for
  /// more nodes than a subnet has LIDs; Error(simulation) if ibsim is not ready in time;
  /// Error(missing_program). SIM_HOST, if set, is the adapter at which opensm runs. `lmc`: for
  /// opensm; without a value, the LMC of the topology.
  SimulatedFabric(const Surroundings& surroundings, const SignalQueue& signals,
                  const std::filesystem::path& directory, std::filesystem::path topology,
                  Console console = Console::none, std::optional<unsigned> lmc = std::nullopt);
  SimulatedFabric(const SimulatedFabric&) = delete;
  SimulatedFabric& operator=(const SimulatedFabric&) = delete;
  ~SimulatedFabric();

  const TopologySurvey& survey() const noexcept { return playable_.survey; }
  /// Default time limit of a program on the fabric: slow engines take minutes on thousands of
  /// nodes.
  std::chrono::seconds default_patience() const;

  /// Runs opensm once. Throws Error(missing_program) if opensm did not load the plugin of the
  /// engine, because it would use minhop without an error.
  RoutingOutcome route_once(const OpensmRequest& request);

  /// Writes the tables of the switches to `file` in the format of dump_fts, whole or not at all.
  /// Returns a note for the user if dump_fts omitted something; otherwise, the note is empty.
  /// Throws Error(simulation).
  std::string dump_tables(const std::filesystem::path& file);
  struct WrittenTopology {
    std::string note;  ///< LIDs that differ from those of the topology; empty: none
    unsigned lmc = 0;  ///< in force
  };
  /// Writes the fabric with the LIDs from opensm, with which its tables must be evaluated. Throws
  /// Error(simulation) if the ports of fabric and simulated subnet differ (lids_in_force.h), and
  /// Error(output).
  WrittenTopology write_topology(const std::filesystem::path& file) const;

  // ---- an opensm that stays ----

  /// The result of a sweep: `sweep` is empty if it took too long or ended in errors.
  struct SweepOutcome {
    std::optional<Sweep> sweep;
    std::string reason;
  };
  /// Starts opensm, and waits for the first sweep.
  SweepOutcome start_manager(const OpensmRequest& request);
  /// Makes opensm sweep with SIGHUP.
  SweepOutcome sweep_again();
  /// Makes ibsim change a link ("Unlink \"node\"[port]", "ReLink ..."). The switches at its ends
  /// send traps, which make opensm sweep. If the traps get lost (possibly on that link), SIGHUP
  /// makes opensm sweep.
  SweepOutcome change_link(const std::string& command);
  /// As route_once(), for the running manager: whether it used the requested engine.
  RoutingOutcome manager_outcome();

  // ---- beside a manager that stays ----

  /// The topology that ibsim simulates: a copy with rates that ibsim supports, possibly without
  /// LIDs.
  const std::filesystem::path& topology() const noexcept { return playable_.file; }
  /// The value of IBSIM_SOCKNAME for other programs.
  const std::string& socket() const noexcept { return socket_; }
  /// A command of the user that uses the simulated fabric, called with ibsim-run.
  Command inside(const std::vector<std::string>& words) const;
  /// Makes ibsim execute the lines, and waits for the end; meanwhile, ibsim answers no requests.
  /// Its output is discarded. Requires the console. Throws Error(simulation) if ibsim has ended, or
  /// does not finish within a minute.
  void obey(const std::string& lines);
  /// Returns at the given time. Throws Error(simulation) if opensm has ended; Interrupted.
  void stay(Clock::time_point until);

 private:
  void start_simulator(Console console);
  Command client(const std::string& program, const std::string& package,
                 std::vector<std::string> arguments) const;
  Command opensm(const OpensmRequest& request, const std::vector<std::string>& options);
  void write_configuration(const OpensmRequest& request) const;
  RoutingOutcome evaluated(const OpensmRequest& request) const;
  std::string restore_lost_entries(const std::filesystem::path& dump);
  unsigned port_at(const std::string& route, unsigned lid);
  std::string output_of(const Command& command);
  SweepOutcome after(const std::function<void()>& event);
  std::string wait_for_sweep(unsigned ended_before);

  const Surroundings& surroundings_;
  const SignalQueue& signals_;
  std::filesystem::path directory_, topology_;
  PlayableTopology playable_;
  std::string socket_;
  unsigned obeyed_ = 0;  ///< number of executed files
  std::unique_ptr<Process> simulator_, manager_;
  std::unique_ptr<LogFollower> log_;
  OpensmRequest managed_;
};

}  // namespace pssp
