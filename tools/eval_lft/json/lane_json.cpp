#include <nlohmann/json.hpp>

#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json to_json(const Fabric& fabric, const AssignedLanes& lanes) {
  const LaneReport& report = lanes.report;
  Json json;
  json["name"] = lanes.name;
  json["deadlock_free"] = lanes.is_usable();
  json["lanes"] = report.lanes;
  json["pairs_by_lane"] = lanes.pairs;
  json["dependencies_by_lane"] = report.dependencies;
  json["routes_without_level"] = report.routes_without_level;
  json["cycle_lane"] = report.cycle.empty() ? Json() : Json(report.cycle_lane);
  json["cycle"] = Json::array();
  for (const ChannelId channel : report.cycle) {
    json["cycle"].push_back(fabric.channel_label(channel));
  }
  return json;
}

}  // namespace pssp
