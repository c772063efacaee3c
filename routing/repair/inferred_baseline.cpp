// A subnet manager that starts for the first time while three cables are down would otherwise take
// the fabric without them for what is meant, for ever. On a tree the structure says what is
// missing: the same that engine heal repairs, here put into the fabric that the baseline is of.
// Whoever comes later takes the place that was kept for him (positions.h), at whatever ports; who
// never comes is missing for good, and the tables are led around him as around anything that is
// missing.

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

/// None where the fabric is no tree.
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
  constexpr std::size_t most = 4;  // cables that are there, to each that is inferred
  const std::vector<InferredLink> missing = missing_links(fabric);
  if (missing.empty() || missing.size() * most > fabric.channel_count() / 2) return std::nullopt;
  Fabric whole = with_links(fabric, missing);
  const std::size_t switches = whole.switch_count() - fabric.switch_count();
  // As a fabric that is read, whatever the numbering of what was inferred.
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
