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
// On networks that are neither trees nor meshes the shortest ways between two switches are few,
// often one, and those that are one hop longer are many. There crowds are parted by these; what
// they cost is bandwidth, as each route then loads more channels.

#include "routing/engines/parts/contest/structured_contestants.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/workers.h"
#include "fabric/paths/allowed_ways.h"
#include "routing/engines/parts/contest/worthwhile_workers.h"
#include "routing/engines/parts/healing/structured_descent.h"

namespace pssp {
namespace {

constexpr StructuredWeights light{0.1, 0.03};
constexpr StructuredWeights careful{0.1, 0.1};
constexpr StructuredWeights balanced{0.1, 0.2};
constexpr StructuredWeights for_leaves{0.1, 0.3};
constexpr StructuredWeights for_shifts{0.3, 0.2};

constexpr StructuredWeights against_crowds{0.25, 0.1, true};
constexpr StructuredWeights lightly_against_crowds{0.1, 0.2, true};
constexpr StructuredWeights more_against_crowds{0.5, 0.1, true};
constexpr StructuredWeights firmly_against_crowds{1, 0.3, true};
/// Longer ways gain more by less, and cost bandwidth sooner.
constexpr StructuredWeights crowds_and_detours{0.05, 0.03, true};
constexpr StructuredWeights lightly_crowds_and_detours{0.03, 0.03, true};

/// What descents by crowds may do.
struct CrowdLimits {
  std::uint32_t max_detour;
  double most_cost;  ///< share of the bandwidth
};
constexpr CrowdLimits shortest_ways{0, 0.008};
constexpr CrowdLimits longer_ways{1, 0.02};
/// Where the first weights cost more than this, heavier ones cost too much (trials).
constexpr double most_to_go_on = 0.002;
/// What somewhat heavier ones may cost: they must gain more by it (keep_better()).
constexpr double most_cost_of_more = 0.012;

/// "cassp, structured 100, leaves 300", and what descends from it "..., crowds 300, leaves 100".
std::string name_of(const StructuredStart& start, StructuredWeights weights) {
  return fmt::format(
      "{}{}, {} {:.0f}, leaves {:.0f}", start.name, start.max_detour == 0 ? "" : ", detours",
      weights.crowds ? "crowds" : "structured", 1000 * weights.shifts, 1000 * weights.leaves);
}

/// Who descends, and with what.
struct Descents {
  const Fabric& fabric;
  unsigned workers;
  const StopSignal& stop;
};

/// Descends from each start by each weight, in that order.
void enter_all(Contest& contest, const Descents& by, std::span<const StructuredStart> starts,
               std::span<const StructuredWeights> weights) {
  std::vector<std::optional<Contestant>> made(starts.size() * weights.size());
  run_tasks(worthwhile_workers(by.fabric, by.workers), made.size(), [&](std::size_t i) {
    const StructuredStart& start = starts[i / weights.size()];
    const StructuredWeights each = weights[i % weights.size()];
    Contestant contestant(name_of(start, each), *start.tables);
    descend_against_structured_traffic(by.fabric, contestant.tables,
                                       {.structured = each,
                                        .passes = is_large(by.fabric) ? 2U : 4U,
                                        .up_down = start.up_down,
                                        .by_rank = start.by_rank,
                                        .max_detour = start.max_detour},
                                       by.stop);
    contestant.may_be_relieved = !start.by_rank;
    contestant.max_detour = start.max_detour;
    if (start.up_down != nullptr) contestant.up_down = *start.up_down;
    made[i] = std::move(contestant);
  });
  const std::size_t first = contest.size();
  for (std::optional<Contestant>& each : made) contest.enter(*std::move(each));
  contest.judge(first);
}

/// Descents by crowds from one contestant.
class CrowdDescents {
 public:
  /// `by` must outlive the object.
  CrowdDescents(Contest& contest, const Descents& by, const CrowdLimits& limits)
      : contest_(contest),
        by_(by),
        limits_(limits),
        start_(contest.highest()),
        bandwidth_(contest.at(contest.ranking().front()).tried.bandwidth) {}

  /// The position of what is entered; nothing where it is refused, or there is nothing to enter.
  std::optional<std::size_t> enter(const StructuredWeights& weights) {
    return enter(weights, limits_.most_cost);
  }
  std::optional<std::size_t> enter(const StructuredWeights& weights, double most_cost) {
    const std::size_t position = contest_.size();
    StructuredStart start = start_of(contest_.at(start_));
    start.max_detour = limits_.max_detour;
    enter_structured_descents(contest_, by_.fabric, {std::move(start)},
                              {std::span(&weights, 1), {}}, by_.workers, by_.stop);
    if (contest_.size() == position) return std::nullopt;
    if (costs_too_much(contest_.at(position), most_cost)) return std::nullopt;
    return position;
  }

