// plan_pairs: who measures with whom, so that each rate says something
// (docs/reference/plan-pairs.md).
//
// The plan is written to the requested output, and the links that no flow can test to standard
// error, so that scripts can read the former.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "base/text_table.h"
#include "base/version.h"
#include "operations/diagnosis/rehearsal.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "tools/plan_pairs/options.h"

namespace pssp {
namespace {

using PlanJson = nlohmann::ordered_json;

struct Planned {
  std::vector<MeasuredUnit> units;
  RoundPlan plan;
};

RoundPlanOptions plan_options(const PairPlanOptions& options) {
  return {.rounds = options.rounds, .shape = options.shape, .seed = options.seed};
}

std::vector<std::uint32_t> nodes_to_measure(const PairPlanOptions& options,
                                            const MeasuredFabric& fabric, const Report& report) {
  std::vector<std::uint32_t> chosen = fabric.chosen;
  const bool is_by_name = options.format.format != PlanFormat::plain;
  if (is_by_name) {
    HostNameCheck check;
    std::erase_if(chosen, [&](std::uint32_t n) {
      const NodeRails::Node& node = fabric.nodes->nodes()[n];
      return !check.accepts(node, node.name, !options.fabric.nodes.empty());
    });
    report.warn(check.warnings());
  }
  if (chosen.size() < 2) {
    throw Error(
        ErrorKind::usage,
        "fewer than two nodes to measure; check --nodes (selection), --node-names (definition "
        "of a node) and --node-name-map (names)");
  }
  return chosen;
}

void report_coverage(const Report& report, const Planned& planned) {
  const PlanCoverage& coverage = planned.plan.coverage;
  std::uint64_t pairs = 0;
  for (const auto& round : planned.plan.rounds) pairs += round.size();
  report.print_line(fmt::format("{} rounds, {} pairs of {}", planned.plan.rounds.size(), pairs,
                                planned.units.size()));
  report.print_line(fmt::format(
      "of {} channels, {} carry no flow, {} have the same flows as another channel, and {} are "
      "not covered",
      coverage.channels, coverage.without_flow, coverage.inseparable, coverage.uncovered));
}

PlanJson to_json(const MeasuredFabric& fabric, const Planned& planned) {
  PlanJson json;
  const auto name = [&](std::uint32_t u) {
    const MeasuredUnit& unit = planned.units[u];
    return unit.ports.size() == 1 ? fabric.nodes->label(unit.ports[0].rank)
                                  : fabric.nodes->nodes()[unit.node].name;
  };
  json["rounds"] = PlanJson::array();
  for (std::size_t round = 0; round < planned.plan.rounds.size(); ++round) {
    PlanJson pairs = PlanJson::array();
    for (const UnitPair pair : planned.plan.rounds[round]) {
      pairs.push_back(PlanJson::array({name(pair.from), name(pair.to)}));
    }
    json["rounds"].push_back(
        {{"pairs", std::move(pairs)}, {"left_out", planned.plan.left_out[round]}});
  }
  const PlanCoverage& coverage = planned.plan.coverage;
  json["channels"] = {{"all", coverage.channels},
                      {"without_flow", coverage.without_flow},
                      {"inseparable", coverage.inseparable},
                      {"uncovered", coverage.uncovered}};
  json["version"] = version();
  return json;
}

SimulatedFault simulated_fault(const MeasuredFabric& fabric, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto speed = equals == std::string::npos
                         ? std::nullopt
                         : decimal_fraction(std::string_view(text).substr(equals + 1));
  if (!speed || *speed <= 0 || *speed > 1) {
    throw Error(ErrorKind::usage, "--simulate '" + excerpt(text) +
                                      "': expected WHAT=SPEED with a speed above 0, up to 1");
  }
  return {fabric.nodes->find_object(*fabric.alternatives, std::string_view(text).substr(0, equals)),
          *speed};
}

/// The plain plan with a rate after each line of a pair.
std::string with_rates(const std::string& plan, const std::vector<RateMeasurement>& measurements) {
  std::string text;
  TextLines lines(plan, "plan");
  std::size_t next = 0;
  while (lines.next()) {
    if (!lines.line().starts_with('#')) {
      const std::string_view words = trimmed(lines.line().substr(0, lines.line().find('#')));
      text += fmt::format("{} {:.3f}\n", words, measurements[next++].rate);
    }
  }
  return text;
}

std::string simulate(const PairPlanOptions& options, const MeasuredFabric& fabric,
                     const Planned& planned, const std::string& plan) {
  std::vector<SimulatedFault> faults;
  for (const std::string& each : options.simulate) {
    if (each != "none") faults.push_back(simulated_fault(fabric, each));
  }
  std::vector<RateMeasurement> measurements =
      measurements_of(planned.units, planned.plan, options.shape);
  RateSimulationOptions replay_options;
  replay_options.seed = options.seed;
  simulate_rates(*fabric.alternatives, fabric.nodes->ranks(), faults, replay_options, measurements);
  return with_rates(plan, measurements);
}

struct RehearsalRow {
  const char* what;
  const char* option;  ///< name in --slow
  SuspectObject::Kind kind;
  bool of_adapters;
  std::uint32_t faults;
};

constexpr RehearsalRow rehearsal_rows[] = {
    {"a cable", "cable", SuspectObject::Kind::cable, false, 1},
    {"one direction", "direction", SuspectObject::Kind::direction, false, 1},
    {"an adapter", "adapter", SuspectObject::Kind::cable, true, 1},
    {"a node", "node", SuspectObject::Kind::node, false, 1},
    {"five cables", "cables", SuspectObject::Kind::cable, false, 5},
    {"nothing", "nothing", SuspectObject::Kind::cable, false, 0},
};

RoundChoice round_choice(const PairPlanOptions& options) {
  if (options.rivals == "random") return RoundChoice::random;
  return options.rivals == "shifts" ? RoundChoice::shifts : RoundChoice::planned;
}

std::vector<RehearsalRow> rows_wanted(const PairPlanOptions& options) {
  std::vector<RehearsalRow> rows(std::begin(rehearsal_rows), std::end(rehearsal_rows));
  if (!options.slow.empty()) {
    std::erase_if(rows, [&](const RehearsalRow& row) {
      return std::ranges::find(options.slow, row.option) == options.slow.end();
    });
  }
  return rows;
}

std::string rehearsal_text(const PairPlanOptions& options, const MeasuredFabric& fabric,
                           const std::vector<MeasuredUnit>& units) {
  std::vector<TableRow> lines{
      {"slow", "next", "alone", "in group", "missed", "wrong", "false alarms"}};
  PlanJson rows = PlanJson::array();
  const std::vector<RehearsalRow> wanted = rows_wanted(options);
  ProgressLine progress("simulated faults");
  const Rehearsal rehearsal(*fabric.alternatives, units, fabric.nodes->ranks(),
                            plan_options(options), round_choice(options));
  std::uint64_t rows_done = 0;
  const auto advance = [&](std::uint64_t done, std::uint64_t all) {
    progress.update(rows_done * all + done, 2 * wanted.size() * all);
  };
  for (const bool with_next : {false, true}) {
    for (const RehearsalRow& row : wanted) {
      RehearsalOptions simulated;
      simulated.kind = row.kind;
      simulated.of_adapters = row.of_adapters;
      simulated.trials = *options.rehearse;
      simulated.faults = row.faults;
      simulated.with_next = with_next;
      simulated.simulation.seed = options.seed;
      const RehearsalResult result = rehearsal.run(simulated, advance);
      ++rows_done;
      const bool is_empty = result.simulated == 0 && row.faults != 0;
      if (is_empty) continue;
      const auto part = [&](std::uint32_t count) {
        return result.simulated == 0
                   ? std::string("-")
                   : fmt::format("{:.2f}", static_cast<double>(count) / result.simulated);
      };
      lines.push_back({row.what, with_next ? "yes" : "no", part(result.alone),
                       part(result.in_group), part(result.missed), fmt::to_string(result.wrong),
                       fmt::to_string(result.alarms)});
      rows.push_back({{"slow", row.what},
                      {"next", with_next},
                      {"trials", *options.rehearse},
                      {"simulated", result.simulated},
                      {"alone", result.alone},
                      {"in_group", result.in_group},
                      {"inseparable", result.inseparable},
                      {"missed", result.missed},
                      {"wrong", result.wrong},
                      {"false_alarms", result.alarms}});
    }
  }
  return options.json ? dump_json(PlanJson{{"rehearsal", rows}, {"version", version()}})
                      : text_table(lines, {.flush_left = {true, true}});
}

void write_folder(const std::string& folder, const std::vector<PlanText>& texts) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::output, "cannot create the folder " + folder + ": " + error.message());
  }
  std::vector<OutputFile> files;
  files.reserve(texts.size());
  for (const PlanText& each : texts) {
    files.push_back({std::filesystem::path(folder) / each.name,
                     [&each](const ContentSink& sink) { sink(each.content); }});
  }
  write_files(files);
}

/// Returns the exit code. Throws Error.
int plan_pairs(const PairPlanOptions& options) {
  const Report report("plan_pairs");
  const auto fabric = read_measured_fabric(options.files, options.fabric);
  report.warn(fabric->warnings);
  const std::vector<std::uint32_t> chosen = nodes_to_measure(options, *fabric, report);
  Planned planned{fabric->nodes->units(chosen, options.together), {}};
  if (options.rehearse) {
    write_file(options.output, rehearsal_text(options, *fabric, planned.units));
    return 0;
  }
  planned.plan = plan_rounds(*fabric->alternatives, planned.units, plan_options(options));
  if (options.json) {
    write_file(options.output, dump_json(to_json(*fabric, planned)));
  } else {
    const std::vector<PlanText> texts =
        write_plan(*fabric->nodes, planned.units, planned.plan, options.format);
    if (options.is_folder()) {
      write_folder(options.output, texts);
    } else {
      write_file(options.output, options.is_simulated
                                     ? simulate(options, *fabric, planned, texts.front().content)
                                     : texts.front().content);
    }
  }
  report_coverage(report, planned);
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("plan_pairs", argc, argv, parse_pair_plan_options, plan_pairs);
}
