#include "evaluator/report/worst_pairs_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evaluator/paths/path.h"
#include "evaluator/report/path_report.h"

namespace pssp {
namespace {

Path path_of_pair(const Fabric& fabric, const ForwardingTables& tables, Flow pair) {
  const auto end = [&](std::uint32_t rank) {
    const EndPortId id = fabric.endpoints()[rank];
    return PathEnd{{LidOwner::Kind::end_port, id.value()}, fabric.end_port(id).lid};
  };
  return path_of(fabric, tables, end(pair.source), end(pair.destination));
}

}  // namespace

std::string to_text(const Fabric& fabric, const ForwardingTables& tables, const WorstPairs& worst,
                    std::span<const std::uint64_t> loads) {
  if (worst.pairs.empty()) return "Worst-off pairs: none, as no route crosses a channel\n";
  std::string text = fmt::format(
      "Worst-off pairs (by the busiest channel on their route, then by the sum of the indices of "
      "its channels; {} pairs cross a channel of index {:g})\n",
      worst.as_bad_as_the_first, worst.pairs.front().largest_index);
  for (const WorstPair& each : worst.pairs) {
    text += "\n" + to_text(fabric, path_of_pair(fabric, tables, each.pair), loads);
  }
  return text;
}

nlohmann::ordered_json to_json(const Fabric& fabric, const ForwardingTables& tables,
                               const WorstPairs& worst, std::span<const std::uint64_t> loads) {
  nlohmann::ordered_json json;
  json["as_bad_as_the_first"] = worst.as_bad_as_the_first;
  json["pairs"] = nlohmann::ordered_json::array();
  for (const WorstPair& each : worst.pairs) {
    nlohmann::ordered_json pair;
    pair["largest_index"] = each.largest_index;
    pair["index_sum"] = each.index_sum;
    pair["path"] = to_json(fabric, path_of_pair(fabric, tables, each.pair), loads);
    json["pairs"].push_back(std::move(pair));
  }
  return json;
}

}  // namespace pssp
