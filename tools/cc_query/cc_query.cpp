// cc_query: reads the congestion control settings of all switches and adapters of a fabric back,
// and says where they differ from a parameter set. It proves that a set took effect, whoever sent
// it: opensm, the plugin or cc_apply. It changes nothing.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "congestion/profiles.h"
#include "tools/congestion/dialogues.h"
#include "tools/congestion/fabric_access.h"
#include "tools/congestion/node_json.h"
#include "tools/congestion/node_report.h"
#include "tools/congestion/node_settings.h"
#include "tools/kit/tool_main.h"

namespace {

using namespace pssp;
using Json = nlohmann::ordered_json;

constexpr const char* tool = "cc_query";

struct Arguments {
  FabricAccess access;
  std::string profile;
  bool as_opensm = false;
};

/// Nothing when --help or --version was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Reads the congestion control settings of an InfiniBand fabric and shows what differs from a "
      "profile.");
  app.set_version_flag("--version", "cc_query " PSSP_VERSION);
  app.add_option("topo.osm", arguments.access.topology,
                 "Topology with LIDs: output of ibnetdiscover; - is standard input")
      ->required();
  auto* const profile =
      app.add_option("-p,--profile", arguments.profile,
                     "Profile or parameter file that the fabric should have; without it, the "
                     "settings are printed");
  app.add_flag("--as-opensm", arguments.as_opensm,
               "Expect what opensm can make of the profile: no masks by the role of ports, at most "
               "128 table entries")
      ->needs(profile);
  arguments.access.add_options(app);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  if (arguments.profile == "-" && arguments.access.topology == "-") {
    throw Error(ErrorKind::usage, "profile and topology cannot both be standard input");
  }
  return arguments;
}

/// A node after its dialogue.
struct Finding {
  const QueryDialogue* dialogue;
  std::vector<SettingDifference> differences;

  const CcNode& node() const { return dialogue->node(); }
  bool unread() const { return dialogue->has_failed(); }
  bool differs() const { return !differences.empty(); }
};

using Findings = std::vector<Finding>;

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
    for (const SettingLine& line : describe(finding.node(), finding.dialogue->reading(), false)) {
      entry.lines.push_back(fmt::format("{} = {}", line.name, line.value));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void print_text(const Findings& findings, const std::vector<CcNode>& nodes,
                const Arguments& arguments) {
  const bool per_node = arguments.access.per_node;
  const std::vector<NodeLines> unread = unread_nodes(findings);
  std::string text = fmt::format("{}: {} read, {} not read", count_text(nodes),
                                 findings.size() - unread.size(), unread.size());
  if (arguments.profile.empty()) {
    text += "\n" + node_list(settings_of_nodes(findings), per_node);
  } else {
    const std::vector<NodeLines> differing = differing_nodes(findings);
    text += fmt::format("; {} as {} says{}, {} not\n",
                        findings.size() - unread.size() - differing.size(), arguments.profile,
                        arguments.as_opensm ? " and opensm can do" : "", differing.size());
    if (!differing.empty()) text += "Differing:\n" + node_list(differing, per_node);
  }
  if (!unread.empty()) text += "Not read:\n" + node_list(unread, per_node);
  write_file("-", text);
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

void print_json(const Findings& findings, const Arguments& arguments) {
  Json json;
  const bool compared = !arguments.profile.empty();
  if (compared) {
    json["profile"] = arguments.profile;
    json["as_opensm"] = arguments.as_opensm;
  }
  json["nodes"] = Json::array();
  for (const Finding& finding : findings) json["nodes"].push_back(finding_json(finding, compared));
  write_file("-", dump_json(json));
}

int run(const Arguments& arguments) {
  std::optional<CongestionParameters> expected;
  if (!arguments.profile.empty()) {
    expected = load_congestion_parameters(arguments.profile);
    if (arguments.as_opensm) expected = as_opensm_sets(*expected);
  }
  const std::vector<CcNode> nodes = arguments.access.load_nodes(tool);
  const std::uint64_t key = arguments.access.key();
  std::vector<std::unique_ptr<QueryDialogue>> dialogues;
  dialogues.reserve(nodes.size());
  for (const CcNode& node : nodes) dialogues.push_back(std::make_unique<QueryDialogue>(node, key));
  arguments.access.hold(dialogues, tool);

  Findings findings;
  for (const auto& dialogue : dialogues) {
    Finding finding{dialogue.get(), {}};
    if (expected && !dialogue->has_failed()) {
      finding.differences = differences(dialogue->node(), dialogue->reading(), *expected);
    }
    findings.push_back(std::move(finding));
  }
  if (arguments.access.json) {
    print_json(findings, arguments);
  } else {
    print_text(findings, nodes, arguments);
  }
  const bool as_it_should = std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.unread() || finding.differs(); });
  return as_it_should ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool, [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
