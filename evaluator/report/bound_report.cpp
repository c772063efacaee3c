#include "evaluator/report/bound_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pssp {
namespace {

constexpr std::uint8_t elsewhere = 0, reached = 1, inside = 2;

std::string count_of(std::size_t switches) {
  return fmt::format("{} switch{}", switches, switches == 1 ? "" : "es");
}

}  // namespace

CutSide smaller_side(const Fabric& fabric, const Cut& cut) {
  if (cut.inside.empty()) return {};
  std::vector<std::uint8_t> state(fabric.switch_count(), elsewhere);
  std::vector<SwitchId> outside, island(cut.inside);
  for (const SwitchId s : cut.inside) state[s.value()] = inside;
  for (std::size_t i = 0; i < island.size(); ++i) {
    const std::uint32_t s = island[i].value();
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (state[next] != elsewhere) continue;
      state[next] = reached;
      outside.emplace_back(next);
      island.emplace_back(next);
    }
  }
  if (cut.inside.size() <= outside.size()) return {cut.inside, outside.size()};
  std::sort(outside.begin(), outside.end(),
            [](SwitchId a, SwitchId b) { return a.value() < b.value(); });
  return {std::move(outside), cut.inside.size()};
}

double index_over_bound(double index, const IndexBound& bound) {
  return bound.value > 0 ? index / bound.value : 1;
}

std::string describe_bound(const Fabric& fabric, const IndexBound& bound, std::size_t names) {
  if (bound.value == 0) return "no route needs a channel";
  if (bound.cut.routes_per_channel < bound.price_bound) return "by the lengths of all routes";
  const CutSide side = smaller_side(fabric, bound.cut);
  std::string text = fmt::format("by the links between {} and the other {}",
                                 count_of(side.switches.size()), side.others);
  for (std::size_t i = 0; i < std::min(names, side.switches.size()); ++i) {
    text += (i == 0 ? ": " : ", ") + fabric.label(side.switches[i]);
  }
  if (names != 0 && side.switches.size() > names) text += ", ...";
  return text;
}

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
