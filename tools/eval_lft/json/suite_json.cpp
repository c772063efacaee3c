#include <nlohmann/json.hpp>
#include <utility>

#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json to_json(const StructuredTraffic& traffic) {
  Json json;
  json["host_order"] = traffic.host_order;
  json["hosts"] = traffic.hosts;
  json["without_lid"] = traffic.without_lid;
  json["on_other_islands"] = traffic.on_other_islands;
  json["servers"] = traffic.servers;
  json["servers_by_node_type"] = traffic.servers_are_by_node_type;
  if (traffic.lids.lids > 1) {
    json["lids_scored"] = traffic.lids.lids;
    json["striping"] = word_for(traffic.lids.striping);
  }
  json["patterns"] = Json::array();
  for (const PatternTime& each : traffic.times.patterns) {
    Json pattern;
    pattern["name"] = each.name;
    pattern["phases"] = each.phases;
    pattern["sampled"] = each.sampled;
    pattern["in_S"] = each.in_summary;
    pattern["time"] = each.time;
    pattern["bound"] = each.bound;
    pattern["slowdown"] = each.slowdown;
    pattern["mean_congestion"] = each.mean_congestion;
    pattern["unrouted"] = each.unrouted;
    json["patterns"].push_back(std::move(pattern));
  }
  json["S"] = traffic.times.structured_slowdown;
  json["S_without_rails"] = traffic.times.without_rails;
  json["ebb"] = traffic.bandwidth;
  json["score"] = traffic.score;
  return json;
}

}  // namespace pssp
