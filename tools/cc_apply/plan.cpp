#include "tools/cc_apply/plan.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json_text.h"
#include "tools/congestion/node_json.h"
#include "tools/congestion/node_report.h"
#include "tools/congestion/node_text.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(const CcData& data) {
  std::string text;
  for (const std::uint8_t byte : data) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

Json node_plan(const CcNode& node, const CongestionParameters& parameters) {
  Json json = node_json(node);
  json["settings"] = settings_json(describe(node, intended_reading(node, parameters), true));
  json["requests"] = Json::array();
  for (const CcRequest& request : set_requests(node, parameters)) {
    json["requests"].push_back({{"attribute", name_of(request.attribute)},
                                {"modifier", request.modifier},
                                {"data", hexadecimal(request.data)}});
  }
  return json;
}

std::string plan_text(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
                      const ApplyOptions& options) {
  std::size_t mads = 0;
  std::vector<NodeLines> list;
  for (const CcNode& node : nodes) {
    const std::size_t count = set_requests(node, parameters).size();
    mads += count;
    NodeLines entry{&node, {}};
    for (const NamedSetting& line : describe(node, intended_reading(node, parameters), true)) {
      entry.lines.push_back(fmt::format("{} = {}", line.name, line.value));
    }
    entry.lines.push_back(count == 0 ? "nothing is sent" : fmt::format("MADs: {}", count));
    list.push_back(std::move(entry));
  }
  return fmt::format("would send {} to {}: {} MADs\n{}", options.profile, count_text(nodes), mads,
                     node_list(list, options.fabric.per_node));
}

std::string plan_json(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
                      const ApplyOptions& options) {
  Json json{{"profile", options.profile}, {"dry_run", true}, {"nodes", Json::array()}};
  for (const CcNode& node : nodes) json["nodes"].push_back(node_plan(node, parameters));
  return dump_json(json);
}

}  // namespace

void print_plan(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
                const ApplyOptions& options) {
  write_answer(
      "-", options.fabric.json, [&] { return plan_text(nodes, parameters, options); },
      [&] { return plan_json(nodes, parameters, options); });
}

}  // namespace pssp
