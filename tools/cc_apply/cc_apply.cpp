// cc_apply: gives a parameter set to the switches and adapters of a fabric, by itself, without
// opensm.
//
// What it can do and OpenSM's own congestion manager cannot: each switch gets a victim mask of its
// own (the thesis marks the ports that lead to hosts, and which these are differs from switch to
// switch), tables may have more than 128 entries, a MAD that got lost is sent again, and the
// outcome is told node by node. Which ports lead to hosts, and the LIDs, are taken from a saved
// topology; nothing is discovered here.

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
using Dialogues = std::vector<std::unique_ptr<ApplyDialogue>>;

constexpr const char* tool = "cc_apply";

struct Arguments {
  std::string profile;
  FabricAccess access;
  bool dry_run = false;
};

/// Nothing when --help or --version was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Sets congestion control in the switches and adapters of an InfiniBand fabric, each switch "
      "with the victim mask of its own host-facing ports.");
  app.set_version_flag("--version", "cc_apply " PSSP_VERSION);
  app.add_option("profile", arguments.profile,
                 "Profile (cc_params --list names them) or parameter file; - is standard input")
      ->required();
  app.add_option("topo.osm", arguments.access.topology,
                 "Topology with LIDs: output of ibnetdiscover; - is standard input")
      ->required();
  app.add_flag("-n,--dry-run", arguments.dry_run, "Print what would be sent, and send nothing");
  arguments.access.add_options(app);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  if (arguments.profile == "-" && arguments.access.topology == "-") {
    throw Error(ErrorKind::usage, "profile and topology cannot both be standard input");
  }
  return arguments;
}

std::string hexadecimal(const CcData& data) {
  std::string text;
  for (const std::uint8_t byte : data) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

Json plan_json(const CcNode& node, const CongestionParameters& parameters) {
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

void print_plan_text(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
                     const Arguments& arguments) {
  std::size_t mads = 0;
  std::vector<NodeLines> list;
  for (const CcNode& node : nodes) {
    const std::size_t count = set_requests(node, parameters).size();
    mads += count;
    NodeLines entry{&node, {}};
    for (const SettingLine& line : describe(node, intended_reading(node, parameters), true)) {
      entry.lines.push_back(fmt::format("{} = {}", line.name, line.value));
    }
    entry.lines.push_back(count == 0 ? "nothing is sent" : fmt::format("MADs: {}", count));
    list.push_back(std::move(entry));
  }
  write_file("-", fmt::format("would send {} to {}: {} MADs\n{}", arguments.profile,
                              count_text(nodes), mads, node_list(list, arguments.access.per_node)));
}

int print_plan(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
               const Arguments& arguments) {
  if (!arguments.access.json) {
    print_plan_text(nodes, parameters, arguments);
    return 0;
  }
  Json json{{"profile", arguments.profile}, {"dry_run", true}, {"nodes", Json::array()}};
  for (const CcNode& node : nodes) json["nodes"].push_back(plan_json(node, parameters));
  write_file("-", dump_json(json));
  return 0;
}

void print_outcome_text(const Dialogues& dialogues, const std::vector<CcNode>& nodes,
                        const Arguments& arguments) {
  std::size_t settings = 0;
  std::vector<NodeLines> failed;
  for (const auto& dialogue : dialogues) {
    settings += dialogue->settings_taken();
    if (dialogue->has_failed()) failed.push_back({&dialogue->node(), {dialogue->failure()}});
  }
  std::string text =
      fmt::format("{}: {} of {} nodes set ({}), {} settings taken\n", arguments.profile,
                  dialogues.size() - failed.size(), dialogues.size(), count_text(nodes), settings);
  if (!failed.empty()) {
    text += fmt::format("Not set, or not completely: {}\n{}", failed.size(),
                        node_list(failed, arguments.access.per_node));
  }
  write_file("-", text);
}

void print_outcome_json(const Dialogues& dialogues, const Arguments& arguments) {
  Json json{{"profile", arguments.profile}, {"dry_run", false}, {"nodes", Json::array()}};
  for (const auto& dialogue : dialogues) {
    Json node = node_json(dialogue->node());
    node["result"] = dialogue->has_failed() ? "failed" : "set";
    node["settings_taken"] = dialogue->settings_taken();
    if (dialogue->has_failed()) node["why"] = dialogue->failure();
    json["nodes"].push_back(std::move(node));
  }
  write_file("-", dump_json(json));
}

int run(const Arguments& arguments) {
  const CongestionParameters parameters = load_congestion_parameters(arguments.profile);
  const std::vector<CcNode> nodes = arguments.access.load_nodes(tool);
  if (arguments.dry_run) return print_plan(nodes, parameters, arguments);

  const std::uint64_t key = arguments.access.key();
  Dialogues dialogues;
  for (const CcNode& node : nodes) {
    dialogues.push_back(std::make_unique<ApplyDialogue>(node, parameters, key));
  }
  arguments.access.hold(dialogues, tool);
  if (arguments.access.json) {
    print_outcome_json(dialogues, arguments);
  } else {
    print_outcome_text(dialogues, nodes, arguments);
  }
  const bool all_set =
      std::ranges::none_of(dialogues, [](const auto& dialogue) { return dialogue->has_failed(); });
  return all_set ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool, [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
