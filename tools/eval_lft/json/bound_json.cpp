#include <algorithm>
#include <nlohmann/json.hpp>

#include "evaluator/scoring/index_over_bound.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {

nlohmann::ordered_json cut_to_json(const Fabric& fabric, const Cut& cut, std::size_t names) {
  if (cut.inside.empty()) return nullptr;
  const CutSide side = smaller_side(fabric, cut);
  nlohmann::ordered_json json;
  json["routes_per_channel"] = cut.routes_per_channel;
  json["switches"] = side.switches.size();
  json["others"] = side.others;
  json["names"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < std::min(names, side.switches.size()); ++i) {
    json["names"].push_back(fabric.label(side.switches[i]));
  }
  return json;
}

}  // namespace pssp
