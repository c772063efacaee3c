#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

/// NaN and infinity become null.
Json json_of(const Fairness& fairness) {
  Json json;
  json["min"] = fairness.least;
  json["max"] = fairness.most;
  json["ratio"] = fairness.ratio;
  json["jain"] = fairness.jain;
  json["variation"] = fairness.variation;
  json["variation_by_chance"] = fairness.variation_by_chance;
  return json;
}

Json json_of(const HostShare& share) {
  Json json;
  json["flows"] = share.flows;
  json["mean"] = share.mean;
  json["stderr"] = share.standard_error;
  return json;
}

}  // namespace

Json to_json(const Fabric& fabric, const HostFairness& fairness, std::size_t top) {
  Json json;
  json["bisections"] = fairness.bisections;
  json["seed"] = fairness.seed;
  json["sending"] = json_of(fairness.among_senders);
  json["receiving"] = json_of(fairness.among_receivers);
  json["worst_hosts"] = Json::array();
  for (const std::uint32_t rank : worst_hosts(fairness, top)) {
    const EndPort& port = fabric.end_port(fabric.endpoints()[rank]);
    Json host;
    host["name"] = port.name;
    host["description"] = port.description;
    host["lid"] = port.lid;
    host["guid"] = fmt::format("0x{:016x}", port.port_guid);
    host["switch"] = fabric.switch_at(port.attached).name;
    host["switch_port"] = port.switch_port;
    host["sending"] = json_of(fairness.sending[rank]);
    host["receiving"] = json_of(fairness.receiving[rank]);
    json["worst_hosts"].push_back(std::move(host));
  }
  return json;
}

}  // namespace pssp
