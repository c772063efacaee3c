#include "tools/cc_query/findings.h"

#include <fmt/format.h>

#include <string>

#include "base/json_text.h"
#include "tools/congestion/node_json.h"
#include "tools/congestion/node_report.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

std::vector<NodeLines> unread_nodes(const Findings& findings) {
  std::vector<NodeLines> list;
  for (const Finding& finding : findings) {
    if (finding.unread()) list.push_back({&finding.node(), {finding.dialogue->failure()}});
  }
  return list;
}

std::vector<NodeLines> differing_nodes(const Findings& findings) {
  std::vector<NodeLines> list;
  for (const Finding& finding : findings) {
    if (!finding.differs()) continue;
    NodeLines entry{&finding.node(), {}};
    for (const SettingDifference& difference : finding.differences) {
      entry.lines.push_back(fmt::format("{}: {}, expected {}", difference.name, difference.found,
                                        difference.expected));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<NodeLines> settings_of_nodes(const Findings& findings) {
  std::vector<NodeLines> list;
  for (const Finding& finding : findings) {
    if (finding.unread()) continue;
    NodeLines entry{&finding.node(), {}};
    for (const NamedSetting& line : describe(finding.node(), finding.dialogue->reading(), false)) {
      entry.lines.push_back(fmt::format("{} = {}", line.name, line.value));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string findings_text(const Findings& findings, const std::vector<CcNode>& nodes,
                          const QueryOptions& options) {
  const bool per_node = options.fabric.per_node;
  const std::vector<NodeLines> unread = unread_nodes(findings);
  std::string text = fmt::format("{}: {} read, {} not read", count_text(nodes),
                                 findings.size() - unread.size(), unread.size());
  if (options.profile.empty()) {
    text += "\n" + node_list(settings_of_nodes(findings), per_node);
  } else {
    const std::vector<NodeLines> differing = differing_nodes(findings);
    text +=
        fmt::format("; {} match {}{}, {} differ\n",
                    findings.size() - unread.size() - differing.size(), options.profile,
                    options.as_opensm ? " (the part that opensm can send)" : "", differing.size());
    if (!differing.empty()) text += "Differing:\n" + node_list(differing, per_node);
  }
  if (!unread.empty()) text += "Not read:\n" + node_list(unread, per_node);
  return text;
}

Json finding_json(const Finding& finding, bool compared) {
  Json json = node_json(finding.node());
  if (finding.unread()) {
    json["result"] = "not read";
    json["why"] = finding.dialogue->failure();
    return json;
  }
  json["result"] = !compared ? "read" : finding.differs() ? "differs" : "equal";
  json["settings"] = settings_json(describe(finding.node(), finding.dialogue->reading(), false));
  if (!finding.node().is_switch) {
    json["table"] = Json::array();
    for (const CctEntry entry : finding.dialogue->reading().table) {
      json["table"].push_back({entry.shift, entry.multiplier});
    }
  }
  for (const SettingDifference& difference : finding.differences) {
    json["differences"].push_back({{"name", difference.name},
                                   {"found", difference.found},
                                   {"expected", difference.expected}});
  }
  return json;
}

std::string findings_json(const Findings& findings, const QueryOptions& options) {
  Json json;
  const bool compared = !options.profile.empty();
  if (compared) {
    json["profile"] = options.profile;
    json["as_opensm"] = options.as_opensm;
  }
  json["nodes"] = Json::array();
  for (const Finding& finding : findings) json["nodes"].push_back(finding_json(finding, compared));
  return dump_json(json);
}

}  // namespace

void print_findings(const Findings& findings, const std::vector<CcNode>& nodes,
                    const QueryOptions& options) {
  write_answer(
      "-", options.fabric.json, [&] { return findings_text(findings, nodes, options); },
      [&] { return findings_json(findings, options); });
}

}  // namespace pssp
