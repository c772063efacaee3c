// cc_apply: applies a parameter set to the switches and adapters of a fabric without opensm, and
// restores the previous settings. Unlike OpenSM's congestion manager, it gives each switch its own
// victim mask, supports tables with more than 128 entries, and repeats lost MADs.
//
// All settings are first read and written to a file; only when the file is on the disk, the first
// setting is sent, so that they can be restored after Ctrl-C or a power failure. A node that cannot
// be read gets nothing. A closed terminal or a full disk for the report does not abort the change
// half-way; the change is then not confirmed, and is restored. Each node is identified before it
// gets anything, because restoring sends to the LIDs in the file unless a topology has newer ones.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "congestion/profiles.h"
#include "tools/cc_apply/apply_options.h"
#include "tools/cc_apply/confirmation.h"
#include "tools/cc_apply/outcome.h"
#include "tools/cc_apply/plan.h"
#include "tools/congestion/cc_exchange.h"
#include "tools/congestion/saved_settings.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"

namespace pssp {
namespace {

constexpr const char* tool = "cc_apply";

template <class Kind>
using Dialogues = std::vector<std::unique_ptr<Kind>>;

const Report& report() {
  static const Report instance(tool);
  return instance;
}

int exit_code_of(bool good) { return good ? 0 : static_cast<int>(ErrorKind::verification_failed); }

/// The settings of the nodes; `outcome` lists nodes that could not be read.
std::vector<SavedNode> survey(CcExchange& exchange, const std::vector<CcNode>& nodes,
                              const CongestionParameters& parameters, std::uint64_t key,
                              std::map<const CcNode*, NodeOutcome>& unread) {
  Dialogues<SurveyDialogue> dialogues;
  for (const CcNode& node : nodes) {
    dialogues.push_back(std::make_unique<SurveyDialogue>(node, parameters, key));
  }
  exchange.hold(dialogues);
  std::vector<SavedNode> saved;
  for (const auto& dialogue : dialogues) {
    const CcNode& node = dialogue->node();
    if (dialogue->was_stopped()) {
      unread.emplace(&node, not_set(node, "interrupted before anything was set"));
    } else if (dialogue->has_failed()) {
      unread.emplace(&node, not_set(node, dialogue->failure()));
    } else {
      saved.push_back({node, restoring_requests(node, dialogue->reading())});
    }
  }
  return saved;
}

/// Writes the settings, unless nothing will be set.
void save(const std::vector<SavedNode>& saved, const ApplyOptions& options) {
  if (interrupted() || saved.empty()) return;
  save_settings(options.save, saved, fmt::format("before {} was set", options.profile));
  report().print_line(
      fmt::format("earlier settings saved in {}; to restore them: pssp cc apply --restore {}",
                  options.save, options.save));
}

/// The outcome of all nodes, in order.
template <class Kind>
ApplyOutcome gather(const std::vector<CcNode>& nodes, std::map<const CcNode*, NodeOutcome> known,
                    const Dialogues<Kind>& dialogues) {
  for (const auto& dialogue : dialogues) {
    known.insert_or_assign(&dialogue->node(), outcome_of(*dialogue));
  }
  ApplyOutcome outcome;
  outcome.interrupted = interrupted();
  for (const CcNode& node : nodes) outcome.nodes.push_back(known.at(&node));
  return outcome;
}

/// Sends back the saved settings. `in_any_case`: an interruption was the reason, and must not stop
/// it.
ApplyOutcome send_back(CcExchange& exchange, const std::vector<SavedNode>& saved, std::uint64_t key,
                       bool in_any_case) {
  Dialogues<SetDialogue> dialogues;
  for (const SavedNode& of : saved) {
    dialogues.push_back(std::make_unique<SetDialogue>(of.node, of.requests, key));
  }
  if (in_any_case) {
    exchange.hold_in_any_case(dialogues);
  } else {
    exchange.hold(dialogues);
  }
  ApplyOutcome outcome;
  outcome.interrupted = interrupted() && !in_any_case;
  for (const auto& dialogue : dialogues) outcome.nodes.push_back(outcome_of(*dialogue));
  return outcome;
}

/// If confirmation is impossible because no file can be written, the change is not confirmed.
bool is_confirmed(const ApplyOptions& options) {
  try {
    Confirmation confirmation(options.save);
    report().print_line(fmt::format(
        "restoring the earlier settings in {} s unless confirmed with: pssp cc apply --confirm {}",
        options.confirm_within, options.save));
    return confirmation.wait(std::chrono::seconds(options.confirm_within));
  } catch (const Error& error) {
    report().warn(error.what());
    return false;
  }
}

/// Returns false if the change was not confirmed and has been restored.
bool stays(CcExchange& exchange, const std::vector<SavedNode>& saved, std::uint64_t key,
           const ApplyOptions& options) {
  if (is_confirmed(options)) {
    report().print_line("confirmed");
    return true;
  }
  report().print_line("not confirmed; restoring the earlier settings");
  print_outcome(send_back(exchange, saved, key, true), options.save, options.fabric);
  return false;
}

/// The exception of print(), if any; the caller rethrows it after the necessary work.
template <class Print>
std::exception_ptr failure_of(const Print& print) {
  try {
    print();
  } catch (const Error&) {
    return std::current_exception();
  }
  return nullptr;
}

int apply(const ApplyOptions& options) {
  const CongestionParameters parameters = load_congestion_parameters(options.profile);
  const std::vector<CcNode> nodes = options.fabric.load_nodes(tool);
  if (options.dry_run) {
    print_plan(nodes, parameters, options);
    return 0;
  }
  const std::uint64_t key = options.fabric.key();
  CcExchange exchange(options.fabric.port, tool);
  note_interruptions();
  outlive_readers();

  std::map<const CcNode*, NodeOutcome> unread;
  std::vector<SavedNode> saved;
  if (options.save != "none") {
    saved = survey(exchange, nodes, parameters, key, unread);
    save(saved, options);
  }
  Dialogues<ApplyDialogue> dialogues;
  for (const CcNode& node : nodes) {
    if (unread.contains(&node)) continue;
    dialogues.push_back(std::make_unique<ApplyDialogue>(node, parameters, key));
  }
  exchange.hold(dialogues);
  const ApplyOutcome outcome = gather(nodes, std::move(unread), dialogues);
  const std::exception_ptr unsaid =
      failure_of([&] { print_outcome(outcome, options.profile, options.fabric); });
  const bool kept =
      options.confirm_within == 0 || saved.empty() || stays(exchange, saved, key, options);
  if (unsaid) std::rethrow_exception(unsaid);
  return exit_code_of(outcome.all_set() && kept);
}

/// Gives the saved nodes the current LIDs of the topology. Nodes missing there are reported and
/// skipped.
std::size_t take_lids_of_now(std::vector<SavedNode>& saved, const std::vector<CcNode>& nodes) {
  std::map<std::pair<bool, Guid>, const CcNode*> now;
  for (const CcNode& node : nodes) now.emplace(std::pair(node.is_switch, node.guid), &node);
  return std::erase_if(saved, [&](SavedNode& of) {
    const auto found = now.find({of.node.is_switch, of.node.guid});
    if (found == now.end()) {
      report().warn(label(of.node) + ": not in the topology; its settings are unchanged");
      return true;
    }
    of.node = *found->second;
    return false;
  });
}

std::vector<SavedNode> only_wanted(std::vector<SavedNode> saved,
                                   const std::vector<std::string>& wanted) {
  std::vector<CcNode> nodes;
  nodes.reserve(saved.size());
  for (const SavedNode& of : saved) nodes.push_back(of.node);
  nodes = select_nodes(std::move(nodes), wanted);
  std::erase_if(saved, [&](const SavedNode& of) {
    return std::ranges::none_of(nodes, [&](const CcNode& node) {
      return node.is_switch == of.node.is_switch && node.guid == of.node.guid;
    });
  });
  return saved;
}

int restore(const ApplyOptions& options) {
  std::vector<SavedNode> saved = load_saved_settings(options.restore);
  std::size_t missing = 0;
  if (!options.fabric.topology.empty()) {
    CcOptions all = options.fabric;
    all.nodes.clear();
    missing = take_lids_of_now(saved, all.load_nodes(tool));
  }
  saved = only_wanted(std::move(saved), options.fabric.nodes);
  const std::uint64_t key = options.fabric.key();
  CcExchange exchange(options.fabric.port, tool);
  note_interruptions();
  outlive_readers();
  const ApplyOutcome outcome = send_back(exchange, saved, key, false);
  print_outcome(outcome, options.profile, options.fabric);
  return exit_code_of(outcome.all_set() && missing == 0);
}

/// Returns the exit code: 0, or verification_failed if a node does not have the requested settings.
/// Throws Error of every kind.
int run_apply(const ApplyOptions& options) {
  switch (options.task) {
    case ApplyOptions::Task::set:
      return apply(options);
    case ApplyOptions::Task::restore:
      return restore(options);
    case ApplyOptions::Task::confirm:
      confirm(options.confirm);
      return 0;
  }
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool(tool, argc, argv, parse_apply_options, run_apply);
}
