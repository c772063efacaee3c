// dry_run: the stock opensm routes a fabric that ibsim plays, and the tables are evaluated
// (docs/reference/dry-run.md).
//
// Engines run one after the other, each on its own ibsim. If an engine fails, the others still run,
// and the first failure determines the exit code.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/text_lines.h"
#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/opensm_log.h"
#include "ibsim_harness/playable_topology.h"
#include "ibsim_harness/result_folder.h"
#include "ibsim_harness/simulated_fabric.h"
#include "ibsim_harness/simulating_tool.h"
#include "ibsim_harness/surroundings.h"
#include "ibsim_harness/trial_clock.h"
#include "tools/dry_run/options.h"
#include "tools/dry_run/table.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/trial/evaluation.h"
#include "tools/trial/trial_folder.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// Checks the requirements of the run before it begins.
void check_needs(const DryRunOptions& options, const Surroundings& surroundings) {
  std::vector<Need> needs = needs_of_simulation(options.engines, true);
  needs.push_back({"bin/eval_lft", "", "required"});
  if (options.topology.empty()) {
    needs.push_back({"bin/make_topo", "", "needed only without the argument TOPOLOGY"});
  } else {
    require_readable_topology(options.topology);
  }
  surroundings.require(needs);
}

/// The result of an engine.
struct EngineRun {
  RoutingOutcome outcome;
  int status = 0;      ///< of eval_lft
  std::string report;  ///< text or JSON, as requested; never empty
};

class DryRun {
 public:
  DryRun(const DryRunOptions& options, const Surroundings& surroundings)
      : options_(options),
        surroundings_(surroundings),
        folder_(options.out, "dry_run"),
        clock_(options.engines.size()) {
    require_apart(folder_.path(), options.topology);
    require_apart(folder_.path(), options.configuration);
    if (!options.configuration.empty()) configuration_ = read_file(options.configuration);
    signals_.on_tick([this] { line_.show(clock_.text()); });
  }

  int run() {
    clear_trial_folder(folder_.path());
    topology_ = options_.topology.empty() ? make_topology() : options_.topology;
    const PlayableTopology playable =
        make_playable(topology_, folder_.path() / "ibsim.net", surroundings_.variable("SIM_HOST"));
    for (const std::string& note : playable.notes) warn(note);
    return options_.is_comparison() ? compare() : run_alone();
  }

 private:
  std::string make_topology() {
    const fs::path file = folder_.path() / "chic.net";
    Command command;
    command.program = surroundings_.built("bin/make_topo");
    command.arguments = {"chic", "-o", file.string()};
    command.environment = surroundings_.environment;
    const int status = run_to_end(command, signals_).value().status;
    if (status != 0) {
      throw Error(
          ErrorKind::output,
          fmt::format("pssp make-topo ended with status {}, so there is no fabric to route; "
                      "name a TOPOLOGY",
                      status));
    }
    return file.string();
  }

  int run_alone() {
    const std::string& engine = options_.engines.front();
    clock_.begin(engine);
    const EngineRun run = route_and_evaluate(engine, folder_.path(), options_.json);
    line_.show({});
    write_file("-", options_.json ? run.report : remarks(run.outcome) + "\n" + run.report);
    return run.status;
  }

  /// From the plugin, and about opensm's time.
  std::string remarks(const RoutingOutcome& outcome) const {
    std::string text;
    for (const std::string& word : plugin_lines(read_file(folder_.path() / "opensm.log")))
      text += word + "\n";
    return text + fmt::format("opensm routed with {} in {:.1f} ms; tables and log in {}\n",
                              outcome.used_engine, outcome.routing_ms, folder_.path().string());
  }

  /// Clears the line of progress first.
  void print_line(const std::string& text) {
    line_.show({});
    report_.print_line(text);
  }

  void warn(const std::string& text) {
    line_.show({});
    report_.warn(text);
  }

  int compare() {
    int status = 0;
    std::vector<ComparedEngine> compared;
    nlohmann::ordered_json reports = nlohmann::ordered_json::array();
    for (const std::string& engine : options_.engines) {
      ComparedEngine& each = compared.emplace_back();
      each.name = engine;
      clock_.begin(engine);
      if (!options_.json) print_line("opensm -R " + engine + " ...");
      const int ended = try_engine(engine, each, reports);
      if (status == 0) status = ended;
    }
    line_.show({});
    const std::string answer =
        options_.json ? dump_json(reports) : comparison_table(compared, folder_.path().string());
    write_file(folder_.path() / (options_.json ? "report.json" : "report.txt"), answer);
    write_file("-", answer);
    return status;
  }

