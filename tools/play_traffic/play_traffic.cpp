// play_traffic: a fabric that ibsim plays, opensm, and jobs whose traffic its counters tell of
// (docs/reference/play-traffic.md).
//
// The fabric is up and its tables are known before jobs are placed, because jobs use names and LIDs
// that opensm assigned. opensm itself writes the tables that it has set, which is a hundred times
// faster than reading them from the switches.
//
// Each tick is at least one interval after the previous one: on a slow machine, the simulation is
// slower, and no reading exceeds the capacity of a link.

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/input/fabric_input.h"
#include "ibsim_harness/result_folder.h"
#include "ibsim_harness/simulated_fabric.h"
#include "ibsim_harness/simulating_tool.h"
#include "ibsim_harness/surroundings.h"
#include "tools/kit/report.h"
#include "tools/play_traffic/cable_cut.h"
#include "tools/play_traffic/host_names.h"
#include "tools/play_traffic/job_plan.h"
#include "tools/play_traffic/options.h"
#include "tools/play_traffic/port_counters.h"
#include "tools/play_traffic/truth.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// Part of a link's data rate; a reading that contains an additional setting is then still
/// plausible.
constexpr double full_link = .85;

constexpr unsigned default_lanes = 8;

std::string in_shell_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

class TrafficRun {
 public:
  TrafficRun(const PlayTrafficOptions& options, const Surroundings& surroundings)
      : options_(options),
        surroundings_(surroundings),
        folder_(options.out, "play_traffic"),
        out_(fs::absolute(folder_.path())) {
    for (const char* name : {"truth.json", "jobs.jsonl", "attach.sh"}) fs::remove(out_ / name);
  }

  int run() {
    start_fabric();
    read_tables();
    place_jobs();
    write_file(out_ / "jobs.jsonl", job_file_text(jobs_, *fabric_, std::time(nullptr)));
    if (!options_.command.empty()) {
      command_ = std::make_unique<Process>(simulated_->inside(options_.command), signals_);
    }
    try {
      simulate();
    } catch (const Interrupted&) {
      write_truth();
      // The command may have data to write.
      if (command_) command_->end(std::chrono::seconds(10));
      throw;
    }
    write_truth();
    if (!command_) return 0;
    if (!command_->ending()) stay_with_command();
    return command_->ending()->status;
  }

 private:
  // ---- the fabric ----

  fs::path topology_with_names() {
    fs::path given = options_.topology;
    const std::string text = read_file(given);
    FabricSources sources = read_fabric_sources({&given, 1});
    if (have_own_names(to_fabric_input(std::move(sources)).fabric)) return given;
    fs::path renamed = out_ / "named.net";
    write_file(renamed, with_plain_names(text));
    Report("play_traffic")
        .print_line(
            "host names are shortened to one word, because job files cannot contain spaces in "
            "names");
    return renamed;
  }

  void start_fabric() {
    const fs::path topology = topology_with_names();
    simulated_ = std::make_unique<SimulatedFabric>(surroundings_, signals_, out_, topology,
                                                   SimulatedFabric::Console::ours);
    const TrialOptions configured = options_for_trial(options_.engine, hints(), default_lanes);
    if (!configured.refusal.empty())
      throw Error(ErrorKind::unsuitable_topology, configured.refusal);
    OpensmRequest request;
    request.engine = options_.engine.name;
    request.plugin_settings = configured.plugin_settings;
    request.options = configured.opensm_options;
    // 0x40: opensm writes its tables to files.
    request.options.insert(request.options.end(), {"-D", "0x43"});
    request.time_limit = std::chrono::seconds(options_.timeout);
    const SimulatedFabric::SweepOutcome first = simulated_->start_manager(request);
    if (!first.sweep) throw Error(ErrorKind::simulation, first.reason);
    const RoutingOutcome outcome = simulated_->manager_outcome();
    if (outcome.state != RoutingOutcome::State::routed) {
      throw Error(ErrorKind::unsuitable_topology,
                  fmt::format("opensm did not route with {}: {}", options_.engine.text,
                              outcome.reasons.front()));
    }
    write_attach();
  }

  /// Only opensm's own engines need hints.
  EngineHints hints() {
    if (!options_.engine.is_opensms) return {};
    const fs::path folder = out_ / "hints";
    fs::create_directories(folder);
    return find_hints(surroundings_, signals_, simulated_->topology(), folder);
  }

  /// For programs that are started manually.
  void write_attach() {
    const fs::path script = out_ / "attach.sh";
    write_file(script, fmt::format("#!/bin/sh\n# Runs a program in the simulated fabric: "
                                   "attach.sh perfquery -x 3 1\n"
                                   "IBSIM_SOCKNAME={} SIM_HOST={} PATH=\"$PATH:/usr/sbin:/sbin\" "
                                   "exec ibsim-run \"$@\"\n",
                                   in_shell_quotes(simulated_->socket()),
                                   in_shell_quotes(simulated_->survey().host)));
    constexpr mode_t for_all = 0755;
    chmod(script.c_str(), for_all);
  }

  FabricInput with_tables() const {
    const fs::path topology = out_ / "topology.net";
    const std::string note = simulated_->write_topology(topology).note;
    if (!note.empty()) Report("play_traffic").warn(note);
    const std::vector<fs::path> files{topology, out_ / "osm" / "opensm-lfts.dump"};
    return read_fabric_input(files);
  }

