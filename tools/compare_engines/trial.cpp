// A trial has its own folder: opensm.log, opensm.conf, opensm.out, ibsim.log, routing.lft,
// report.json, result.json.

#include "tools/compare_engines/trial.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/simulated_fabric.h"
#include "tools/compare_engines/reports.h"
#include "tools/trial/evaluation.h"
#include "tools/trial/trial_folder.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// The message of an error as reasons: its first line, then the indented lines below it.
std::vector<std::string> lines_of(std::string_view message) {
  std::vector<std::string> lines;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = message.substr(0, end);
    while (line.starts_with(' ')) line.remove_prefix(1);
    lines.emplace_back(line);
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  return lines;
}

class Trial {
 public:
  Trial(const EngineSpec& engine, unsigned lmc, const CompareOptions& options,
        const fs::path& directory, const Surroundings& surroundings, const SignalQueue& signals)
      : engine_(engine),
        options_(options),
        directory_(directory),
        surroundings_(surroundings),
        signals_(signals) {
    result_.lmc = lmc;
    result_.engine = engine.text;
    result_.name = engine.name;
    result_.is_opensms = engine.is_opensms;
    result_.directory = directory.string();
  }

  EngineResult run(const EngineHints& hints) {
    const Clock::time_point started = Clock::now();
    clear_trial_folder(directory_);
    try {
      route(hints);
    } catch (const Error& error) {
      const bool is_only_here =
          error.kind() == ErrorKind::simulation || error.kind() == ErrorKind::unsuitable_topology;
      if (!is_only_here) throw;
      result_.state = error.kind() == ErrorKind::simulation ? "failed" : "refused";
      result_.reasons = lines_of(error.what());
    }
    result_.seconds = static_cast<long>(
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started).count());
    write_file(directory_ / "result.json", result_json(result_));
    return result_;
  }

 private:
  void route(const EngineHints& hints) {
    const TrialOptions configured = options_for_trial(engine_, hints, options_.lanes);
    if (!configured.refusal.empty()) {
      result_.state = "refused";
      result_.reasons = {configured.refusal};
      return;
    }
    OpensmRequest request;
    request.engine = engine_.name;
    request.plugin_settings = configured.plugin_settings;
    request.options = configured.opensm_options;
    request.time_limit = std::chrono::seconds(options_.timeout);
    if (!options_.configuration.empty()) request.configuration = read_file(options_.configuration);
    SimulatedFabric fabric(surroundings_, signals_, directory_, options_.topology,
                           SimulatedFabric::Console::none, result_.lmc);
    const RoutingOutcome outcome = fabric.route_once(request);
    result_.reasons = outcome.reasons;
    switch (outcome.state) {
      case RoutingOutcome::State::refused:
        result_.state = "refused";
        return;
      case RoutingOutcome::State::cut_off:
        result_.state = "cut off";
        return;
      case RoutingOutcome::State::failed:
        result_.state = "failed";
        return;
      case RoutingOutcome::State::routed:
        break;
    }
    fabric.dump_tables(tables());
    const SimulatedFabric::WrittenTopology written = fabric.write_topology(topology());
    if (!options_.lmcs.empty() && written.lmc != result_.lmc) {
      throw Error(ErrorKind::simulation,
                  fmt::format("opensm used LMC {} and not {} (--lmc): remove the option of the "
                              "engine that sets the LMC",
                              written.lmc, result_.lmc));
    }
    result_.note = written.note;
    result_.lmc = written.lmc;
    evaluate(outcome);
  }

  /// The output of eval_lft with these options; empty on failure, with the reason in `result_`.
  std::string report_of_evaluator(const std::vector<std::string>& options, const char* file) {
    std::vector<std::string> arguments = bisection_arguments(options_.patterns, options_.seed);
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--structured-suite", "--json"});
    EvaluatorRun run = run_evaluator(std::move(arguments), tables(), topology(), directory_ / file,
                                     surroundings_, signals_);
    if (run.report.empty()) {
      result_.state = "failed";
      result_.reasons = lines_of(run.said);
      result_.reasons.push_back(
          fmt::format("pssp eval could not evaluate the tables (status {})", run.status));
    }
    return std::move(run.report);
  }

  fs::path tables() const { return directory_ / "routing.lft"; }
  fs::path topology() const { return directory_ / "topology.net"; }

  /// Unusable tables have a report, too.
  void evaluate(const RoutingOutcome& outcome) {
    std::vector<std::string> base = lane_arguments(outcome.used_engine);
    base.insert(base.end(), {"--lids", "base"});
    const std::string report = report_of_evaluator(base, "report.json");
    if (report.empty()) return;
    TableScore score = score_of(report);
    if (result_.lmc != 0) {
      const std::string striped =
          report_of_evaluator({"--lids", "all", "--no-credit-loops"}, "report-all-lids.json");
      if (!striped.empty()) score.striped = striped_of(striped);
    }
    if (outcome.lanes) score.lanes = outcome.lanes;
    score.routing_ms = outcome.routing_ms;
    score.peak_memory_kib = outcome.peak_memory_kib;
    result_.score = score;
    write_file(directory_ / "report.json",
               trial_report(report, result_.name, outcome, options_.topology, tables()));
    if (score.credit_loop == false) result_.score->lanes = 1;
    result_.state = "routed";
  }

  const EngineSpec& engine_;
  const CompareOptions& options_;
  fs::path directory_;
  const Surroundings& surroundings_;
  const SignalQueue& signals_;
  EngineResult result_;
};

}  // namespace

EngineResult try_engine(const EngineSpec& engine, unsigned lmc, const CompareOptions& options,
                        const EngineHints& hints, const fs::path& directory,
                        const Surroundings& surroundings, const SignalQueue& signals) {
  return Trial(engine, lmc, options, directory, surroundings, signals).run(hints);
}

}  // namespace pssp
