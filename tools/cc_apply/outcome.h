#pragma once

// What became of each node that was to be set.

#include <memory>
#include <string>
#include <vector>

#include "tools/cc_apply/apply_options.h"
#include "tools/congestion/dialogues.h"

namespace pssp {

enum class NodeState {
  set,      ///< it has taken all
  not_set,  ///< it has taken nothing, or a part
  unknown,  ///< something was sent and no one knows whether it was taken
};

struct NodeOutcome {
  const CcNode* node = nullptr;
  NodeState state = NodeState::not_set;
  std::size_t settings_taken = 0;
  std::string why;  ///< not set: the reason
};

NodeOutcome outcome_of(const SetDialogue& dialogue);
/// Of a node to which nothing was sent.
NodeOutcome not_set(const CcNode& node, const std::string& why);

struct ApplyOutcome {
  std::vector<NodeOutcome> nodes;
  bool interrupted = false;

  bool all_set() const;
};

/// On standard output, as text or JSON. `what` was set. Throws Error(output).
void print_outcome(const ApplyOutcome& outcome, const std::string& what, const CcOptions& options);

}  // namespace pssp
