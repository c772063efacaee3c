#pragma once

// The stock opensm on a fabric that the stock ibsim plays. Whatever was started ends with the
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
  std::string engine;                        ///< as opensm's -R takes it: a name, or a list
  std::vector<std::string> plugin_settings;  ///< NAME=VALUE, for event_plugin_options
  std::string configuration;                 ///< lines at the end of opensm.conf
  std::vector<std::string> options;          ///< of its command line, behind ours
  std::chrono::seconds time_limit{0};        ///< for a sweep
};

/// What a SimulatedFabric wants to be there, for Surroundings::require(): programs, and the plugin
/// where one of `engines` (each as opensm's -R takes it) comes from it. `dumps_tables`: for
/// dump_tables(), too.
std::vector<Need> needs_of_simulation(std::span<const std::string> engines, bool dumps_tables);
/// The same of engines that are told what find_hints() finds.
std::vector<Need> needs_of_trials(std::span<const EngineSpec> engines, bool dumps_tables);

/// What became of it when opensm was told to route.
struct RoutingOutcome {
  enum class State { routed, refused, cut_off, failed };
  State state = State::failed;
  std::vector<std::string> reasons;  ///< where it is not `routed`, one at least
  std::string used_engine;
  double routing_ms = 0;
  long peak_memory_kib = 0;
  std::optional<unsigned> lanes;  ///< as opensm counts them (lanes_needed())
};

/// ibsim in a folder of its own, which then has ibsim.log (its last lines, bounded_log.h),
/// opensm.log, opensm.conf, opensm.out and in osm/ what opensm keeps and dumps. Any number of them
/// may play at a time: each has a name of its own for the sockets at which ibsim and its clients
/// meet.
class SimulatedFabric {
 public:
  /// With a console links can be taken out and put back.
  enum class Console { none, ours };

  /// Starts ibsim and returns when clients can attach. Throws Error(unreadable_input) for a
  /// topology that ibsim cannot play, with what it said; Error(unsuitable_topology) for one of more
  /// nodes than a subnet has LIDs; Error(simulation) when it is not ready in time;
  /// Error(missing_program). SIM_HOST, if set, names the adapter at which opensm runs. `lmc`: that
  /// opensm is told; none: that of the topology.
  SimulatedFabric(const Surroundings& surroundings, const SignalQueue& signals,
                  const std::filesystem::path& directory, std::filesystem::path topology,
                  Console console = Console::none, std::optional<unsigned> lmc = std::nullopt);
  SimulatedFabric(const SimulatedFabric&) = delete;
  SimulatedFabric& operator=(const SimulatedFabric&) = delete;
  ~SimulatedFabric();

  const TopologySurvey& survey() const noexcept { return playable_.survey; }
  /// For a program on it, unless somebody knows better: slow engines take minutes on thousands of
  /// nodes.
  std::chrono::seconds default_patience() const;

  /// opensm once through the fabric. Throws Error(missing_program) when opensm did not load the
  /// plugin that the engine comes from: it would quietly route with minhop.
  RoutingOutcome route_once(const OpensmRequest& request);

  /// Has the switches' tables written to `file`, in the form of dump_fts, whole or not at all. A
  /// note for the user where dump_fts left something out; empty otherwise. Throws
  /// Error(simulation).
  std::string dump_tables(const std::filesystem::path& file);
  struct WrittenTopology {
    std::string note;  ///< LIDs that differ from those of the topology; empty: none
    unsigned lmc = 0;  ///< in force
  };
  /// Writes the fabric with the LIDs that opensm gave, by which its tables must be evaluated.
  /// Throws Error(simulation) where fabric and simulated subnet have other ports (lids_in_force.h);
  /// Error(output).
  WrittenTopology write_topology(const std::filesystem::path& file) const;

  // ---- an opensm that stays ----

  /// What a sweep came to: nothing in `sweep` where it took too long or ended in errors.
  struct SweepOutcome {
    std::optional<Sweep> sweep;
    std::string reason;
  };
  /// Starts opensm; the first sweep.
  SweepOutcome start_manager(const OpensmRequest& request);
  /// Makes opensm sweep by SIGHUP.
  SweepOutcome sweep_again();
  /// Has ibsim change a link ("Unlink \"node\"[port]", "ReLink ..."). Switches at its ends send
  /// traps, which make opensm sweep; where those get lost (their way may have been that link),
  /// opensm is told by SIGHUP.
  SweepOutcome change_link(const std::string& command);
  /// As route_once(), of the manager that runs: did it route with the engine asked for?
  RoutingOutcome manager_outcome();

  // ---- beside a manager that stays ----

  /// What ibsim simulates: a copy with rates that it knows, and perhaps without LIDs.
  const std::filesystem::path& topology() const noexcept { return playable_.file; }
  /// The value of IBSIM_SOCKNAME for other programs.
  const std::string& socket() const noexcept { return socket_; }
  /// A program of the user's that sees the fabric as its own; its words are ibsim-run's.
  Command inside(const std::vector<std::string>& words) const;
  /// Has ibsim obey the lines, and waits until it has; ibsim answers no one meanwhile. What it says
  /// of them is thrown away. Needs the console. Throws Error(simulation) when it has ended or does
  /// not come to an end within a minute.
  void obey(const std::string& lines);
  /// Returns when the time has come. Throws Error(simulation) when opensm has ended; Interrupted.
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
  unsigned obeyed_ = 0;  ///< files of lines
  std::unique_ptr<Process> simulator_, manager_;
  std::unique_ptr<LogFollower> log_;
  OpensmRequest managed_;
};

}  // namespace pssp
