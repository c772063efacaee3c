#include "tools/cc_apply/outcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "tools/congestion/node_json.h"
#include "tools/congestion/node_report.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

std::size_t count(const ApplyOutcome& outcome, NodeState state) {
  return static_cast<std::size_t>(std::ranges::count(outcome.nodes, state, &NodeOutcome::state));
}

const char* result_of(const NodeOutcome& node, bool interrupted) {
  if (node.state == NodeState::set) return "set";
  if (!interrupted) return "failed";
  return node.state == NodeState::unknown ? "unknown" : "not set";
}

std::string counts_text(const ApplyOutcome& outcome) {
  std::vector<CcNode> nodes;
  for (const NodeOutcome& node : outcome.nodes) nodes.push_back(*node.node);
  return count_text(nodes);
}

std::string outcome_text(const ApplyOutcome& outcome, const std::string& what,
                         const CcOptions& options) {
  std::size_t settings = 0;
  std::vector<NodeLines> failed;
  for (const NodeOutcome& node : outcome.nodes) {
    settings += node.settings_taken;
    if (node.state != NodeState::set) failed.push_back({node.node, {node.why}});
  }
  std::string text = fmt::format("{}: {} of {} nodes set ({}), {} settings accepted\n", what,
                                 count(outcome, NodeState::set), outcome.nodes.size(),
                                 counts_text(outcome), settings);
  if (outcome.interrupted) {
    text +=
        fmt::format("Interrupted: {} set, {} not set, {} unknown\n", count(outcome, NodeState::set),
                    count(outcome, NodeState::not_set), count(outcome, NodeState::unknown));
  }
  if (!failed.empty()) {
    text += fmt::format("Not set, or not completely: {}\n{}", failed.size(),
                        node_list(failed, options.per_node));
  }
  return text;
}

std::string outcome_json(const ApplyOutcome& outcome, const std::string& what) {
  Json json{{"profile", what}, {"dry_run", false}};
  if (outcome.interrupted) json["interrupted"] = true;
  json["nodes"] = Json::array();
  for (const NodeOutcome& of : outcome.nodes) {
    Json node = node_json(*of.node);
    node["result"] = result_of(of, outcome.interrupted);
    node["settings_taken"] = of.settings_taken;
    if (of.state != NodeState::set) node["why"] = of.why;
    json["nodes"].push_back(std::move(node));
  }
  return dump_json(json);
}

std::string why_not_set(const SetDialogue& dialogue) {
  if (dialogue.was_stopped()) {
    return dialogue.settings_taken() == 0
               ? "interrupted before anything was set"
               : fmt::format("interrupted after {} of {} settings", dialogue.settings_taken(),
                             dialogue.settings());
  }
  return dialogue.failure();
}

}  // namespace

NodeOutcome outcome_of(const SetDialogue& dialogue) {
  NodeOutcome outcome{&dialogue.node(), NodeState::set, dialogue.settings_taken(), {}};
  if (dialogue.has_failed()) {
    outcome.state = dialogue.is_unknown() ? NodeState::unknown : NodeState::not_set;
    outcome.why = why_not_set(dialogue);
  }
  return outcome;
}

NodeOutcome not_set(const CcNode& node, const std::string& why) {
  return {&node, NodeState::not_set, 0, why};
}

bool ApplyOutcome::all_set() const {
  return std::ranges::all_of(nodes,
                             [](const NodeOutcome& node) { return node.state == NodeState::set; });
}

void print_outcome(const ApplyOutcome& outcome, const std::string& what, const CcOptions& options) {
  write_answer(
      "-", options.json, [&] { return outcome_text(outcome, what, options); },
      [&] { return outcome_json(outcome, what); });
}

}  // namespace pssp
