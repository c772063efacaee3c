// compare_engines: every engine of opensm and of ours on one fabric, in a table with a
// recommendation (docs/reference/compare-engines.md).
//
// Engines run one after the other, so that routing times are comparable; then one run of eval_lft
// compares all tables with the same bisections. If that run fails, the table is printed without
// tests, with a warning and without a recommendation.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "evaluator/pictures/drawing_programs.h"
#include "fabric/ids.h"
#include "ibsim_harness/playable_topology.h"
#include "ibsim_harness/result_folder.h"
#include "ibsim_harness/simulated_fabric.h"
#include "ibsim_harness/simulating_tool.h"
#include "ibsim_harness/surroundings.h"
#include "ibsim_harness/trial_clock.h"
#include "tools/compare_engines/application_times.h"
#include "tools/compare_engines/lid_advice.h"
#include "tools/compare_engines/options.h"
#include "tools/compare_engines/picture.h"
#include "tools/compare_engines/recommendation.h"
#include "tools/compare_engines/reports.h"
#include "tools/compare_engines/trial.h"
#include "tools/kit/progress_line.h"
#include "tools/trial/evaluation.h"
#include "tools/trial/trial_folder.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// Reports missing programs before the first trial.
void check_needs(const CompareOptions& options, const Surroundings& surroundings) {
  require_readable_topology(options.topology);
  std::vector<Need> needs = needs_of_trials(options.engines, true);
  needs.push_back({"bin/eval_lft", "", "required"});
  if (!options.applications.empty()) {
    needs.push_back({"bin/simulate_application", "", "needed only for --application"});
  }
  if (!options.plot.empty()) needs.push_back({"gnuplot", "gnuplot-nox", "needed only for --plot"});
  surroundings.require(needs);
}

/// The LMC in lines for opensm.conf: the last one counts, as in opensm. None if there is no valid
/// one.
std::optional<unsigned> lmc_of_configuration(std::string_view text, const std::string& name) {
  std::optional<unsigned> lmc;
  TextLines lines(text, name);
  while (lines.next()) {
    std::string_view line = without_indent(lines.line());
    if (take_word(line) != "lmc") continue;
    line = without_indent(line);
    const auto number = take_c_number(line);
    if (number && *number <= max_lmc) lmc = static_cast<unsigned>(*number);
  }
  return lmc;
}

/// The LMCs to compare; a single none: the topology's.
std::vector<std::optional<unsigned>> lmcs_to_compare(const CompareOptions& options) {
  std::vector<std::optional<unsigned>> lmcs(options.lmcs.begin(), options.lmcs.end());
  std::optional<unsigned> configured;
  if (!options.configuration.empty()) {
    configured = lmc_of_configuration(read_file(options.configuration), options.configuration);
  }
  if (lmcs.empty()) return {configured};
  if (configured && lmcs != std::vector{configured}) {
    throw Error(ErrorKind::usage, fmt::format("{} sets lmc {}, which would replace the value of "
                                              "--lmc: remove the line, or omit --lmc",
                                              excerpt(options.configuration), *configured));
  }
  return lmcs;
}

class CompareRun {
 public:
  CompareRun(const CompareOptions& options, const Surroundings& surroundings)
      : options_(options),
        surroundings_(surroundings),
        folder_(options.out, "compare_engines"),
        clock_(options.engines.size() * std::max<std::size_t>(options.lmcs.size(), 1)) {
    require_apart(folder_.path(), options.topology);
    require_apart(folder_.path(), options.configuration);
    comparison_.topology = options.topology;
    comparison_.directory = folder_.path().string();
    comparison_.lanes = options.lanes;
    comparison_.timeout = options.timeout;
    for (const std::string& each : options.applications) {
      comparison_.applications.push_back(printable(each));
    }
  }

  int run() {
    for (const char* name : {"report.txt", "report.json", "comparison.json"})
      fs::remove(folder_.path() / name);
    find_hints_and_topologies();
    const ApplicationTrials applications(options_, surroundings_, signals_);
    applications.require_playable(trials_.front().playable.file, folder_.path());
    try_all();
    // Most traffic uses base LIDs, independent of the LMC, so one recommendation suffices.
    Trials& first = trials_.front();
    compare(first);
    comparison_.recommendation = recommend(first.results, options_.lanes);
    replay(applications);
    comparison_.application_advice =
        application_advice(first.results, comparison_.recommendation.engine, options_.lanes);
    gather();
    comparison_.lid_advice =
        advise_on_lids(comparison_.results, comparison_.recommendation.engine, options_.lanes);
    answer();
    const bool any_routed =
        std::any_of(comparison_.results.begin(), comparison_.results.end(),
                    [](const EngineResult& each) { return each.score.has_value(); });
    return any_routed ? status_ : static_cast<int>(ErrorKind::unsuitable_topology);
  }

 private:
  /// All engines with the same number of LIDs.
  struct Trials {
    unsigned lmc;
    fs::path folder;
    PlayableTopology playable;
    std::vector<EngineResult> results;
    std::string first_routed;  ///< the engine whose LIDs `topology()` has; empty: none yet

    fs::path topology() const { return folder / "topology.net"; }
  };