  void read_tables() {
    FabricInput input = with_tables();
    fabric_.emplace(std::move(input.fabric));
    tables_.emplace(*std::move(input.tables));
    if (options_.cut) cable_ = cable_to_cut(*fabric_, options_.seed);
  }

  // ---- jobs ----

  std::uint32_t spare_host() const {
    for (std::uint32_t e = 0; e < fabric_->end_port_count(); ++e) {
      if (fabric_->end_port(EndPortId(e)).name == simulated_->survey().host) return e;
    }
    return static_cast<std::uint32_t>(fabric_->end_port_count());
  }

  void place_jobs() {
    if (!options_.jobs.empty()) {
      jobs_ = read_job_plan(read_file(options_.jobs), options_.jobs, *fabric_, spare_host(),
                            options_.seed);
    } else {
      ScatterOptions scatter;
      scatter.jobs = options_.scatter;
      scatter.activity = options_.activity;
      scatter.storage_share = options_.storage_share;
      scatter.seed = options_.seed;
      const std::size_t hosts = fabric_->endpoints().size();
      scatter.largest = std::clamp<std::size_t>(hosts / 4, scatter.smallest, scatter.largest);
      jobs_ = scattered_job_plan(*fabric_, scatter, spare_host());
    }
    jobs_.plan.sweep_seconds = options_.interval;
    jobs_.plan.full_link = full_link;
    jobs_.plan.pace =
        static_cast<std::size_t>(std::max(1.0, std::round(options_.pace / options_.interval)));
    player_.emplace(jobs_.plan, *fabric_, *tables_);
    counters_.emplace(*fabric_, options_.errors, options_.seed);
  }

  // ---- traffic ----

  void simulate() {
    Report("play_traffic")
        .print_line(
            fmt::format("{} jobs on {} hosts; job file, logs, attach.sh and truth.json go to {}",
                        jobs_.labels.size(), fabric_->endpoints().size(), out_.string()));
    const auto step = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(options_.interval));
    while (!options_.seconds || replayed_seconds_ < *options_.seconds - options_.interval / 2) {
      const Clock::time_point next = Clock::now() + step;
      player_->simulate_sweep();
      counters_->add(*player_, options_.interval);
      replayed_seconds_ += options_.interval;
      obey(counters_->settings(false));
      change_cable();
      if (wait(next)) return;
    }
    obey(counters_->settings(true));
  }

  // ---- a fault ----

  /// Disconnects the cable once, and reconnects it once. Traffic is paused while opensm computes.
  void change_cable() {
    const bool due = cable_ && replayed_seconds_ >= *options_.cut * (is_cut_ ? 2 : 1);
    if (!due) return;
    const char* const verb = is_cut_ ? "ReLink" : "Unlink";
    Report("play_traffic")
        .print_line(fmt::format("{} the cable {}[{}] - {}[{}]",
                                is_cut_ ? "reconnecting" : "disconnecting", cable_->from.name,
                                cable_->from.port, cable_->to.name, cable_->to.port));
    const SimulatedFabric::SweepOutcome sweep =
        simulated_->change_link(fmt::format("{} {}", verb, cable_->from.quoted()));
    if (!sweep.sweep) throw Error(ErrorKind::simulation, sweep.reason);
    *tables_ = *with_tables().tables;
    player_->reroute();
    if (is_cut_) {
      // ibsim does not count links that went down.
      obey(
          fmt::format("PerformanceSet {0} PortCounters.LinkDownedCounter=1\n"
                      "PerformanceSet {1} PortCounters.LinkDownedCounter=1\n",
                      cable_->from.quoted(), cable_->to.quoted()));
      cable_.reset();
    }
    is_cut_ = !is_cut_;
  }

  void obey(const std::string& lines) {
    if (!lines.empty()) simulated_->obey(lines);
  }

  /// Returns true when the command has ended.
  bool wait(Clock::time_point until) {
    if (!command_) {
      simulated_->stay(until);
      return false;
    }
    return command_->wait(until) == Process::Woken::ended;
  }

  void stay_with_command() { command_->wait(Clock::time_point::max()); }

  void write_truth() {
    write_file(out_ / "truth.json",
               truth_json({options_.topology, options_.engine.text, replayed_seconds_}, jobs_,
                          *fabric_, *player_, *counters_));
  }

  const PlayTrafficOptions& options_;
  const Surroundings& surroundings_;
  SignalQueue signals_;
  ResultFolder folder_;
  fs::path out_;
  std::unique_ptr<SimulatedFabric> simulated_;
  std::optional<Fabric> fabric_;
  std::optional<ForwardingTables> tables_;
  JobPlan jobs_;
  std::optional<TrafficPlayer> player_;
  std::optional<SimulatedCounters> counters_;
  double replayed_seconds_ = 0;
  std::optional<CutCable> cable_;  ///< to be disconnected or reconnected
  bool is_cut_ = false;
  std::unique_ptr<Process> command_;  // ends before the fabric
};

/// Returns the exit code. Throws Error.
int replay_on_fabric(const PlayTrafficOptions& options, const Surroundings& surroundings) {
  surroundings.require(needs_of_trials({&options.engine, 1}, false));
  return TrafficRun(options, surroundings).run();
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_simulating_tool("play_traffic", argc, argv, parse_replay_options, replay_on_fabric);
}
