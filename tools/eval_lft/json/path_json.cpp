#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "evaluator/paths/path_links.h"
#include "evaluator/report/path_report.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

/// Short and without blanks, for scripts.
std::string_view word_for(PathOutcome outcome) {
  switch (outcome) {
    case PathOutcome::arrives:
      return "arrives";
    case PathOutcome::source_not_cabled:
      return "source_not_cabled";
    case PathOutcome::destination_not_cabled:
      return "destination_not_cabled";
    case PathOutcome::no_entry:
      return "no_entry";
    case PathOutcome::dead_port:
      return "dead_port";
    case PathOutcome::wrong_port:
      return "wrong_port";
    case PathOutcome::loop:
      return "loop";
  }
  return "";
}

}  // namespace

Json to_json(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  const auto end = [&](PathEnd each) {
    Json json;
    if (each.owner.kind == LidOwner::Kind::end_port) {
      const EndPort& port = fabric.end_port(EndPortId(each.owner.index));
      json["name"] = port.name;
      json["description"] = port.description;
      json["port"] = port.port;
      json["guid"] = fmt::format("0x{:016x}", port.port_guid);
    } else {
      const Switch& node = fabric.switch_at(SwitchId(each.owner.index));
      json["name"] = node.name;
      json["description"] = node.description;
      json["port"] = management_port;
      json["guid"] = fmt::format("0x{:016x}", node.guid);
    }
    json["lid"] = each.lid;
    return json;
  };
  Json json;
  json["source"] = end(path.source);
  json["destination"] = end(path.destination);
  json["outcome"] = word_for(path.outcome);
  if (path.outcome != PathOutcome::arrives) json["reason"] = what_goes_wrong(fabric, path);
  json["hops"] = path.hops();
  json["largest_index"] = largest_index(fabric, path, loads);
  json["links"] = Json::array();
  for (const PathLink& link : links_of(fabric, path)) {
    Json each;
    each["from"] = link.from_name;
    each["from_port"] = link.from_port;
    each["to"] = link.to_name;
    each["to_port"] = link.to_port;
    each["to_lid"] = link.to_lid;
    each["rate_mbits"] = link.rate.capacity();
    if (link.channel.valid()) {
      each["routes"] = loads[link.channel.value()];
      each["index"] = index_of(fabric, link.channel, loads);
    }
    json["links"].push_back(std::move(each));
  }
  return json;
}

}  // namespace pssp
