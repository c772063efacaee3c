#include "tools/bench_opensm/life.h"

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/simulated_fabric.h"
#include "tools/bench_opensm/hop_histogram.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// Adds the outcome of a sweep to the life; returns false if there is none.
bool take(Life& life, const char* event, const SimulatedFabric::SweepOutcome& outcome) {
  if (!outcome.reason.empty()) throw Error(ErrorKind::simulation, outcome.reason);
  if (outcome.sweep) life.sweeps.emplace_back(event, *outcome.sweep);
  return outcome.sweep.has_value();
}

std::vector<HopRecord> hops_of(const fs::path& directory, const Surroundings& surroundings,
                               const SignalQueue& signals) {
  Command command;
  command.program = surroundings.built("bin/eval_lft");
  command.arguments = {"--json",
                       "--patterns",
                       "1",
                       "--no-credit-loops",
                       (directory / "routing.lft").string(),
                       (directory / "topology.net").string()};
  command.environment = surroundings.environment;
  command.output = directory / "eval_lft.json";
  command.errors = directory / "eval_lft.err";
  run_to_end(command, signals);
  return hop_histogram(read_file(command.output));
}

void live(Life& life, SimulatedFabric& fabric, const OpensmRequest& request, const LifePlan& plan,
          const fs::path& directory, const Surroundings& surroundings, const SignalQueue& signals) {
  take(life, "start", fabric.start_manager(request));
  const RoutingOutcome outcome = fabric.manager_outcome();
  if (outcome.state != RoutingOutcome::State::routed) {
    life.refusal = outcome.reasons.front();
    return;
  }
  if (plan.with_hops) {
    fabric.dump_tables(directory / "routing.lft");
    fabric.write_topology(directory / "topology.net");
    life.hops = hops_of(directory, surroundings, signals);
  }
  if (plan.start_only) return;
  take(life, "resweep", fabric.sweep_again());
  const std::string link = last_switch_link(read_file(fabric.topology()));
  if (link.empty()) return;
  take(life, "failure", fabric.change_link("Unlink " + link));
  take(life, "repair", fabric.change_link("ReLink " + link));
}

}  // namespace

Life live_once(const EngineSpec& engine, const TrialOptions& configured,
               const std::string& topology, const LifePlan& plan, const fs::path& directory,
               const Surroundings& surroundings, const SignalQueue& signals) {
  Life life;
  OpensmRequest request;
  request.engine = engine.name;
  request.plugin_settings = configured.plugin_settings;
  request.options = configured.opensm_options;
  request.time_limit = std::chrono::seconds(plan.timeout);
  try {
    SimulatedFabric fabric(surroundings, signals, directory, topology,
                           SimulatedFabric::Console::ours);
    live(life, fabric, request, plan, directory, surroundings, signals);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation && error.kind() != ErrorKind::unsuitable_topology)
      throw;
    const std::string message = error.what();
    life = Life{};
    life.refusal = message.substr(0, message.find('\n'));
  }
  return life;
}

}  // namespace pssp
