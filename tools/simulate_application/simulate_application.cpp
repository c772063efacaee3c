// simulate_application: how long an application takes with forwarding tables
// (docs/reference/simulate-app.md).
//
// Reads the input, draws and writes the output of simulate_application; answer/ computes.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "applications/formats/goal_file.h"
#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/fabric_map.h"
#include "fabric/input/fabric_input.h"
#include "tools/kit/report.h"
#include "tools/launch/parallel_tool.h"
#include "tools/simulate_application/answer/answer.h"
#include "tools/simulate_application/options.h"
#include "tools/simulate_application/timeline.h"
#include "tools/simulation/congestion_set.h"
#include "tools/simulation/model_options.h"

namespace pssp {
namespace {

constexpr Report program("simulate_application");

std::vector<FabricInput> read_inputs(const ApplicationOptions& options, bool speaks) {
  if (options.question.network == "loggp") return {};
  if (options.files.empty()) {
    throw Error(ErrorKind::usage, "expected forwarding tables and a topology; see --help");
  }
  std::vector<FabricInput> inputs;
  inputs.push_back(read_fabric_input(
      std::vector<std::filesystem::path>(options.files.begin(), options.files.end())));
  if (speaks) program.warn(inputs.back().warnings);
  if (options.question.network == "flows" || options.question.network == "packets") {
    require_tables(inputs.back().tables.has_value(), options.files.front());
  }
  for (const std::string& other : options.compare) {
    const std::vector<std::filesystem::path> paths{other, options.files.back()};
    inputs.push_back(read_fabric_input(paths));
    require_tables(inputs.back().tables.has_value(), other);
  }
  return inputs;
}

/// Further rules for packets with the first tables; adds the model and the congestion set to
/// `question`.
LevelFiles read_packet_rules(const ApplicationOptions& options,
                             const std::vector<FabricInput>& inputs,
                             ApplicationQuestion& question) {
  if (question.network != "packets") return {};
  LevelFiles files = read_level_files(options.model_options, inputs.front().fabric);
  question.model = model_of(options.model_options, files);
  if (question.congestion_set != "off") question.congestion = set_for(question.congestion_set, {});
  return files;
}

/// The load of each link relative to its capacity until the end.
std::string drawn_loads(const std::string& file, const ReplayedTables& replayed,
                        const std::string& title) {
  const Fabric& fabric = *replayed.input.fabric;
  FabricPicture map;
  map.title = title;
  map.load_name = "% of the link capacity in that time";
  map.palette = Palette::share;
  const std::vector<double> capacities =
      MessagePaths(fabric, replayed.input.tables, {}).capacities();
  constexpr double percent = 100;
  for (std::size_t channel = 0; channel < fabric.channel_count(); ++channel) {
    const double most =
        capacities[channel] * static_cast<double>(std::max<ReplayTime>(replayed.time, 1));
    map.loads.push_back(percent * replayed.flows->link_bytes()[channel] / most);
  }
  return drawn_map(fabric, map, file);
}

/// Pictures show the first tables.
struct Pictures {
  std::string timeline, map;
};
void draw(const ApplicationOptions& options, const ReplayedTables& replayed, Pictures& pictures) {
  const std::string title = fmt::format("{}, {}", replayed.application, replayed.input.name);
  if (!options.timeline.empty()) {
    pictures.timeline =
        drawn_by_gnuplot(timeline_script(*replayed.schedule, replayed.record, replayed.path, title,
                                         picture_format(options.timeline)));
  }
  if (!options.map.empty()) pictures.map = drawn_loads(options.map, replayed, title);
}

void write_files(const ApplicationOptions& options, const ApplicationAnswer& found,
                 const Pictures& pictures) {
  if (!options.write_goal.empty()) {
    write_file(options.write_goal,
               [&](const ContentSink& sink) { write_goal_text(*found.schedule, sink); });
  }
  if (!options.timeline.empty()) write_file(options.timeline, pictures.timeline);
  if (!options.map.empty()) write_file(options.map, pictures.map);
  if (!options.per_rank.empty()) write_file(options.per_rank, per_rank_csv(found.report));
  if (!options.csv.empty()) write_file(options.csv, runs_csv(found.report));
  write_answer(
      options.output, options.json, [&] { return to_text(found.report); },
      [&] { return to_json(found.report); });
}

/// Simulates the application, as one of the processes, and writes the report. Returns the exit
/// code; throws Error, FailedElsewhere.
int simulate_application(const ApplicationOptions& options, Processes& processes) {
  const bool speaks = processes.is_first();
  const std::vector<FabricInput> inputs =
      processes.together([&] { return read_inputs(options, speaks); });
  ApplicationQuestion question = options.question;
  const LevelFiles levels =
      processes.together([&] { return read_packet_rules(options, inputs, question); });
  LaterInput later;
  if (!options.later.then.empty()) {
    processes.together([&] {
      const FabricInput& first = inputs.front();
      read_later_states(options.later, {first.fabric, *first.tables}, later);
      if (!speaks) return 0;
      for (const FabricInput& each : later.inputs) program.warn(each.warnings);
      return 0;
    });
    question.later = later.for_run();
  }
  std::vector<NamedTables> tables;
  for (const FabricInput& input : inputs) {
    const std::string& name =
        tables.empty() ? options.files.front() : options.compare[tables.size() - 1];
    tables.push_back({name, &input.fabric, input.tables ? &*input.tables : nullptr});
  }
  if (levels.levels) tables.front().levels = &*levels.levels;
  question.first_critical_path = !options.timeline.empty();
  question.keep_schedule = !options.write_goal.empty();
  Pictures pictures;
  AnswerListener listener;
  listener.warn = [&](const std::string& text) {
    if (speaks) program.warn(text);
  };
  listener.replayed = [&](const ReplayedTables& replayed) { draw(options, replayed, pictures); };
  const ApplicationAnswer found = answer(question, tables, listener, processes);
  return processes.together([&] {
    if (speaks) write_files(options, found, pictures);
    return 0;
  });
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_parallel_tool("simulate_application", argc, argv, parse_application_options,
                           simulate_application);
}
