// Which weights: of two routes that are on at once in a shift .1, from leaf to leaf .1 to .3. More
// costs bandwidth that nothing pays for, less leaves jobs that sit together slow
// (docs/reference/engines/best.md has the trials). The routes of a healed tree are in step but
// around the holes: there .3 for shifts brings more of them back into step. No start wins
// everywhere, but the weights matter less than the start: so all starts are tried by one pair of
// weights, and the best of them by another.
//
// Crowds come last, from what is best by then. More weight always lowers S, and the score would
// have it so; but bandwidth is what most is judged by, so that hardly any is given.
//
// On networks that are neither trees nor meshes the minimal paths between two switches are few,
// often one, and those that are one hop longer are many. There hot spots are parted by these; what
// they cost is bandwidth, as each route then loads more channels.

#include "routing/engines/parts/selection/structured_candidates.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/workers.h"
#include "fabric/paths/allowed_channels.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"

namespace pssp {
namespace {

constexpr StructuredWeights light{0.1, 0.03};
constexpr StructuredWeights careful{0.1, 0.1};
constexpr StructuredWeights balanced{0.1, 0.2};
constexpr StructuredWeights for_leaves{0.1, 0.3};
constexpr StructuredWeights for_shifts{0.3, 0.2};

constexpr StructuredWeights against_hot_spots{0.25, 0.1, true};
constexpr StructuredWeights lightly_against_hot_spots{0.1, 0.2, true};
constexpr StructuredWeights more_against_hot_spots{0.5, 0.1, true};
constexpr StructuredWeights firmly_against_hot_spots{1, 0.3, true};
/// Longer paths gain more by less, and cost bandwidth sooner.
constexpr StructuredWeights hot_spots_and_extra_hops{0.05, 0.03, true};
constexpr StructuredWeights lightly_hot_spots_and_extra_hops{0.03, 0.03, true};

/// What local search with the hot spot penalty may do.
struct HotSpotLimits {
  std::uint32_t max_extra_hops;
  double most_cost;  ///< share of the bandwidth
};
constexpr HotSpotLimits minimal_paths{0, 0.008};
constexpr HotSpotLimits longer_paths{1, 0.02};
/// Where the first weights cost more than this, heavier ones cost too much (trials).
constexpr double most_to_go_on = 0.002;
/// What somewhat heavier ones may cost: they must gain more by it (keep_better()).
constexpr double most_cost_of_more = 0.012;

/// "cassp, structured 100, leaves 300", and what improves from it "..., hot spots 300, leaves 100".
std::string name_of(const StructuredStart& start, StructuredWeights weights) {
  return fmt::format(
      "{}{}, {} {:.0f}, leaves {:.0f}", start.name, start.max_extra_hops == 0 ? "" : ", extra hops",
      weights.hot_spots ? "hot spots" : "structured", 1000 * weights.shifts, 1000 * weights.leaves);
}

/// Who improves, and with what.
struct Descents {
  const Fabric& fabric;
  unsigned workers;
  const StopSignal& stop;
};

/// Local search from each start with each weight, in that order.
void enter_all(Selection& selection, const Descents& by, std::span<const StructuredStart> starts,
               std::span<const StructuredWeights> weights) {
  std::vector<std::optional<TableCandidate>> made(starts.size() * weights.size());
  run_tasks(worthwhile_workers(by.fabric, by.workers), made.size(), [&](std::size_t i) {
    const StructuredStart& start = starts[i / weights.size()];
    const StructuredWeights each = weights[i % weights.size()];
    TableCandidate candidate(name_of(start, each), *start.tables);
    improve_against_structured_traffic(by.fabric, candidate.tables,
                                       {.structured = each,
                                        .passes = is_large(by.fabric) ? 2U : 4U,
                                        .up_down = start.up_down,
                                        .max_extra_hops = start.max_extra_hops},
                                       by.stop);
    candidate.max_extra_hops = start.max_extra_hops;
    if (start.up_down != nullptr) candidate.up_down = *start.up_down;
    made[i] = std::move(candidate);
  });
  const std::size_t first = selection.size();
  for (std::optional<TableCandidate>& each : made) selection.enter(*std::move(each));
  selection.evaluate(first);
}

/// Local searches with the hot spot penalty from one candidate.
class HotSpotSearches {
 public:
  /// `by` must outlive the object.
  HotSpotSearches(Selection& selection, const Descents& by, const HotSpotLimits& limits)
      : selection_(selection),
        by_(by),
        limits_(limits),
        start_(selection.highest()),
        bandwidth_(selection.at(selection.ranking().front()).tried.bandwidth) {}

  /// The position of what is entered; nothing where it is refused, or there is nothing to enter.
  std::optional<std::size_t> enter(const StructuredWeights& weights) {
    return enter(weights, limits_.most_cost);
  }
  std::optional<std::size_t> enter(const StructuredWeights& weights, double most_cost) {
    const std::size_t position = selection_.size();
    StructuredStart start = start_of(selection_.at(start_));
    start.max_extra_hops = limits_.max_extra_hops;
    enter_structured_descents(selection_, by_.fabric, {std::move(start)},
                              {std::span(&weights, 1), {}}, by_.workers, by_.stop);
    if (selection_.size() == position) return std::nullopt;
    if (costs_too_much(selection_.at(position), most_cost)) return std::nullopt;
    return position;
  }