  /// Whether S fell, and hardly any bandwidth was given for it.
  bool may_go_on(std::size_t position) const {
    const TriedConstruction& tried = contest_.at(position).tried;
    return tried.with_servers < contest_.at(start_).tried.with_servers &&
           tried.bandwidth >= bandwidth_ * (1 - most_to_go_on);
  }

  /// Of two within the slack the index would decide, which is for nothing in crowds: the first is
  /// refused where the other scores more at a lower S.
  void keep_better(std::size_t first, std::size_t other) {
    TriedConstruction& tried = contest_.at(first).tried;
    const TriedConstruction& better = contest_.at(other).tried;
    if (contest_.at(other).same_as || better.score <= tried.score ||
        better.with_servers >= tried.with_servers) {
      return;
    }
    tried.refusal = fmt::format("scores {:.4f}, S {:.3f}; more weight {:.4f}, {:.3f}", tried.score,
                                tried.with_servers, better.score, better.with_servers);
    contest_.at(first).tables = {};
  }

 private:
  /// Whether the contestant gave too much of the bandwidth; it is refused then.
  bool costs_too_much(Contestant& contestant, double most_cost) const {
    TriedConstruction& tried = contestant.tried;
    if (tried.bandwidth >= bandwidth_ * (1 - most_cost)) return false;
    tried.refusal = fmt::format("costs {:.1f} % of the bandwidth; {:.1f} % is the most",
                                100 * (1 - tried.bandwidth / bandwidth_), 100 * most_cost);
    contestant.tables = {};
    return true;
  }

  Contest& contest_;
  const Descents& by_;
  const CrowdLimits& limits_;
  std::size_t start_;
  double bandwidth_;  // of what has been first by now
};

}  // namespace

StructuredStart start_of(const Contestant& contestant) {
  return {contestant.tried.name, &contestant.tables,
          contestant.up_down ? &*contestant.up_down : nullptr, !contestant.may_be_relieved};
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

std::vector<StructuredWeights> weights_for_healed() { return {for_shifts, careful}; }

bool has_shortest_ways(const Fabric& fabric, const StructuredStart& start) {
  if (start.by_rank) return true;
  const AllowedWays ways =
      start.up_down != nullptr ? AllowedWays(fabric, *start.up_down) : AllowedWays(fabric);
  return ways.allow(fabric, *start.tables);
}

/// The contest moves its contestants when some are entered, so the starts are kept aside.
void enter_structured_descents(Contest& contest, const Fabric& fabric,
                               std::vector<StructuredStart> starts, const StructuredTrials& trials,
                               unsigned workers, const StopSignal& stop) {
  std::erase_if(starts,
                [&](const StructuredStart& each) { return !has_shortest_ways(fabric, each); });
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
  const std::size_t first = contest.size();
  enter_all(contest, by, starts, trials.of_all);
  const std::size_t start = (contest.highest(first) - first) / trials.of_all.size();
  enter_all(contest, by, std::span(starts).subspan(start, 1), trials.of_best);
}

void enter_detours(Contest& contest, const Fabric& fabric, unsigned workers,
                   const StopSignal& stop) {
  const Contestant& highest = contest.at(contest.highest());
  if (is_large(fabric) || highest.up_down || !highest.may_be_relieved) return;
  const Descents by{fabric, workers, stop};
  CrowdDescents descents(contest, by, longer_ways);
  if (!descents.enter(crowds_and_detours)) descents.enter(lightly_crowds_and_detours);
}

void enter_against_crowds(Contest& contest, const Fabric& fabric, unsigned workers,
                          const StopSignal& stop) {
  const Descents by{fabric, workers, stop};
  CrowdDescents descents(contest, by, shortest_ways);
  const std::optional<std::size_t> first = descents.enter(against_crowds);
  if (!first) {
    descents.enter(lightly_against_crowds);
  } else if (!is_large(fabric) && descents.may_go_on(*first) &&
             !descents.enter(firmly_against_crowds)) {
    const std::optional<std::size_t> more = descents.enter(more_against_crowds, most_cost_of_more);
    if (more) descents.keep_better(*first, *more);
  }
}

}  // namespace pssp
