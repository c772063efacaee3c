// bench_opensm: how long the stock opensm takes to configure a subnet, phase by phase, with each
// engine (docs/reference/bench-opensm.md).
//
// Engines are measured round-robin, so that a slow minute of the machine does not affect only one.
// An engine that does not route a fabric is not tried there again.

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "evaluator/pictures/drawing_programs.h"
#include "ibsim_harness/result_folder.h"
#include "ibsim_harness/simulated_fabric.h"
#include "ibsim_harness/simulating_tool.h"
#include "ibsim_harness/surroundings.h"
#include "ibsim_harness/topology_survey.h"
#include "ibsim_harness/trial_clock.h"
#include "tools/bench_opensm/bars.h"
#include "tools/bench_opensm/life.h"
#include "tools/bench_opensm/options.h"
#include "tools/bench_opensm/reports.h"
#include "tools/bench_opensm/thin_hosts.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// Two fabrics with equal numbers of hosts and switches: all hosts on one switch, and one on each
/// of eight.
constexpr const char* placement_fabric = "xgft 8,8 1,4";
struct Placement {
  unsigned hosts, switches;
};
constexpr std::array placements{Placement{8, 1}, Placement{1, 8}};

std::string plot_name(std::string text) {
  for (char& c : text) {
    if (!isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("_.=-").find(c) == std::string_view::npos)
      c = '_';
  }
  return text;
}

class BenchRun {
 public:
  BenchRun(const BenchOptions& options, const Surroundings& surroundings)
      : options_(options),
        surroundings_(surroundings),
        folder_(options.out, "bench_opensm"),
        out_(folder_.path()),
        clock_((options.sizes.size() + placements.size()) * options.engines.size() *
               options.iterations) {}

  int run() {
    for (const char* name : {"trials", "fabrics", "plots", "report.txt", "report.json"})
      fs::remove_all(out_ / name);
    fs::create_directories(out_ / "fabrics");
    fs::create_directories(out_ / "plots");
    make_fabrics();
    measure_all();
    write_file(out_ / "sweeps.tsv", sweeps_tsv(measured_));
    write_file(out_ / "hops.tsv", hops_tsv(measured_));
    write_file(out_ / "refusals.tsv", refusals_tsv(measured_));
    if (measured_.sweeps.empty()) {
      throw Error(ErrorKind::unsuitable_topology,
                  "no engine routes any of the fabrics:\n" + refusals_tsv(measured_));
    }
    answer();
    draw_plots();
    return 0;
  }

 private:
  // ---- fabrics ----

  /// The text of a file, or the output of make_topo for the words.
  std::string fabric_text(const std::string& size) {
    std::error_code ignored;
    if (fs::is_regular_file(size, ignored)) return read_file(size);
    Command command;
    command.program = surroundings_.built("bin/make_topo");
    std::string_view rest = size;
    while (!(rest = without_indent(rest)).empty()) command.arguments.emplace_back(take_word(rest));
    command.environment = surroundings_.environment;
    command.output = out_ / "make_topo.out";
    command.errors = out_ / "make_topo.err";
    const Ending ending = run_to_end(command, signals_).value();
    std::string text = read_file(command.output);
    const std::string said = read_file(command.errors);
    fs::remove(command.output);
    fs::remove(command.errors);
    if (ending.status == 0) return text;
    constexpr std::string_view prefix = "make_topo: ";
    throw Error(static_cast<ErrorKind>(ending.status),
                fmt::format("--sizes '{}': not a file, and pssp make-topo refuses it: {}", size,
                            said.starts_with(prefix) ? said.substr(prefix.size()) : said));
  }

  void add_fabric(const std::string& series, const std::string& name, const std::string& file,
                  const std::string& text) {
    const TopologySurvey survey = survey_topology(text);
    const fs::path path = out_ / "fabrics" / file;
    write_file(path, text);
    fabrics_.push_back({series, name, path.string(), survey.adapters, survey.switches});
    const fs::path hints = out_ / "fabrics" / fmt::format("hints{}", fabrics_.size() - 1);
    fs::create_directories(hints);
    hints_.push_back(find_hints(surroundings_, signals_, path, hints));
  }

  void make_fabrics() {
    for (std::size_t i = 0; i < options_.sizes.size(); ++i) {
      add_fabric("sizes", options_.sizes[i], fmt::format("{}.net", i),
                 fabric_text(options_.sizes[i]));
    }
    const std::string full = fabric_text(placement_fabric);
    for (const Placement& each : placements) {
      add_fabric("placement", fmt::format("{} on each of {}", each.hosts, each.switches),
                 fmt::format("{}x{}.net", each.hosts, each.switches),
                 thin_hosts(full, each.hosts, each.switches));
    }
  }

  // ---- measuring ----

