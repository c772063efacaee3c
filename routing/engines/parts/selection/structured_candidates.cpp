// The structured search trades random traffic against shifts and exchanges between leaves. The best
// start differs from fabric to fabric, but the weights matter less than the start, so all starts
// are searched with a few weights, and the best start with others.
//
// The hot spot search comes last. A larger weight always lowers S at the cost of bandwidth, and the
// score alone would give up more bandwidth than users accept, so the cost is limited.
//
// Networks that are neither trees nor meshes have few minimal paths between two switches, often
// one, but many with one extra hop. These relieve hot spots, but load more channels.

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

/// What the hot spot search may do.
struct HotSpotLimits {
  std::uint32_t max_extra_hops;
  double largest_cost;  ///< share of the bandwidth
};
constexpr HotSpotLimits minimal_paths{0, tuning.hot_spot_cost};
constexpr HotSpotLimits longer_paths{1, tuning.extra_hop_cost};

/// "cassp, structured 100, leaves 300", or "..., hot spots 250, leaves 100".
std::string name_of(const SearchStart& start, StructuredWeights weights) {
  return fmt::format(
      "{}{}, {} {:.0f}, leaves {:.0f}", start.name, start.max_extra_hops == 0 ? "" : ", extra hops",
      weights.hot_spots ? "hot spots" : "structured", 1000 * weights.shifts, 1000 * weights.leaves);
}

/// What all searches of a call have in common.
struct SearchContext {
  const Fabric& fabric;
  unsigned workers;
  const StopSignal& stop;
};

bool has_minimal_paths(const Fabric& fabric, const SearchStart& start) {
  const AllowedChannels paths =
      start.up_down != nullptr ? AllowedChannels(fabric, *start.up_down) : AllowedChannels(fabric);
  return paths.allow(fabric, *start.tables);
}

TableCandidate search_from(const SearchContext& context, const SearchStart& start, std::string name,
                           StructuredWeights weights, std::uint32_t passes) {
  TableCandidate candidate(std::move(name), *start.tables);
  reduce_structured_contention(context.fabric, candidate.tables,
                               {.structured = weights,
                                .passes = passes,
                                .up_down = start.up_down,
                                .max_extra_hops = start.max_extra_hops},
                               context.stop);
  candidate.max_extra_hops = start.max_extra_hops;
  if (start.up_down != nullptr) candidate.up_down = *start.up_down;
  return candidate;
}

/// Searches from each start with each weight, in this order.
void add_searches(Selection& selection, const SearchContext& context,
                  std::span<const SearchStart> starts, std::span<const StructuredWeights> weights) {
  const std::uint32_t passes =
      is_large(context.fabric) ? tuning.passes_of_large_fabrics : tuning.passes;
  std::vector<std::optional<TableCandidate>> made(starts.size() * weights.size());
  run_tasks(worthwhile_workers(context.fabric, context.workers), made.size(), [&](std::size_t i) {
    const SearchStart& start = starts[i / weights.size()];
    const StructuredWeights each = weights[i % weights.size()];
    made[i] = search_from(context, start, name_of(start, each), each, passes);
  });
  const std::size_t first = selection.size();
  for (std::optional<TableCandidate>& each : made) selection.add(*std::move(each));
  selection.evaluate(first);
}

/// Hot spot searches from the candidate with the highest score.
class HotSpotSearches {
 public:
  /// All must outlive the object.
  HotSpotSearches(Selection& selection, const SearchContext& context, const HotSpotLimits& limits)
      : selection_(selection),
        context_(context),
        limits_(limits),
        start_(selection.highest()),
        bandwidth_(selection.at(selection.ranking().front()).tried.bandwidth) {}

  /// Position of the result; nothing if the result is refused or no search is possible.
  std::optional<std::size_t> add(const StructuredWeights& weights) {
    return add(weights, limits_.largest_cost);
  }
  std::optional<std::size_t> add(const StructuredWeights& weights, double largest_cost) {
    const std::size_t position = selection_.size();
    SearchStart start = start_of(selection_.at(start_));
    start.max_extra_hops = limits_.max_extra_hops;
    add_structured_searches(selection_, context_.fabric, {std::move(start)},
                            {std::span(&weights, 1), {}}, context_.workers, context_.stop);
    if (selection_.size() == position) return std::nullopt;
    if (costs_too_much(selection_.at(position), largest_cost)) return std::nullopt;
    return position;
  }

  /// Whether a search with a larger weight is promising.
  bool may_go_on(std::size_t position) const {
    const TriedConstruction& tried = selection_.at(position).tried;
    return tried.with_servers < selection_.at(start_).tried.with_servers &&
           tried.bandwidth >= bandwidth_ * (1 - tuning.little_hot_spot_cost);
  }

