// Lowering the EFI (efi_reduction.h) proceeds in stages of growing size while the score stays high
// enough, because one evaluation takes as long as hundreds of moves.
//
// Slow steps (scores, EFI reduction, lane checks) run in parallel, and their results are added in
// the order of the candidates.

#include "routing/engines/parts/selection/selection.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/workers.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/tables/channel_loads.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/parts/local_search/efi_reduction.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"
#include "routing/verify/lanes.h"

namespace pssp {
namespace {

constexpr std::string_view selection_name = "comparison of tables";

void copy_figures(const TriedConstruction& from, TriedConstruction& to) {
  to.score = from.score;
  to.bandwidth = from.bandwidth;
  to.slowdown = from.slowdown;
  to.with_servers = from.with_servers;
  to.index = from.index;
  to.lids = from.lids;
}

}  // namespace

Selection::Selection(const Fabric& fabric, TableEvaluator evaluate, Rules rules, unsigned workers,
                     const StopSignal& stop)
    : fabric_(fabric),
      evaluator_(std::move(evaluate)),
      rules_(rules),
      workers_(worthwhile_workers(fabric, workers)),
      stop_(stop) {}

void Selection::add_planes(TableCandidate planes, bool needs_one_lane) {
  const bool is_refused = !planes.tried.refusal.empty();
  if (needs_one_lane && !is_refused) check_lanes(planes);
  if (!needs_one_lane || is_refused || planes.tried.one_lane) add(std::move(planes));
}

void Selection::prefer_low_slowdown(TableEvaluator evaluate) {
  rules_.prefers_low_slowdown = true;
  evaluator_ = std::move(evaluate);
  this->evaluate();
}

void Selection::evaluate(std::size_t first) {
  std::vector<std::size_t> positions;
  for (std::size_t i = first; i < size(); ++i) {
    at(i).duplicate_of = find_same(i);
    positions.push_back(i);
  }
  evaluate(positions);
}

/// Duplicates get the figures of the first candidate with their tables.
void Selection::evaluate(const std::vector<std::size_t>& positions) {
  std::vector<std::size_t> distinct;
  std::copy_if(positions.begin(), positions.end(), std::back_inserter(distinct),
               [&](std::size_t i) { return !at(i).duplicate_of; });
  run_tasks(workers_, distinct.size(), [&](std::size_t i) { evaluate(at(distinct[i])); });
  for (const std::size_t i : positions) {
    if (at(i).duplicate_of) copy_figures(at(*at(i).duplicate_of).tried, at(i).tried);
  }
}

void Selection::evaluate_best_by_lids(TableEvaluator evaluate, unsigned lids) {
  const double enough = good_score();
  base_evaluator_ = std::exchange(evaluator_, std::move(evaluate));
  lids_ = lids;
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < size(); ++i) {
    TableCandidate& each = at(i);
    if (!each.tried.refusal.empty()) continue;
    each.is_eliminated = each.tried.score < enough;
    if (each.is_eliminated) continue;
    each.tried.base_score = each.tried.score;
    best.push_back(i);
  }
  this->evaluate(best);
}

/// The first candidate with these tables: without faults cassp often returns its start.
std::optional<std::size_t> Selection::find_same(std::size_t position) const {
  if (!at(position).tried.refusal.empty()) return std::nullopt;
  for (std::size_t k = 0; k < position; ++k) {
    if (at(k).tables == at(position).tables) return k;
  }
  return std::nullopt;
}

void Selection::evaluate(TableCandidate& candidate) const {
  if (!candidate.tried.refusal.empty()) return;
  stop_.check(selection_name);
  const TableQuality quality = evaluator_(fabric_, candidate.tables);
  if (base_evaluator_ && candidate.tried.base_score == 0) {
    candidate.tried.base_score = base_evaluator_(fabric_, candidate.tables).score;
  }
  candidate.tried.score = quality.score;
  candidate.tried.bandwidth = quality.bandwidth;
  candidate.tried.slowdown = quality.slowdown;
  candidate.tried.with_servers = quality.with_servers;
  candidate.tried.lids = lids_;
  candidate.tried.index = edge_forwarding_index(fabric_, channel_loads(fabric_, candidate.tables));
}

double Selection::best_score() const {
  double best = 0;
  for (const TableCandidate& each : candidates_) {
    if (!each.is_eliminated && each.tried.refusal.empty()) best = std::max(best, each.tried.score);
  }
  return best;
}

double Selection::good_score() const { return best_score() * (1 - rules_.slack); }

