#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "base/version.h"
#include "evaluator/report/comparison_report.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json to_json(const Comparison& comparison) {
  Json json;
  json["metric"] = comparison.metric;
  json["better"] = comparison.better == Better::higher ? "higher" : "lower";
  json["seed"] = comparison.seed;
  json["tables"] = Json::array();
  bool is_striped = false;
  for (const ComparedTables& each : comparison.tables) {
    is_striped = is_striped || each.lids.lids > 1;
  }
  for (std::size_t i = 0; i < comparison.tables.size(); ++i) {
    const ComparedTables& each = comparison.tables[i];
    Json row;
    row["name"] = each.name;
    row["runs"] = each.metric.count;
    row["mean"] = each.metric.mean;
    row["stderr"] = each.metric.standard_error;
    row["interval_95"] = {each.metric.lower_95, each.metric.upper_95};
    row["edge_forwarding_index"] = each.edge_forwarding_index;
    row["edge_forwarding_index_bound"] = each.index_bound;
    row["hops_mean"] = each.mean_hops;
    row["hops_max"] = each.most_hops;
    row["usable"] = each.usable;
    row["credit_loop"] = each.credit_loop ? Json(*each.credit_loop) : Json();
    row["lanes"] = each.lanes ? Json(*each.lanes) : Json();
    if (is_striped) {
      row["lids_scored"] = each.lids.lids;
      row["striping"] = word_for(each.lids.striping);
    }
    row["difference"] = nullptr;
    if (i != 0) {
      const PairedDifference& difference = each.difference;
      Json to_first;
      to_first["runs"] = difference.runs;
      to_first["mean"] = difference.mean;
      to_first["stderr"] = difference.standard_error;
      to_first["interval_95"] = {difference.lower_95, difference.upper_95};
      to_first["z"] = difference.z;
      to_first["p"] = difference.p;
      to_first["adjusted_p"] = difference.adjusted_p;
      to_first["verdict"] = word_for(difference.verdict);
      row["difference"] = std::move(to_first);
    }
    json["tables"].push_back(std::move(row));
  }
  return json;
}

std::string to_json_report(const Comparison& comparison,
                           std::span<const StructuredTraffic> structured,
                           const std::vector<std::string>& warnings) {
  Json json = to_json(comparison);
  for (std::size_t i = 0; i < structured.size(); ++i)
    json["tables"][i]["structured_suite"] = to_json(structured[i]);
  json["warnings"] = warnings;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
