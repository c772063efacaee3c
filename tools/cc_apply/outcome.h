#pragma once

// The outcome of each node.

#include <memory>
#include <string>
#include <vector>

#include "tools/cc_apply/apply_options.h"
#include "tools/congestion/dialogues.h"

namespace pssp {

enum class NodeState {
  set,      ///< has all settings
  not_set,  ///< has none or some of the settings
  unknown,  ///< a setting was sent without an answer
};

struct NodeOutcome {
  const CcNode* node = nullptr;
  NodeState state = NodeState::not_set;
  std::size_t settings_taken = 0;
  std::string why;  ///< if not set: the reason
};

NodeOutcome outcome_of(const SetDialogue& dialogue);
/// For a node to which nothing was sent.
NodeOutcome not_set(const CcNode& node, const std::string& why);

struct ApplyOutcome {
  std::vector<NodeOutcome> nodes;
  bool interrupted = false;

  bool all_set() const;
};

/// Prints to standard output, as text or JSON. `what` was set. Throws Error(output).
void print_outcome(const ApplyOutcome& outcome, const std::string& what, const CcOptions& options);

}  // namespace pssp