  void measure_all() {
    signals_.on_tick([this] { line_.show(clock_.text()); });
    for (unsigned iteration = 1; iteration <= options_.iterations; ++iteration) {
      for (std::size_t fabric = 0; fabric < fabrics_.size(); ++fabric) {
        for (const EngineSpec& engine : options_.engines) {
          clock_.begin(engine.text + " on " + fabrics_[fabric].name);
          if (!refused_.contains({fabric, engine.text})) measure(fabric, engine, iteration);
        }
      }
    }
    signals_.on_tick({});
    line_.show({});
  }

  void measure(std::size_t number, const EngineSpec& engine, unsigned iteration) {
    const BenchFabric& fabric = fabrics_[number];
    const fs::path directory = engine_directory(out_ / "trials" / std::to_string(number), engine) /
                               std::to_string(iteration);
    fs::create_directories(directory);
    const TrialOptions configured = options_for_trial(engine, hints_[number], options_.lanes);
    Life life;
    life.refusal = configured.refusal;
    if (life.refusal.empty()) {
      LifePlan plan;
      plan.start_only = fabric.series != "sizes";
      plan.with_hops = fabric.series == "sizes" && iteration == 1;
      plan.timeout = options_.timeout;
      life = live_once(engine, configured, fabric.file, plan, directory, surroundings_, signals_);
    }
    if (!life.refusal.empty()) {
      // Reported once per fabric and engine, which is then skipped.
      refused_.insert({number, engine.text});
      measured_.refusals.push_back({fabric.name, engine.text, life.refusal});
      return;
    }
    for (const auto& [event, sweep] : life.sweeps) {
      measured_.sweeps.push_back({fabric.series, fabric.name, fabric.hosts, fabric.switches,
                                  engine.text, iteration, event, sweep});
    }
    for (HopRecord record : life.hops) {
      record.size = fabric.name;
      record.engine = engine.text;
      measured_.hops.push_back(record);
    }
  }

  // ---- results ----

  void answer() {
    const std::string json = bench_json(measured_);
    const std::string text =
        bench_text(measured_, options_.iterations) +
        "Plots, times of single sweeps (sweeps.tsv) and logs: " + out_.string() + "\n";
    write_file(out_ / "report.json", json);
    if (options_.json != "-") {
      write_file(out_ / "report.txt", text);
      write_file("-", text);
    }
    if (!options_.json.empty()) write_file(options_.json, json);
  }

  void plot(const std::string& name, const std::string& subject, const Bars& bars,
            const std::string& unit = "ms", bool logarithmic = false) {
    if (bars.groups.empty()) return;
    const fs::path folder = out_ / "plots";
    write_file(folder / (name + ".tsv"), bars_data(bars));
    write_file(folder / (name + "." + options_.format),
               drawn_by_gnuplot(bars_script(bars, subject, unit, logarithmic, options_.format)));
  }

  void draw_plots() {
    const Benchmark &total = benchmark("Subnet_Total_Time"),
                    &routing = benchmark("Subnet_Routing_Time"),
                    &again = benchmark("Subnet_Reconfigure_Time");
    const std::vector<BenchResult> totals = results_of(total, measured_.sweeps, "sizes"),
                                   routings = results_of(routing, measured_.sweeps, "sizes");
    for (const EngineSpec& engine : options_.engines) {
      plot(plot_name("phases-" + engine.text), "opensm with " + engine.text + ": phases",
           phase_bars(totals, engine.text));
    }
    plot("routing", "Routing phase of opensm", engine_bars(routings, routing, "total"), "ms", true);
    plot("route_calculation", "Route calculation",
         engine_bars(routings, routing, "route calculation"), "ms", true);
    plot("total", "Time until the subnet is up", engine_bars(totals, total, "total"));
    plot("hosts_per_switch", "Eight hosts on one switch or on eight: time until the subnet is up",
         placement_bars(results_of(total, measured_.sweeps, "placement")));
    plot("hops", "Hops between hosts", hop_bars(measured_.hops), "% of the pairs");
    std::vector<BenchResult> failures = results_of(again, measured_.sweeps, "sizes");
    std::erase_if(failures, [](const BenchResult& each) { return each.event != "failure"; });
    plot("reconfigure", "Reconfiguration after the failure of a link",
         engine_bars(failures, again, "total"));
  }

  const BenchOptions& options_;
  const Surroundings& surroundings_;
  SignalQueue signals_;
  ResultFolder folder_;
  fs::path out_;
  TrialClock clock_;
  TerminalLine line_;
  std::vector<BenchFabric> fabrics_;
  std::vector<EngineHints> hints_;
  std::set<std::pair<std::size_t, std::string>> refused_;
  Measurements measured_;
};

/// Measures all engines on all fabrics, and writes all outputs. Returns the exit code.
int bench_opensm(const BenchOptions& options, const Surroundings& surroundings) {
  std::vector<Need> needs = needs_of_trials(options.engines, true);
  for (const char* program : {"bin/make_topo", "bin/eval_lft"}) {
    needs.push_back({program, "", "required"});
  }
  needs.push_back({"gnuplot", "gnuplot-nox", "required"});
  surroundings.require(needs);
  return BenchRun(options, surroundings).run();
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_simulating_tool("bench_opensm", argc, argv, parse_bench_options, bench_opensm);
}
