// Times are in nanoseconds, rates in bytes per second, gains and shares relative to 1.

#include <fmt/format.h>

#include <utility>

#include "base/json_text.h"
#include "base/version.h"
#include "congestion/parameter_text.h"
#include "simulator/model_values.h"
#include "simulator/report/flow_ports.h"
#include "tools/tune_cc/report.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

Json mean_json(const MeanEstimate& estimate) {
  Json json;
  json["mean"] = estimate.mean;
  json["interval"] =
      estimate.values > 1 ? Json::array({estimate.lower_95, estimate.upper_95}) : Json();
  json["seeds"] = estimate.values;
  return json;
}

Json changes_json(const TuningCell& cell) {
  Json json = Json::object();
  for (const auto& [name, value] : cell.changes) json[name] = value;
  return json;
}

Json shortlisted_json(const Shortlisted& each, bool is_chosen) {
  Json json;
  json["name"] = each.cell.name;
  json["parameters"] = changes_json(each.cell);
  json["chosen"] = is_chosen;
  json["score"] = mean_json(each.score);
  json["gain"] = mean_json(each.gain);
  json["from_best"] = mean_json(each.from_best);
  json["equal_to_best"] = each.equal;
  json["refused"] = each.refused.empty() ? Json() : Json(each.refused);
  json["throughput_bytes_per_s"] = mean_json(each.throughput);
  json["instability"] = each.instability;
  json["latency_p99_ns"] = each.p99_ns;
  json["worst_part"] = each.worst_part;
  json["hurt"] = each.hurt;
  json["victims_share"] = each.victims_share < 0 ? Json() : Json(each.victims_share);
  json["gain_by_traffic"] = Json::array();
  for (const MeanEstimate& gain : each.gains) json["gain_by_traffic"].push_back(mean_json(gain));
  return json;
}

Json trials_json(const Tuning& tuning, const TuningCell& cell) {
  Json json = Json::array();
  for (const auto* seeds : {&tuning.result.search_seeds, &tuning.result.duel_seeds}) {
    for (const std::uint64_t seed : *seeds) {
      for (std::size_t t = 0; t < tuning.input.traffic.size(); ++t) {
        const auto found = tuning.trials.find({cell.name, t, seed});
        if (found == tuning.trials.end()) continue;
        const TrialFigures& figures = found->second;
        Json each;
        each["traffic"] = t;
        each["seed"] = seed;
        each["throughput_bytes_per_s"] = figures.throughput;
        each["instability"] = figures.instability;
        each["worst_part"] = figures.worst_part;
        each["latency_p99_ns"] = figures.p99_ns;
        each["completion_ns"] = figures.completion_ns > 0 ? Json(figures.completion_ns) : Json();
        each["victims_share"] = figures.victims_share < 0 ? Json() : Json(figures.victims_share);
        each["hurt"] = figures.hurt;
        each["ended_early"] = figures.ended_early;
        json.push_back(std::move(each));
      }
    }
  }
  return json;
}

Json cells_json(const Tuning& tuning) {
  Json json = Json::array();
  for (const TuningCell& cell : tuning.result.cells) {
    Json each;
    each["name"] = cell.name;
    each["parameters"] = changes_json(cell);
    each["trials"] = trials_json(tuning, cell);
    json.push_back(std::move(each));
  }
  return json;
}

Json set_json(const CongestionParameters& set) {
  Json json;
  for (const ParameterLine& line : parameter_lines(set)) json[line.name] = line.value;
  return json;
}

Json tuning_input_json(const Tuning& tuning) {
  Json json;
  json["tables"] = tuning.input.tables.front().name;
  json["traffic"] = Json::array();
  for (const TrafficSource& each : tuning.input.traffic) json["traffic"].push_back(each.name);
  json["switches"] = tuning.input.tables.front().fabric.switch_count();
  json["hosts"] = tuning.input.tables.front().fabric.endpoints().size();
  json["digest"] = tuning.identity;
  return json;
}

Json roots_json(const Tuning& tuning) {
  const PortDirectory ports(tuning.input.tables.front().fabric, tuning.model);
  Json json = Json::array();
  for (std::size_t t = 0; t < tuning.roots.size(); ++t) {
    for (const CongestionRoot& root : tuning.roots[t]) {
      json.push_back({{"traffic", t},
                      {"port", ports.name(root.port)},
                      {"contributors", root.contributors},
                      {"packet_ns", root.packet_ns}});
    }
  }
  return json;
}

Json hold_json(const Tuning& tuning) {
  const PortDirectory ports(tuning.input.tables.front().fabric, tuning.model);
  Json json = Json::array();
  for (const Hold& hold : tuning.holds()) {
    json.push_back({{"root", ports.name(hold.root)},
                    {"contributors", hold.contributors},
                    {"notification_ns", hold.notification_ns},
                    {"ccti_timer_ns", hold.timer_ns},
                    {"hold", hold.holds()}});
  }
  return json;
}

}  // namespace

std::string to_json(const TuneOptions& options, const Tuning& tuning) {
  const TuningResult& result = tuning.result;
  Json json;
  json["tool"] = "tune_cc";
  json["version"] = version();
  json["command"] = options.command;
  json["budget"] = options.budget;
  json["input"] = tuning_input_json(tuning);
  for (const ModelValue& each : model_values()) {
    json["model"][std::string(each.name)] = each.show(tuning.model);
  }
  json["objective"] = options.objective_name;
  json["interrupted"] = tuning.interrupted;
  json["cut_by_time"] = result.cut_by_time;
  json["runs"] = result.runs;
  json["planned_runs"] = tuning.plan.runs;
  json["roots"] = roots_json(tuning);
  json["warnings"] = tuning.warnings;
  if (tuning.interrupted) return dump_json(json);
  json["shortlist"] = Json::array();
  for (std::size_t i = 0; i < result.shortlist.size(); ++i) {
    json["shortlist"].push_back(shortlisted_json(result.shortlist[i], result.chosen == i));
  }
  json["off"] = shortlisted_json(result.off, !result.chosen);
  json["reason"] = result.reason;
  json["set"] = set_json(tuning.chosen_set());
  json["hold"] = hold_json(tuning);
  json["cells"] = cells_json(tuning);
  return dump_json(json);
}

}  // namespace pssp
