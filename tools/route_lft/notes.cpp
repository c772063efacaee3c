#include "tools/route_lft/notes.h"

#include <algorithm>

namespace pssp {
namespace {

/// `several_lids`: whether other tables were scored with more LIDs than base LIDs.
nlohmann::ordered_json to_json(const TriedConstruction& tried, bool several_lids) {
  nlohmann::ordered_json json;
  json["name"] = tried.name;
  if (!tried.refusal.empty()) {
    json["refusal"] = tried.refusal;
    return json;
  }
  if (tried.slowdown != 0) {
    json["bandwidth"] = tried.bandwidth;
    json["S"] = tried.slowdown;
    if (tried.with_servers != tried.slowdown) json["S_with_servers"] = tried.with_servers;
  }
  json["score"] = tried.score;
  if (several_lids) json["lids_scored"] = tried.lids;
  if (tried.lids > 1) json["base_score"] = tried.base_score;
  json["index"] = tried.index;
  return json;
}

nlohmann::ordered_json to_json(const Fabric& fabric, const SwitchPort& end) {
  if (end.at.value() >= fabric.switch_count()) {
    return {{"missing_switch", end.at.value() - fabric.switch_count() + 1}, {"port", end.port}};
  }
  return {{"switch", fabric.switch_at(end.at).name}, {"port", end.port}};
}

}  // namespace

void add_notes(nlohmann::ordered_json& json, const Fabric& fabric, const RoutingNotes& notes) {
  if (!notes.warnings.empty()) json["warnings"] = notes.warnings;
  if (!notes.tree.empty()) json["tree"] = notes.tree;
  if (!notes.tried.empty()) {
    const TriedConstruction& chosen = notes.tried[notes.chosen];
    json["chosen"] = chosen.name;
    if (chosen.slowdown != 0) json["S"] = chosen.slowdown;
    if (chosen.with_servers != chosen.slowdown) json["S_with_servers"] = chosen.with_servers;
    json["score"] = chosen.score;
    const bool several_lids = std::any_of(notes.tried.begin(), notes.tried.end(),
                                          [](const auto& each) { return each.lids > 1; });
    if (several_lids) json["lids_scored"] = chosen.lids;
    for (const TriedConstruction& each : notes.tried) {
      json["tried"].push_back(to_json(each, several_lids));
    }
  }
  for (const InferredLink& link : notes.inferred) {
    json["inferred"].push_back({to_json(fabric, link.a), to_json(fabric, link.b)});
  }
}

}  // namespace pssp