std::vector<std::size_t> Selection::with_score(double enough) const {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!at(i).tried.refusal.empty() || at(i).duplicate_of || at(i).tried.score < enough) continue;
    positions.push_back(i);
  }
  return positions;
}

/// A lower EFI never raises the score unless the score depends on the busiest channel, so that only
/// copies of the best candidates can win.
void Selection::add_with_lower_efi() {
  const double enough = rules_.scores_busiest_channel ? 0 : best_score() * (1 - rules_.efi_slack);
  const std::vector<std::size_t> best = with_score(enough);
  std::vector<std::optional<TableCandidate>> made(best.size());
  run_tasks(workers_, best.size(),
            [&](std::size_t i) { made[i] = with_lower_efi(at(best[i]), enough); });
  for (std::optional<TableCandidate>& each : made) {
    if (each) add(*std::move(each));
  }
}

/// Lowers the EFI while the score is at least `enough`. Returns nothing if not even the first stage
/// allows this, or if the tables contain non-minimal paths.
std::optional<TableCandidate> Selection::with_lower_efi(const TableCandidate& candidate,
                                                        double enough) const {
  const AllowedChannels paths =
      candidate.up_down ? AllowedChannels(fabric_, *candidate.up_down) : AllowedChannels(fabric_);
  if (!paths.allow(fabric_, candidate.tables)) return std::nullopt;
  std::optional<TableCandidate> best;
  ForwardingTables tables = candidate.tables;
  std::uint64_t probes_left = 20'000'000;
  std::uint64_t moves = std::max<std::uint64_t>(250, fabric_.channel_count() / 8);
  for (bool is_stage_full = true; is_stage_full; moves *= 2) {
    const EfiReduction reduction = reduce_efi(fabric_, paths, tables, probes_left, moves, stop_);
    if (reduction.moves == 0) break;
    TableCandidate next(candidate.tried.name + ", lower EFI", tables);
    evaluate(next);
    if (next.tried.score < enough) break;
    best = std::move(next);
    probes_left -= reduction.probes;
    is_stage_full = reduction.moves == moves;
  }
  if (best) best->up_down = candidate.up_down;
  return best;
}

/// Virtual lanes matter only within the slack.
void Selection::check_lanes() {
  std::vector<std::size_t> best = with_score(good_score());
  std::erase_if(best, [&](std::size_t i) { return at(i).is_eliminated; });
  run_tasks(workers_, best.size(), [&](std::size_t i) {
    stop_.check(selection_name);
    check_lanes(at(best[i]));
  });
}

void Selection::check_lanes(TableCandidate& candidate) const {
  if (std::exchange(candidate.are_lanes_checked, true)) return;
  candidate.tried.one_lane =
      candidate.up_down || verify_one_lane(fabric_, candidate.tables).is_deadlock_free();
}

std::size_t Selection::highest(std::size_t first) const {
  std::size_t best = size();
  for (std::size_t i = first; i < size(); ++i) {
    if (!at(i).tried.refusal.empty()) continue;
    if (best == size() || at(i).tried.score > at(best).tried.score) best = i;
  }
  return best;
}

std::vector<std::size_t> Selection::ranking() const {
  std::vector<std::size_t> order = with_score(0);
  const double enough = good_score();
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const TriedConstruction& a = at(left).tried;
    const TriedConstruction& b = at(right).tried;
    if (at(left).is_eliminated != at(right).is_eliminated) return at(right).is_eliminated;
    if (at(left).is_eliminated) return a.score > b.score;
    if ((a.score >= enough) != (b.score >= enough)) return a.score >= enough;
    if (a.one_lane != b.one_lane) return a.one_lane;
    if (a.score >= enough && at(left).max_extra_hops != at(right).max_extra_hops) {
      return at(left).max_extra_hops < at(right).max_extra_hops;
    }
    if (a.score >= enough && rules_.prefers_low_slowdown && a.with_servers != b.with_servers) {
      return a.with_servers < b.with_servers;
    }
    if (a.score >= enough && a.index != b.index) return a.index < b.index;
    return a.score > b.score;
  });
  return order;
}

std::vector<std::size_t> Selection::most_promising() const {
  const std::vector<std::size_t> order = ranking();
  std::vector<std::size_t> positions(1, order.front());
  if (!rules_.prefers_low_slowdown) return positions;
  const std::size_t highest = *std::max_element(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return at(a).tried.score < at(b).tried.score; });
  if (highest != order.front()) positions.push_back(highest);
  return positions;
}

}  // namespace pssp
