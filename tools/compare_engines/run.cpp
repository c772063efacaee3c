// One engine after the other, so that routing times are comparable; then one run of eval_lft with
// all tables under the same bisections. Where that last run fails, the table comes without tests
// and says so: nothing is recommended by numbers that were not compared.

#include "tools/compare_engines/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/gnuplot.h"
#include "ibsim_harness/playable_topology.h"
#include "ibsim_harness/result_folder.h"
#include "ibsim_harness/trial_clock.h"
#include "tools/compare_engines/evaluation.h"
#include "tools/compare_engines/picture.h"
#include "tools/compare_engines/recommendation.h"
#include "tools/compare_engines/reports.h"
#include "tools/compare_engines/trial.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// What is missing is said before anything is tried.
void check_needs(const CompareOptions& options, const Surroundings& surroundings) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.topology, ignored) ||
      access(options.topology.c_str(), R_OK) != 0) {
    throw Error(ErrorKind::unreadable_input,
                "topology '" + options.topology + "' is no readable file");
  }
  if (!options.plot.empty()) surroundings.program("gnuplot", "gnuplot-nox");
  surroundings.built("bin/eval_lft");
}

class CompareRun {
 public:
  CompareRun(const CompareOptions& options, const Surroundings& surroundings)
      : options_(options),
        surroundings_(surroundings),
        folder_(options.out, "compare_engines"),
        playable_(make_playable(options.topology, folder_.path() / "topology.net",
                                surroundings.variable("SIM_HOST"),
                                // With another LMC the file's LIDs are not those of the tables.
                                options.lmc == 0)),
        clock_(options.engines.size()) {
    comparison_.topology = options.topology;
    comparison_.note = playable_.note;
    comparison_.directory = folder_.path().string();
    comparison_.lanes = options.lanes;
    comparison_.lmc = options.lmc;
    comparison_.timeout = options.timeout;
  }

  int run() {
    for (const char* name : {"report.txt", "report.json", "comparison.json"})
      fs::remove(folder_.path() / name);
    try_all();
    compare();
    comparison_.recommendation = recommend(comparison_.results, options_.lanes);
    answer();
    const bool any_routed =
        std::any_of(comparison_.results.begin(), comparison_.results.end(),
                    [](const EngineResult& each) { return each.score.has_value(); });
    return any_routed ? status_ : static_cast<int>(ErrorKind::unsuitable_topology);
  }

 private:
  void try_all() {
    const EngineHints hints = find_hints(surroundings_, signals_, playable_.file, folder_.path());
    signals_.on_tick([this] { line_.show(clock_.text()); });
    for (const EngineSpec& engine : options_.engines) {
      clock_.begin(engine.text);
      comparison_.results.push_back(try_engine(engine, options_, playable_.file, hints,
                                               engine_directory(folder_.path(), engine),
                                               surroundings_, signals_));
    }
    signals_.on_tick({});
    line_.show({});
  }

  /// Tests the bandwidths against each other under the same bisections.
  void compare() {
    std::vector<EngineResult>& results = comparison_.results;
    const std::vector<std::size_t> order = contestants(results, options_.lanes);
    if (order.size() < 2) return;
    Command command;
    command.program = surroundings_.built("bin/eval_lft");
    command.arguments = bisection_arguments(options_);
    command.arguments.insert(command.arguments.end(),
                             {"--json", "--no-credit-loops", "--lids", "base"});
    const auto tables = [&](std::size_t i) { return results[order[i]].directory + "/routing.lft"; };
    for (std::size_t i = 1; i < order.size(); ++i)
      command.arguments.insert(command.arguments.end(), {"--compare", tables(i)});
    command.arguments.insert(command.arguments.end(), {tables(0), playable_.file.string()});
    command.environment = surroundings_.environment;
    command.output = folder_.path() / "comparison.json";
    command.errors = folder_.path() / "comparison.err";
    const Ending ending = run_to_end(command, signals_).value();
    const std::string report = read_file(command.output), said = read_file(command.errors);
    fs::remove(command.errors);
    if (ending.status != 0) {
      fs::remove(command.output);
      comparison_.warning = fmt::format(
          "The bandwidths were not tested against each other: eval_lft ended with status {}{}{}",
          ending.status, said.empty() ? "" : ": ", said.substr(0, said.find('\n')));
      status_ = ending.status;
      return;
    }
    const std::vector<std::optional<TableDifference>> differences = differences_of(report);
    for (std::size_t i = 0; i < order.size() && i < differences.size(); ++i)
      results[order[i]].difference = differences[i];
  }

  void answer() {
    const std::string json = comparison_json(comparison_), text = comparison_text(comparison_);
    write_file(folder_.path() / "report.json", json);
    if (options_.json != "-") {
      write_file(folder_.path() / "report.txt", text);
      write_file("-", text);
    }
    if (!options_.json.empty()) write_file(options_.json, json);
    if (!options_.csv.empty()) write_file(options_.csv, comparison_csv(comparison_));
    if (options_.plot.empty()) return;
    const std::string kind = options_.plot.substr(options_.plot.size() - 3);
    write_file(options_.plot, draw(surroundings_, signals_, folder_.path(), "plot",
                                   picture_script(comparison_, kind)));
  }

  const CompareOptions& options_;
  const Surroundings& surroundings_;
  SignalQueue signals_;
  ResultFolder folder_;
  PlayableTopology playable_;
  TrialClock clock_;
  TerminalLine line_;
  Comparison comparison_;
  int status_ = 0;
};

}  // namespace

int compare_engines(const CompareOptions& options, const Surroundings& surroundings) {
  check_needs(options, surroundings);
  try {
    return CompareRun(options, surroundings).run();
  } catch (const Interrupted& interrupted) {
    return interrupted.exit_code();
  }
}

}  // namespace pssp