  /// The EFI decides between candidates within the slack, which says nothing about hot spots. So
  /// the first candidate is refused if the other has a higher score and a lower S.
  void keep_better(std::size_t first, std::size_t other) {
    TriedConstruction& tried = selection_.at(first).tried;
    const TriedConstruction& better = selection_.at(other).tried;
    if (selection_.at(other).duplicate_of || better.score <= tried.score ||
        better.with_servers >= tried.with_servers) {
      return;
    }
    tried.refusal =
        fmt::format("scores {:.4f} with S {:.3f}; with a larger weight, {:.4f} with S {:.3f}",
                    tried.score, tried.with_servers, better.score, better.with_servers);
    selection_.at(first).tables = {};
  }

 private:
  /// Refuses the candidate if it costs too much of the bandwidth.
  bool costs_too_much(TableCandidate& candidate, double largest_cost) const {
    TriedConstruction& tried = candidate.tried;
    if (tried.bandwidth >= bandwidth_ * (1 - largest_cost)) return false;
    tried.refusal = fmt::format("costs {:.1f} % of the bandwidth, more than the allowed {:.1f} %",
                                100 * (1 - tried.bandwidth / bandwidth_), 100 * largest_cost);
    candidate.tables = {};
    return true;
  }

  Selection& selection_;
  const SearchContext& context_;
  const HotSpotLimits& limits_;
  std::size_t start_;
  double bandwidth_;  // of the first candidate of the ranking before the searches
};

}  // namespace

SearchStart start_of(const TableCandidate& candidate) {
  return {candidate.tried.name, &candidate.tables,
          candidate.up_down ? &*candidate.up_down : nullptr};
}

bool is_small(const Fabric& fabric) { return fabric.endpoints().size() <= tuning.small_fabric; }

bool is_large(const Fabric& fabric) { return fabric.endpoints().size() > tuning.large_fabric; }

std::vector<StructuredWeights> weights_for_all(const Fabric& fabric) {
  if (!is_small(fabric)) return {tuning.of_all_starts};
  return {tuning.of_small_fabrics.begin(), tuning.of_small_fabrics.end()};
}

std::vector<StructuredWeights> weights_for_best(const Fabric& fabric) {
  if (is_small(fabric) || is_large(fabric)) return {};
  return {tuning.of_best_start};
}

/// The selection moves its candidates when some are added, so the starts are copied.
void add_structured_searches(Selection& selection, const Fabric& fabric,
                             std::vector<SearchStart> starts, const SearchWeights& weights,
                             unsigned workers, const StopSignal& stop) {
  std::erase_if(starts, [&](const SearchStart& each) { return !has_minimal_paths(fabric, each); });
  if (starts.empty()) return;
  std::vector<ForwardingTables> tables;
  tables.reserve(starts.size());
  std::vector<std::optional<UpDownOrder>> orders;
  orders.reserve(starts.size());
  for (SearchStart& each : starts) {
    tables.push_back(*each.tables);
    each.tables = &tables.back();
    orders.push_back(each.up_down != nullptr ? std::optional(*each.up_down) : std::nullopt);
    each.up_down = orders.back() ? &*orders.back() : nullptr;
  }
  const SearchContext context{fabric, workers, stop};
  const std::size_t first = selection.size();
  add_searches(selection, context, starts, weights.of_all);
  const std::size_t best = (selection.highest(first) - first) / weights.of_all.size();
  add_searches(selection, context, std::span(starts).subspan(best, 1), weights.of_best);
}

void add_random_traffic_search(Selection& selection, const Fabric& fabric, std::size_t position,
                               const StopSignal& stop) {
  const SearchStart start = start_of(selection.at(position));
  if (!has_minimal_paths(fabric, start)) return;
  selection.add(search_from({fabric, 1, stop}, start, start.name + ", improved", {},
                            tuning.passes_without_structured_terms));
}

void add_hot_spot_search(Selection& selection, const Fabric& fabric, unsigned workers,
                         const StopSignal& stop) {
  const SearchContext context{fabric, workers, stop};
  HotSpotSearches searches(selection, context, minimal_paths);
  const std::optional<std::size_t> first = searches.add(tuning.hot_spots);
  if (!first) {
    searches.add(tuning.light_hot_spots);
  } else if (!is_large(fabric) && searches.may_go_on(*first) &&
             !searches.add(tuning.heaviest_hot_spots)) {
    const std::optional<std::size_t> heavier =
        searches.add(tuning.heavier_hot_spots, tuning.heavier_hot_spot_cost);
    if (heavier) searches.keep_better(*first, *heavier);
  }
}

void add_nonminimal_search(Selection& selection, const Fabric& fabric, unsigned workers,
                           const StopSignal& stop) {
  if (is_large(fabric) || selection.at(selection.highest()).up_down) return;
  const SearchContext context{fabric, workers, stop};
  HotSpotSearches searches(selection, context, longer_paths);
  if (!searches.add(tuning.extra_hops)) searches.add(tuning.light_extra_hops);
}

}  // namespace pssp
