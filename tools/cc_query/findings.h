#pragma once

// The settings of each node, and their report.

#include <vector>

#include "tools/cc_query/query_options.h"
#include "tools/congestion/dialogues.h"
#include "tools/congestion/node_text.h"

namespace pssp {

/// A node after its dialogue.
struct Finding {
  const QueryDialogue* dialogue;
  std::vector<SettingDifference> differences;

  const CcNode& node() const { return dialogue->node(); }
  bool unread() const { return dialogue->has_failed(); }
  bool differs() const { return !differences.empty(); }
};

using Findings = std::vector<Finding>;

/// Prints to standard output, as text or JSON. Throws Error(output).
void print_findings(const Findings& findings, const std::vector<CcNode>& nodes,
                    const QueryOptions& options);

}  // namespace pssp
