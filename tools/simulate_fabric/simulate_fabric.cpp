// simulate_fabric: what happens with these tables, this traffic, these parameters of congestion
// control (docs/reference/simulate.md).

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/fabric_map.h"
#include "tools/kit/report.h"
#include "tools/launch/parallel_tool.h"
#include "tools/simulate_fabric/options.h"
#include "tools/simulate_fabric/outputs.h"
#include "tools/simulate_fabric/report.h"

namespace pssp {
namespace {

constexpr Report report_line("simulate_fabric");

std::vector<OutputFile> outputs_of(const SimulateReport& report) {
  const SimulateOptions& options = report.options;
  std::vector<OutputFile> files;
  const auto add = [&](const std::string& path, std::string text) {
    files.push_back({path, [text = std::move(text)](const ContentSink& sink) { sink(text); }});
  };
  add(options.output, options.json ? to_json(report) : to_text(report));
  // An interrupted simulation has a report, but no outputs that could be taken as complete.
  if (report.simulation.interrupted) return files;
  if (!options.csv.empty()) add(options.csv, runs_csv(report));
  if (!options.series.empty()) files.push_back({options.series, series_csv(report)});
  const auto draw = [&](const std::string& path, auto script) {
    if (path.empty()) return;
    add(path, drawn_by_gnuplot(script(report, picture_format(path))));
  };
  draw(options.plot, throughput_script);
  draw(options.heat, heat_script);
  if (!options.map.empty()) add(options.map, congestion_map(report, options.map));
  return files;
}

/// Reports errors in files and options.
SimulationInput checked_input(const SimulateOptions& options) {
  for (const std::string* picture : {&options.plot, &options.heat}) {
    if (!picture->empty()) static_cast<void>(picture_format(*picture));
  }
  if (!options.map.empty()) require_map_format(options.map);
  SimulationInput input = read_simulation_input(options);
  if (!options.heat.empty() && varied_parameters(options, input).size() != 2) {
    throw Error(ErrorKind::usage, "--heat needs two varied parameters: --cc-vary twice");
  }
  add_warnings(options, input);
  return input;
}

/// Runs the simulations, a share in each process; the first one writes the results. Returns the
/// exit code; throws Error and FailedElsewhere.
int simulate_fabric(const SimulateOptions& options, Processes& processes) {
  SimulationInput input = processes.together([&] { return checked_input(options); });
  if (processes.is_first()) {
    for (const SimulatedTables& each : input.tables) report_line.warn(each.warnings);
  }
  const Simulation simulation = run_simulation(options, std::move(input), processes);
  if (!processes.is_first()) return 0;
  SimulateReport report{options, simulation};
  report.comparisons = compare_variants(simulation);
  const bool has_reference = options.check || simulation.input.scenario != nullptr;
  if (has_reference && !simulation.interrupted) report.checked = check_simulation(simulation);
  write_files(outputs_of(report));
  const int code = exit_code_of(simulation);
  if (code != 0 || !options.check) return code;
  if (report.checked.empty()) {
    throw Error(ErrorKind::usage,
                "--check: no expected values for these runs; expected a traffic file with `expect` "
                "or a scenario with published figures");
  }
  const bool passes = std::ranges::all_of(report.checked, &CheckedFigure::passes);
  return passes ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_parallel_tool("simulate_fabric", argc, argv, parse_simulate_options, simulate_fabric);
}