  /// One folder per LMC if there are several.
  void find_hints_and_topologies() {
    const std::vector<std::optional<unsigned>> lmcs = lmcs_to_compare(options_);
    comparison_.lmcs.clear();
    for (const std::optional<unsigned>& lmc : lmcs) {
      const fs::path folder =
          lmcs.size() == 1 ? folder_.path() : folder_.path() / fmt::format("lmc-{}", *lmc);
      fs::create_directories(folder);
      PlayableTopology playable = make_playable(options_.topology, folder / "ibsim.net",
                                                surroundings_.variable("SIM_HOST"), lmc);
      comparison_.lmcs.push_back(playable.lmc);
      trials_.push_back({playable.lmc, folder, std::move(playable), {}, {}});
    }
    const PlayableTopology& any = trials_.front().playable;
    comparison_.notes = any.notes;
    hints_ = find_hints(surroundings_, signals_, any.file, folder_.path());
  }

  void try_all() {
    signals_.on_tick([this] { line_.show(clock_.text()); });
    for (Trials& trials : trials_) {
      for (const EngineSpec& engine : options_.engines) {
        clock_.begin(trials_.size() == 1 ? engine.text
                                         : fmt::format("{}, lmc {}", engine.text, trials.lmc));
        trials.results.push_back(try_engine(engine, trials.lmc, options_, hints_,
                                            engine_directory(trials.folder, engine), surroundings_,
                                            signals_));
        take_lids(trials);
      }
    }
    signals_.on_tick({});
    line_.show({});
  }

  /// Tables are compared on one topology: that of the first engine that routed. Another engine's
  /// LIDs can differ because of its options.
  void take_lids(Trials& trials) {
    EngineResult& result = trials.results.back();
    if (!result.score) return;
    if (!result.note.empty() && std::ranges::count(comparison_.notes, result.note) == 0)
      comparison_.notes.push_back(result.note);
    const std::string own = read_file(fs::path(result.directory) / "topology.net");
    if (trials.first_routed.empty()) {
      trials.first_routed = result.engine;
      // An option of the engine may set another LMC than the topology's.
      if (options_.lmcs.empty()) comparison_.lmcs = {trials.lmc = result.lmc};
      write_file(trials.topology(), own);
      return;
    }
    const std::string first = read_file(trials.topology());
    if (own == first) return;
    const auto different = std::ranges::mismatch(own, first).in1;
    const auto line_at = [](const std::string& text, std::size_t at) {
      const std::size_t begin = text.rfind('\n', at) + 1;
      return excerpt(text.substr(begin, text.find('\n', at) - begin));
    };
    const auto at = static_cast<std::size_t>(different - own.begin());
    result.score.reset();
    result.state = "failed";
    result.reasons = {
        fmt::format("opensm assigned other LIDs than with {}, so the tables cannot be compared: "
                    "'{}' instead of '{}'; use the same LMC for all engines (--lmc)",
                    trials.first_routed, line_at(own, at), line_at(first, at))};
    write_file(fs::path(result.directory) / "result.json", result_json(result));
  }

  /// Engine by engine.
  void gather() {
    for (std::size_t i = 0; i < options_.engines.size(); ++i) {
      for (const Trials& each : trials_) comparison_.results.push_back(each.results[i]);
    }
  }

  /// Compares the bandwidths with the same bisections.
  void compare(Trials& trials) {
    std::vector<EngineResult>& results = trials.results;
    const std::vector<std::size_t> order = candidates(results, options_.lanes);
    if (order.size() < 2) return;
    std::vector<std::string> arguments = bisection_arguments(options_.patterns, options_.seed);
    arguments.insert(arguments.end(), {"--json", "--no-credit-loops", "--lids", "base"});
    const auto tables = [&](std::size_t i) { return results[order[i]].directory + "/routing.lft"; };
    for (std::size_t i = 1; i < order.size(); ++i)
      arguments.insert(arguments.end(), {"--compare", tables(i)});
    const fs::path file = folder_.path() / "comparison.json";
    const EvaluatorRun run = run_evaluator(std::move(arguments), tables(0), trials.topology(), file,
                                           surroundings_, signals_);
    if (run.status != 0) {
      fs::remove(file);
      comparison_.warning = fmt::format(
          "The differences in bandwidth were not tested for significance: pssp eval ended with "
          "status {}{}{}",
          run.status, run.said.empty() ? "" : ": ", run.said.substr(0, run.said.find('\n')));
      status_ = run.status;
      return;
    }
    const std::vector<std::optional<TableDifference>> differences = differences_of(run.report);
    for (std::size_t i = 0; i < order.size() && i < differences.size(); ++i)
      results[order[i]].difference = differences[i];
  }

  void replay(const ApplicationTrials& applications) {
    for (Trials& trials : trials_) {
      const std::string reason =
          applications.replay(trials.results, trials.topology(), folder_.path());
      if (reason.empty()) continue;
      comparison_.warning += (comparison_.warning.empty() ? "" : "\n") + reason;
    }
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
    const std::string script = picture_script(comparison_, picture_format(options_.plot));
    write_file(folder_.path() / "plot.gnuplot", script);
    write_file(options_.plot, drawn_by_gnuplot(script));
  }

  const CompareOptions& options_;
  const Surroundings& surroundings_;
  SignalQueue signals_;
  ResultFolder folder_;
  EngineHints hints_;
  std::vector<Trials> trials_;  // by LMC, ascending
  TrialClock clock_;
  TerminalLine line_;
  EngineComparison comparison_;
  int status_ = 0;
};

/// Tries all engines, compares them, and writes all requested outputs. Returns the exit code.
int compare_engines(const CompareOptions& options, const Surroundings& surroundings) {
  check_needs(options, surroundings);
  return CompareRun(options, surroundings).run();
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_simulating_tool("compare_engines", argc, argv, parse_compare_options, compare_engines);
}
