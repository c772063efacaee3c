#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/version.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_of(const AdaptiveRow& row) {
  if (!row.choice) return "tables";
  switch (row.choice->rule) {
    case AdaptiveRule::flow:
      return "flow";
    case AdaptiveRule::spray:
      return "spray";
    case AdaptiveRule::hash:
      return "hash";
  }
  return "";
}

Json to_json(const AdaptiveRow& row) {
  Json json;
  json["name"] = row.name;
  json["kind"] = kind_of(row);
  if (row.choice && row.choice->rule == AdaptiveRule::hash) {
    json["parts"] = row.choice->parts;
    json["slowest_part"] = row.choice->slowest_part;
  }
  json["runs"] = row.bandwidth.count;
  json["mean"] = row.bandwidth.mean;
  json["stderr"] = row.bandwidth.standard_error;
  json["interval_95"] = {row.bandwidth.lower_95, row.bandwidth.upper_95};
  json["slowest"] = row.slowest;
  json["to_tables"] = row.to_tables ? Json(*row.to_tables) : Json();
  return json;
}

}  // namespace

std::string to_json_report(const AdaptiveReport& report, const std::vector<std::string>& warnings) {
  Json json;
  json["traffic"] = report.traffic;
  json["ranks"] = report.ranks;
  json["runs"] = report.runs;
  json["seed"] = report.seed;
  json["paths"] = Json::array();
  for (const AdaptiveRow& row : report.rows) json["paths"].push_back(to_json(row));
  json["warnings"] = warnings;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
