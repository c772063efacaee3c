// If a subnet manager starts for the first time while three cables are down, its baseline would
// lack them forever. On a tree, the structure shows which links are missing (as for the engine
// heal), so they are added to the fabric of the baseline. Hardware that appears later takes the
// position reserved for it (positions.h), at any ports; hardware that never appears stays missing,
// and the tables avoid it.

#include "routing/repair/inferred_baseline.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/baseline.h"
#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"

namespace pssp {
namespace {

/// Empty if the fabric is not a tree.
std::vector<InferredLink> missing_links(const Fabric& fabric) {
  try {
    return infer_links(fabric);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    return {};
  }
}

}  // namespace

std::optional<InferredWhole> infer_whole(const Fabric& fabric) {
  constexpr std::size_t most = 4;  // minimum number of present cables per inferred cable
  const std::vector<InferredLink> missing = missing_links(fabric);
  if (missing.empty() || missing.size() * most > fabric.channel_count() / 2) return std::nullopt;
  Fabric whole = with_links(fabric, missing);
  const std::size_t switches = whole.switch_count() - fabric.switch_count();
  // Renumbers by GUID, as for a fabric that is read.
  return InferredWhole{united(whole, fabric), missing.size(), switches};
}

std::string describe(const InferredWhole& whole) {
  return fmt::format("{} links and {} switches are missing, by the structure of the tree",
                     whole.links, whole.switches);
}

std::string why_not_whole(const Fabric& fabric, const FirstTables& repaired,
                          const FirstTables& own) {
  constexpr double least_worth = 0.98;
  if (repaired.falls_short && !own.falls_short)
    return "its repaired tables need more virtual lanes";
  const TableScore score = score_without_simulation(Objective::structured_suite);
  const double worth = score(fabric, repaired.tables) / score(fabric, own.tables);
  if (worth >= least_worth) return {};
  return fmt::format("its repaired tables score {:.1f} % less today", 100 * (1 - worth));
}

}  // namespace pssp
