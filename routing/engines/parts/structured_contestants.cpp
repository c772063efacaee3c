// Which weights: of two routes that are on at once in a shift .1, from leaf to leaf .1 to .3. More
// costs bandwidth that nothing pays for, less leaves jobs that sit together slow
// (docs/engines/best.md has the trials). The routes of a healed tree are in step but around the
// holes: there .3 for shifts brings more of them back into step. No start wins everywhere, but the
// weights matter less than the start: so all starts are tried by one pair of weights, and the best
// of them by another.

#include "routing/engines/parts/structured_contestants.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/workers.h"
#include "routing/engines/parts/structured_descent.h"
#include "routing/engines/parts/worthwhile_workers.h"

namespace pssp {
namespace {

constexpr StructuredWeights light{0.1, 0.03};
constexpr StructuredWeights careful{0.1, 0.1};
constexpr StructuredWeights balanced{0.1, 0.2};
constexpr StructuredWeights for_leafs{0.1, 0.3};
constexpr StructuredWeights for_shifts{0.3, 0.1};

/// "cassp, structured 100, leafs 300".
std::string name_of(const StructuredStart& start, StructuredWeights weights) {
  return fmt::format("{}, structured {:.0f}, leafs {:.0f}", start.name, 1000 * weights.shifts,
                     1000 * weights.leafs);
}

}  // namespace

bool is_small(const Fabric& fabric) {
  constexpr std::size_t few_hosts = 256;
  return fabric.endpoints().size() <= few_hosts;
}

bool is_large(const Fabric& fabric) {
  constexpr std::size_t many_hosts = 2000;
  return fabric.endpoints().size() > many_hosts;
}

std::vector<StructuredWeights> weights_for_all(const Fabric& fabric) {
  if (is_small(fabric)) return {light, careful, balanced};
  return {balanced};
}

std::vector<StructuredWeights> weights_for_best(const Fabric& fabric) {
  if (is_small(fabric) || is_large(fabric)) return {};
  return {for_leafs};
}

std::vector<StructuredWeights> weights_for_healed() { return {careful, for_shifts}; }

std::vector<Contestant> descend_from_all(const Fabric& fabric,
                                         std::span<const StructuredStart> starts,
                                         std::span<const StructuredWeights> weights,
                                         unsigned workers, const StopSignal& stop) {
  std::vector<std::optional<Contestant>> made(starts.size() * weights.size());
  run_tasks(worthwhile_workers(fabric, workers), made.size(), [&](std::size_t i) {
    const StructuredStart& start = starts[i / weights.size()];
    const StructuredWeights each = weights[i % weights.size()];
    Contestant contestant(name_of(start, each), *start.tables);
    descend_against_structured_traffic(fabric, contestant.tables,
                                       {.structured = each,
                                        .passes = is_large(fabric) ? 2U : 4U,
                                        .up_down = start.up_down,
                                        .by_rank = start.by_rank},
                                       stop);
    contestant.may_be_relieved = !start.by_rank;
    if (start.up_down != nullptr) contestant.up_down = *start.up_down;
    made[i] = std::move(contestant);
  });
  std::vector<Contestant> contestants;
  contestants.reserve(made.size());
  for (std::optional<Contestant>& each : made) contestants.push_back(*std::move(each));
  return contestants;
}

}  // namespace pssp
