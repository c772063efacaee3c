#include "tools/route_lft/notes.h"

namespace pssp {
namespace {

nlohmann::ordered_json to_json(const TriedConstruction& tried) {
  nlohmann::ordered_json json;
  json["name"] = tried.name;
  if (!tried.refusal.empty()) {
    json["refusal"] = tried.refusal;
    return json;
  }
  if (tried.slowdown != 0) {
    json["bandwidth"] = tried.bandwidth;
    json["S"] = tried.slowdown;
  }
  json["score"] = tried.score;
  json["index"] = tried.index;
  return json;
}

nlohmann::ordered_json to_json(const Fabric& fabric, const SwitchPort& end) {
  return {{"switch", fabric.switch_at(end.at).name}, {"port", end.port}};
}

}  // namespace

void add_notes(nlohmann::ordered_json& json, const Fabric& fabric, const RoutingNotes& notes) {
  if (!notes.warnings.empty()) json["warnings"] = notes.warnings;
  if (!notes.tried.empty()) {
    const TriedConstruction& chosen = notes.tried[notes.chosen];
    json["chosen"] = chosen.name;
    if (chosen.slowdown != 0) json["S"] = chosen.slowdown;
    json["score"] = chosen.score;
    for (const TriedConstruction& each : notes.tried) json["tried"].push_back(to_json(each));
  }
  for (const ImaginedLink& link : notes.imagined) {
    json["imagined"].push_back({to_json(fabric, link.a), to_json(fabric, link.b)});
  }
}

}  // namespace pssp
