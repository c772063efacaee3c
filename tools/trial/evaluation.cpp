#include "tools/trial/evaluation.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "ibsim_harness/engine_spec.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(std::string_view report) {
  Json json = Json::parse(report, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    throw Error(ErrorKind::internal, "pssp eval wrote no report");
  return json;
}

std::optional<double> number(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::optional<Interval> interval(const Json& json) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number()) return std::nullopt;
  return Interval{json[0].get<double>(), json[1].get<double>()};
}

/// None without a bandwidth, and therefore without a score.
std::optional<StructuredFigures> structured_of(const Json& report) {
  if (!report.contains("structured_suite") || !report["structured_suite"].at("score").is_number())
    return std::nullopt;
  const Json& structured_suite = report["structured_suite"];
  StructuredFigures figures;
  figures.slowdown = structured_suite.at("S").get<double>();
  figures.score = structured_suite.at("score").get<double>();
  for (const Json& pattern : structured_suite.at("patterns")) {
    figures.patterns.push_back(
        {pattern.at("name").get<std::string>(), pattern.at("time").get<double>()});
  }
  return figures;
}

}  // namespace

EvaluatorRun run_evaluator(std::vector<std::string> arguments, const std::filesystem::path& tables,
                           const std::filesystem::path& topology, const std::filesystem::path& file,
                           const Surroundings& surroundings, const SignalQueue& signals) {
  arguments.insert(arguments.end(), {tables.string(), topology.string()});
  Command command;
  command.program = surroundings.built("bin/eval_lft");
  command.arguments = std::move(arguments);
  command.environment = surroundings.environment;
  command.output = file;
  command.errors = file.string() + ".err";
  EvaluatorRun run;
  run.status = run_to_end(command, signals).value().status;
  run.report = read_file(command.output);
  run.said = read_file(command.errors);
  std::filesystem::remove(command.errors);
  if (run.report.empty()) std::filesystem::remove(file);
  return run;
}

std::vector<std::string> bisection_arguments(const std::optional<std::uint64_t>& patterns,
                                             const std::optional<std::uint64_t>& seed) {
  std::vector<std::string> arguments;
  if (patterns) arguments.insert(arguments.end(), {"--patterns", std::to_string(*patterns)});
  if (seed) arguments.insert(arguments.end(), {"--seed", std::to_string(*seed)});
  return arguments;
}

std::vector<std::string> lane_arguments(const std::string& used_engine) {
  if (assigns_lanes(used_engine)) return {};
  return {"--count-lanes"};
}

TableScore score_of(std::string_view report) {
  const Json json = parsed(report);
  TableScore score;
  score.hosts = json.at("hosts").get<std::uint64_t>();
  score.end_ports = json.at("end_ports").get<std::uint64_t>();
  score.end_ports_without_lid = json.value("end_ports_without_lid", std::uint64_t{0});
  score.switches = json.at("switches").get<std::uint64_t>();
  score.lids = json.at("lids").get<std::uint64_t>();
  const Json& bandwidth = json.at("ebb");
  score.bandwidth = number(bandwidth.at("mean"));
  score.standard_error = number(bandwidth.at("stderr"));
  score.interval = interval(bandwidth.at("interval_95"));
  score.patterns = bandwidth.at("patterns").get<std::uint64_t>();
  score.seed = bandwidth.at("seed").get<std::uint64_t>();
  score.structured = structured_of(json);
  score.index = number(json.at("edge_forwarding_index").at("max"));
  score.index_bound = number(json.at("edge_forwarding_index").at("bound"));
  score.hops_mean = number(json.at("hops").at("mean"));
  score.hops_max = number(json.at("hops").at("max"));
  score.usable = json.at("usable").get<bool>();
  score.unreachable_pairs = json.at("unreachable_pairs").get<std::uint64_t>();
  score.separated_pairs = json.at("separated_pairs").get<std::uint64_t>();
  score.unreachable_switch_pairs = json.at("unreachable_switch_pairs").get<std::uint64_t>();
  score.forwarding_loops = json.at("forwarding_loops").get<std::uint64_t>();
  score.dead_port_entries = json.at("dead_port_entries").get<std::uint64_t>();
  if (const Json& examples = json.at("examples"); !examples.empty()) {
    score.defect = examples.front().get<std::string>();
  }
  if (json.at("credit_loop").is_boolean()) score.credit_loop = json["credit_loop"].get<bool>();
  if (json.at("lanes").is_number()) score.lanes = json["lanes"].get<unsigned>();
  return score;
}

StripedFigures striped_of(std::string_view report) {
  const Json json = parsed(report);
  StripedFigures figures;
  figures.lids = json.value("lids_scored", 1U);
  figures.bandwidth = number(json.at("ebb").at("mean"));
  figures.standard_error = number(json.at("ebb").at("stderr"));
  if (const std::optional<StructuredFigures> structured = structured_of(json)) {
    figures.slowdown = structured->slowdown;
    figures.score = structured->score;
  }
  return figures;
}

std::string trial_report(std::string_view report, const std::string& engine,
                         const RoutingOutcome& outcome, const std::string& topology,
                         const std::filesystem::path& tables) {
  const Json evaluation = parsed(report);
  Json json{{"engine", engine},
            {"engine_used", outcome.used_engine},
            {"topology", topology},
            {"lft", tables.string()},
            {"routing_ms", outcome.routing_ms},
            {"peak_memory_kib", outcome.peak_memory_kib}};
  json.update(evaluation);
  if (outcome.lanes) json["lanes"] = *outcome.lanes;
  return dump_json(json);
}

std::vector<std::optional<TableDifference>> differences_of(std::string_view report) {
  const Json json = parsed(report);
  std::vector<std::optional<TableDifference>> differences;
  for (const Json& table : json.at("tables")) {
    const Json& difference = table.at("difference");
    if (difference.is_object()) {
      TableDifference& against = differences.emplace_back().emplace();
      against = {difference.at("mean").get<double>(), difference.at("adjusted_p").get<double>(),
                 difference.dump()};
    } else {
      differences.emplace_back();
    }
  }
  return differences;
}

}  // namespace pssp