  /// Whether S fell, and hardly any bandwidth was given for it.
  bool may_go_on(std::size_t position) const {
    const TriedConstruction& tried = selection_.at(position).tried;
    return tried.with_servers < selection_.at(start_).tried.with_servers &&
           tried.bandwidth >= bandwidth_ * (1 - most_to_go_on);
  }

  /// Of two within the slack the index would decide, which is for nothing in hot spots: the first
  /// is refused where the other scores more at a lower S.
  void keep_better(std::size_t first, std::size_t other) {
    TriedConstruction& tried = selection_.at(first).tried;
    const TriedConstruction& better = selection_.at(other).tried;
    if (selection_.at(other).same_as || better.score <= tried.score ||
        better.with_servers >= tried.with_servers) {
      return;
    }
    tried.refusal = fmt::format("scores {:.4f}, S {:.3f}; more weight {:.4f}, {:.3f}", tried.score,
                                tried.with_servers, better.score, better.with_servers);
    selection_.at(first).tables = {};
  }

 private:
  /// Whether the candidate gave too much of the bandwidth; it is refused then.
  bool costs_too_much(TableCandidate& candidate, double most_cost) const {
    TriedConstruction& tried = candidate.tried;
    if (tried.bandwidth >= bandwidth_ * (1 - most_cost)) return false;
    tried.refusal = fmt::format("costs {:.1f} % of the bandwidth; {:.1f} % is the most",
                                100 * (1 - tried.bandwidth / bandwidth_), 100 * most_cost);
    candidate.tables = {};
    return true;
  }

  Selection& selection_;
  const Descents& by_;
  const HotSpotLimits& limits_;
  std::size_t start_;
  double bandwidth_;  // of what has been first by now
};

}  // namespace

StructuredStart start_of(const TableCandidate& candidate) {
  return {candidate.tried.name, &candidate.tables,
          candidate.up_down ? &*candidate.up_down : nullptr};
}

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
  return {for_leaves};
}

std::vector<StructuredWeights> weights_for_heal() { return {for_shifts, careful}; }

bool has_minimal_paths(const Fabric& fabric, const StructuredStart& start) {
  const AllowedChannels paths =
      start.up_down != nullptr ? AllowedChannels(fabric, *start.up_down) : AllowedChannels(fabric);
  return paths.allow(fabric, *start.tables);
}

/// The selection moves its candidates when some are entered, so the starts are kept aside.
void enter_structured_descents(Selection& selection, const Fabric& fabric,
                               std::vector<StructuredStart> starts, const StructuredTrials& trials,
                               unsigned workers, const StopSignal& stop) {
  std::erase_if(starts,
                [&](const StructuredStart& each) { return !has_minimal_paths(fabric, each); });
  if (starts.empty()) return;
  std::vector<ForwardingTables> kept;
  kept.reserve(starts.size());
  std::vector<std::optional<UpDownOrder>> orders;
  orders.reserve(starts.size());
  for (StructuredStart& each : starts) {
    kept.push_back(*each.tables);
    each.tables = &kept.back();
    orders.push_back(each.up_down != nullptr ? std::optional(*each.up_down) : std::nullopt);
    each.up_down = orders.back() ? &*orders.back() : nullptr;
  }
  const Descents by{fabric, workers, stop};
  const std::size_t first = selection.size();
  enter_all(selection, by, starts, trials.of_all);
  const std::size_t start = (selection.highest(first) - first) / trials.of_all.size();
  enter_all(selection, by, std::span(starts).subspan(start, 1), trials.of_best);
}

void enter_nonminimal(Selection& selection, const Fabric& fabric, unsigned workers,
                      const StopSignal& stop) {
  const TableCandidate& highest = selection.at(selection.highest());
  if (is_large(fabric) || highest.up_down) return;
  const Descents by{fabric, workers, stop};
  HotSpotSearches descents(selection, by, longer_paths);
  if (!descents.enter(hot_spots_and_extra_hops)) descents.enter(lightly_hot_spots_and_extra_hops);
}

void enter_against_hot_spots(Selection& selection, const Fabric& fabric, unsigned workers,
                             const StopSignal& stop) {
  const Descents by{fabric, workers, stop};
  HotSpotSearches descents(selection, by, minimal_paths);
  const std::optional<std::size_t> first = descents.enter(against_hot_spots);
  if (!first) {
    descents.enter(lightly_against_hot_spots);
  } else if (!is_large(fabric) && descents.may_go_on(*first) &&
             !descents.enter(firmly_against_hot_spots)) {
    const std::optional<std::size_t> more =
        descents.enter(more_against_hot_spots, most_cost_of_more);
    if (more) descents.keep_better(*first, *more);
  }
}

}  // namespace pssp