  int try_engine(const std::string& engine, ComparedEngine& compared,
                 nlohmann::ordered_json& reports) {
    try {
      const EngineRun run = route_and_evaluate(engine, folder_.path() / engine, true);
      if (options_.json) {
        reports.push_back(nlohmann::ordered_json::parse(run.report));
      } else {
        compared.score = score_of(run.report);
        compared.score->routing_ms = run.outcome.routing_ms;
      }
      return run.status;
    } catch (const Error& error) {
      print_line(error.what());
      // One of opensm's own engines that was not requested may refuse the fabric.
      const bool may_refuse = error.kind() == ErrorKind::unsuitable_topology &&
                              !options_.is_named && !needs_plugin(engine);
      return may_refuse ? 0 : error.exit_code();
    }
  }

  EngineRun route_and_evaluate(const std::string& engine, const fs::path& folder, bool as_json) {
    if (options_.is_comparison()) clear_trial_folder(folder);
    SimulatedFabric fabric(surroundings_, signals_, folder, topology_);
    RoutingOutcome outcome = fabric.route_once(request(engine, fabric));
    require_routed(engine, folder, outcome);
    const std::string note = fabric.dump_tables(folder / "routing.lft");
    if (!note.empty()) print_line(note);
    const std::string other_lids = fabric.write_topology(folder / "topology.net").note;
    if (!other_lids.empty()) warn(other_lids);
    return evaluate(engine, folder, std::move(outcome), as_json);
  }

  OpensmRequest request(const std::string& engine, const SimulatedFabric& fabric) const {
    OpensmRequest request;
    request.engine = engine;
    request.plugin_settings = options_.settings;
    request.configuration = configuration_;
    request.options = options_.opensm_options;
    request.time_limit =
        options_.timeout ? std::chrono::seconds(*options_.timeout) : fabric.default_patience();
    return request;
  }

  /// opensm returns 0 even if it fell back to another engine.
  static void require_routed(const std::string& engine, const fs::path& folder,
                             const RoutingOutcome& outcome) {
    switch (outcome.state) {
      case RoutingOutcome::State::routed:
        return;
      case RoutingOutcome::State::refused:
        throw Error(ErrorKind::unsuitable_topology,
                    fmt::format("opensm did not use engine '{}' but '{}'; it logged:{}\n"
                                "  the whole log: {}",
                                engine, outcome.used_engine, indented(outcome.reasons),
                                (folder / "opensm.log").string()));
      case RoutingOutcome::State::cut_off:
        throw Error(ErrorKind::simulation, outcome.reasons.front());
      case RoutingOutcome::State::failed:
        throw Error(ErrorKind::simulation,
                    fmt::format("opensm did not bring the subnet up:{}\n  the whole log: {}",
                                indented(outcome.reasons), (folder / "opensm.log").string()));
    }
  }

  /// Unusable tables have a report, too.
  EngineRun evaluate(const std::string& engine, const fs::path& folder, RoutingOutcome outcome,
                     bool as_json) const {
    std::vector<std::string> arguments = bisection_arguments(options_.patterns, options_.seed);
    for (std::string& each : lane_arguments(outcome.used_engine))
      arguments.push_back(std::move(each));
    if (as_json) arguments.emplace_back("--json");
    const fs::path tables = folder / "routing.lft";
    const fs::path file = folder / (as_json ? "report.json" : "report.txt");
    EvaluatorRun run = run_evaluator(std::move(arguments), tables, folder / "topology.net", file,
                                     surroundings_, signals_);
    if (run.report.empty()) {
      throw Error(static_cast<ErrorKind>(run.status),
                  fmt::format("pssp eval could not evaluate {} (status {}): {}", tables.string(),
                              run.status, trimmed(run.said)));
    }
    if (as_json) {
      run.report = trial_report(run.report, engine, outcome, topology_, tables);
      write_file(file, run.report);
    }
    return {std::move(outcome), run.status, std::move(run.report)};
  }

  const DryRunOptions& options_;
  const Surroundings& surroundings_;
  const Report report_{"dry_run"};
  SignalQueue signals_;
  ResultFolder folder_;
  TrialClock clock_;
  TerminalLine line_;
  std::string configuration_, topology_;
};

/// Returns the exit code; of several engines the first other than 0. Throws Error.
int dry_run(const DryRunOptions& options, const Surroundings& surroundings) {
  check_needs(options, surroundings);
  return DryRun(options, surroundings).run();
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_simulating_tool("dry_run", argc, argv, parse_dry_run_options, dry_run);
}
