#include <nlohmann/json.hpp>
#include <utility>

#include "evaluator/scoring/pair_path.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {

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
