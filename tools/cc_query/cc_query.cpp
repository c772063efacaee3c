// cc_query: reads the congestion control settings of all switches and adapters of a fabric, and
// reports differences from a parameter set. It verifies sets from any source: opensm, the plugin or
// cc_apply. It changes nothing.

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "congestion/profiles.h"
#include "tools/cc_query/findings.h"
#include "tools/cc_query/query_options.h"
#include "tools/congestion/cc_exchange.h"
#include "tools/kit/tool.h"

namespace pssp {
namespace {

constexpr const char* tool = "cc_query";

using Dialogues = std::vector<std::unique_ptr<QueryDialogue>>;

std::optional<CongestionParameters> expected_set(const QueryOptions& options) {
  if (options.profile.empty()) return std::nullopt;
  CongestionParameters set = load_congestion_parameters(options.profile);
  return options.as_opensm ? as_opensm_sets(set) : set;
}

Findings compare(const Dialogues& dialogues, const std::optional<CongestionParameters>& expected) {
  Findings findings;
  for (const auto& dialogue : dialogues) {
    Finding finding{dialogue.get(), {}};
    if (expected && !dialogue->has_failed()) {
      finding.differences = differences(dialogue->node(), dialogue->reading(), *expected);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

/// Returns the exit code: 0, or verification_failed if a node differs or was not read. Throws
/// Error.
int run_query(const QueryOptions& options) {
  const std::optional<CongestionParameters> expected = expected_set(options);
  const std::vector<CcNode> nodes = options.fabric.load_nodes(tool);
  const std::uint64_t key = options.fabric.key();
  Dialogues dialogues;
  dialogues.reserve(nodes.size());
  for (const CcNode& node : nodes) dialogues.push_back(std::make_unique<QueryDialogue>(node, key));
  CcExchange(options.fabric.port, tool).hold(dialogues);

  const Findings findings = compare(dialogues, expected);
  print_findings(findings, nodes, options);
  const bool as_it_should = std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.unread() || finding.differs(); });
  return as_it_should ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool(tool, argc, argv, parse_query_options, run_query);
}
