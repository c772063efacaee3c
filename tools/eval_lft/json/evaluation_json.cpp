#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/version.h"
#include "evaluator/scoring/fabric_summary.h"
#include "evaluator/scoring/index_over_bound.h"
#include "fabric/lid_counts.h"
#include "tools/eval_lft/json/report_json.h"

// Members are in the order in which they are written here (ordered_json). Names in files may
// contain bytes that are not UTF-8, which are replaced.

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

void add_fabric(Json& json, const Fabric& fabric) {
  const FabricSummary summary = summarise(fabric);
  json["hosts"] = summary.hosts;
  json["switches"] = summary.switches;
  json["channels"] = summary.channels;
  json["links"] = summary.links;
  json["end_ports"] = summary.end_ports;
  // Such ports are a defect of the input.
  if (summary.without_lid != 0) json["end_ports_without_lid"] = summary.without_lid;
  json["aggregation_nodes"] = summary.aggregation_nodes;
  json["routers"] = summary.routers;
  json["lids"] = summary.lids;
  json["reference_capacity_mbits"] = summary.reference_capacity;
}

Json bandwidth_of(const Evaluation& evaluation) {
  const EffectiveBisectionBandwidth& bandwidth = evaluation.bandwidth;
  Json json;
  json["mean"] = bandwidth.mean;
  json["stderr"] = bandwidth.standard_error;
  json["interval_95"] = {bandwidth.lower_95, bandwidth.upper_95};
  json["min"] = bandwidth.min;
  json["max"] = bandwidth.max;
  json["percentiles"] = Json::object();
  for (std::size_t i = 0; i < percentile_levels.size(); ++i) {
    json["percentiles"][std::to_string(percentile_levels[i])] = bandwidth.percentiles[i];
  }
  json["patterns"] = bandwidth.patterns;
  json["seed"] = bandwidth.seed;
  if (evaluation.options.precision) {
    json["precision"] = evaluation.options.precision->half_width;
    json["precision_reached"] = evaluation.precise;
  }
  return json;
}

Json index_of(const Fabric& fabric, const Evaluation& evaluation) {
  const EdgeForwardingIndex& index = evaluation.index;
  const IndexBound& bound = evaluation.bound;
  Json json;
  json["max"] = index.max;
  json["bound"] = bound.value;
  json["over_bound"] = index_over_bound(index.max, bound);
  json["cut"] = cut_to_json(fabric, bound.cut, evaluation.options.busiest_channels);
  json["mean"] = index.mean;
  json["deviation"] = index.deviation;
  json["busiest"] = Json::array();
  for (const BusyChannel& busy : index.busiest) {
    json["busiest"].push_back({{"channel", fabric.channel_label(busy.channel)},
                               {"routes", busy.routes},
                               {"index", busy.index}});
  }
  return json;
}

Json hops_of(const HopStatistics& hops) {
  Json json;
  json["mean"] = hops.mean;
  json["max"] = hops.max;
  json["histogram"] = hops.histogram;
  return json;
}

void add_findings(Json& json, const Fabric& fabric, const Evaluation& evaluation) {
  const VerifyReport& verify = evaluation.verify;
  json["usable"] = verify.usable();
  json["unreachable_pairs"] = verify.unreachable_pairs;
  json["separated_pairs"] = verify.separated_pairs;
  json["unreachable_switch_pairs"] = verify.unreachable_switch_pairs;
  json["forwarding_loops"] = verify.forwarding_loops;
  json["dead_port_entries"] = verify.dead_port_entries;
  if (evaluation.options.verify.credit_loops) {
    json["credit_loop"] = verify.has_credit_loop();
  } else {
    json["credit_loop"] = nullptr;
  }
  json["credit_loop_channels"] = Json::array();
  for (const ChannelId channel : verify.credit_loop) {
    json["credit_loop_channels"].push_back(fabric.channel_label(channel));
  }
  json["lanes"] = evaluation.lanes ? Json(*evaluation.lanes) : Json();
  if (evaluation.assigned) json["service_levels"] = to_json(fabric, *evaluation.assigned);
  json["examples"] = verify.examples;
}

}  // namespace

std::string to_json_report(const Fabric& fabric, const ForwardingTables& tables,
                           const Evaluation& evaluation, const std::vector<std::string>& warnings) {
  Json json;
  add_fabric(json, fabric);
  json["ebb"] = bandwidth_of(evaluation);
  if (evaluation.ceiling && evaluation.ceiling->value()) {
    const auto known = [](const std::optional<double>& value) {
      return value ? Json(*value) : Json();
    };
    json["ceiling"] = {{"one_stage", known(evaluation.ceiling->one_stage)},
                       {"adaptive", known(evaluation.ceiling->adaptive)},
                       {"share", evaluation.bandwidth.mean / *evaluation.ceiling->value()}};
  }
  if (evaluation.options.lids_chosen || most_lids_of_a_host(fabric) > 1) {
    json["lids_scored"] = evaluation.options.lids.lids;
    json["striping"] = word_for(evaluation.options.lids.striping);
  }
  if (evaluation.structured && !evaluation.structured->summary_only)
    json["structured_suite"] = to_json(*evaluation.structured);
  json["edge_forwarding_index"] = index_of(fabric, evaluation);
  json["hops"] = hops_of(evaluation.hops);
  json["fairness"] = to_json(fabric, evaluation.fairness, evaluation.options.worst_hosts);
  json["worst_pairs"] = to_json(fabric, tables, evaluation.worst, evaluation.loads);
  add_findings(json, fabric, evaluation);
  json["warnings"] = warnings;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
