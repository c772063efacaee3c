// If the hosts per leaf are no multiple of the uplinks, D-mod-K has to choose with which uplink the
// next leaf starts, and no choice is best for all traffic. So several choices are candidates.
//
// If a few links are missing, the choice is made on the complete tree: otherwise each fault could
// change the choice, and with it all tables.

#include "routing/engines/dmodk_candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/workers.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/parts/local_search/dmodk_gaps.h"
#include "routing/engines/parts/selection/structured_candidates.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"
#include "routing/engines/parts/tuning.h"

namespace pssp {
namespace {

constexpr std::string_view from_first_path_name = "dmodk, start=first";

std::string gap_name(std::uint32_t gap) { return fmt::format("dmodk, gap {}", gap); }

}  // namespace

void DmodkCandidates::add() {
  if (tree_.complete && !tree_.is_even && !is_large(fabric_) &&
      !lacks_many_links(fabric_, tree_.inferred) && !is_count_configured()) {
    const auto [name, count] = count_for_complete_tree();
    plain_ = add(name, count, tree_);
    return;
  }
  plain_ = add(dmodk_engine.name, dmodk_count(options_), tree_);
  if (tree_.is_even || is_count_configured()) return;
  from_first_path_ = add(from_first_path_name, from_first_path(), tree_);
  if (const std::uint32_t gap = best_gap(); gap != 0) {
    with_gap_ = add(gap_name(gap), with_gap(gap), tree_);
  }
}

std::vector<std::size_t> DmodkCandidates::starts() const {
  std::vector<std::size_t> positions;
  if (plain_) positions.push_back(*plain_);
  if (with_gap_) positions.push_back(*with_gap_);
  return positions;
}

void DmodkCandidates::prefer_plain() {
  const TriedConstruction& plain = selection_.at(*plain_).tried;
  const std::size_t same_tables = selection_.at(*plain_).duplicate_of.value_or(*plain_);
  for (std::size_t i = 0; i < selection_.size(); ++i) {
    TriedConstruction& other = selection_.at(i).tried;
    if (i == *plain_ || i == same_tables || !other.refusal.empty()) continue;
    if (plain.with_servers > other.with_servers ||
        plain.score < tuning.as_good_as_dmodk * other.score) {
      continue;
    }
    other.refusal = fmt::format(
        "scores {:.4f}; dmodk scores {:.4f}, and faults change fewer entries of its tables",
        other.score, plain.score);
    selection_.at(i).tables = {};
  }
}

void DmodkCandidates::compare_first_path() {
  if (!from_first_path_) return;
  TableCandidate& first_path = selection_.at(*from_first_path_);
  const double enough = tuning.first_path_gain * selection_.at(*plain_).tried.score;
  if (first_path.tried.score >= enough) return;
  first_path.tried.refusal =
      fmt::format("scores {:.4f}, but must score {:.4f} because hosts of all leaves share uplinks",
                  first_path.tried.score, enough);
  first_path.tables = {};
}

bool DmodkCandidates::is_count_configured() const {
  return options_.given(dmodk_engine.name, "start") || options_.given(dmodk_engine.name, "gap");
}

DmodkCount DmodkCandidates::from_first_path() const {
  DmodkCount count = dmodk_count(options_);
  count.start = LeafStart::first;
  return count;
}

DmodkCount DmodkCandidates::with_gap(std::uint32_t gap) const {
  DmodkCount count = dmodk_count(options_);
  count.start = LeafStart::next;
  count.gap = gap;
  return count;
}

TableEvaluator DmodkCandidates::evaluator_of(const Fabric& complete) const {
  return evaluators_for(complete, Objective::structured_suite, default_structured_weight / 1000.0,
                        std::nullopt, request_.stop)
      .make_with_positions();
}

/// The gap between leaves with which the complete tree scores best, so that a fault does not change
/// it. Tries harmless_gaps() without the largest, which is start=first; if no gap is harmless, as
/// with several node types or joined trees, tries a few small ones. 0: no gap.
std::uint32_t DmodkCandidates::best_gap() const {
  if (is_large(fabric_)) return 0;
  if (!tree_.complete) return best_gap(fabric_, tree_, selection_.evaluator());
  const Fabric& complete = *tree_.complete;
  return best_gap(complete, infer_complete_tree(complete, {}), evaluator_of(complete));
}

std::uint32_t DmodkCandidates::best_gap(const Fabric& complete, const CompletedTree& tree,
                                        const TableEvaluator& evaluate) const {
  std::vector<std::uint32_t> gaps = harmless_gaps(complete);
  if (gaps.size() == 1) return 0;
  if (gaps.empty()) {
    gaps = {1, 2, 3};
  } else {
    gaps.pop_back();
  }
  std::vector<double> scores(gaps.size());
  run_tasks(worthwhile_workers(fabric_, request_.workers), gaps.size(), [&](std::size_t i) {
    const HealRouting made = route_heal(complete, tree, {HealBase::dmodk, with_gap(gaps[i])},
                                        {.workers = 1, .stop = request_.stop});
    scores[i] = evaluate(complete, made.tables).score;
  });
  return gaps[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                       scores.begin())];
}

/// The options with the lowest S on the complete tree among those within the slack of the best
/// score.
DmodkCandidates::NamedCount DmodkCandidates::count_for_complete_tree() const {
  const Fabric& complete = *tree_.complete;
  const CompletedTree tree = infer_complete_tree(complete, {});
  const TableEvaluator evaluate = evaluator_of(complete);
  const std::uint32_t gap = best_gap(complete, tree, evaluate);
  std::vector<NamedCount> counts{{std::string(dmodk_engine.name), dmodk_count(options_)}};
  if (gap != 0) counts.emplace_back(gap_name(gap), with_gap(gap));
  counts.emplace_back(std::string(from_first_path_name), from_first_path());
  std::vector<TableQuality> qualities;
  double best = 0;
  for (const auto& [name, count] : counts) {
    const HealRouting made =
        route_heal(complete, tree, {HealBase::dmodk, count}, {.workers = 1, .stop = request_.stop});
    qualities.push_back(evaluate(complete, made.tables));
    if (count.start == LeafStart::first) qualities.back().score /= tuning.first_path_gain;
    best = std::max(best, qualities.back().score);
  }
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_good = qualities[i].score >= best * (1 - slack_);
    const bool is_chosen_good = qualities[chosen].score >= best * (1 - slack_);
    if (!is_good) continue;
    if (!is_chosen_good || qualities[i].with_servers < qualities[chosen].with_servers) chosen = i;
  }
  return counts[chosen];
}

/// Returns the position of the candidate.
std::size_t DmodkCandidates::add(std::string_view name, const DmodkCount& count,
                                 const CompletedTree& tree) {
  HealRouting made = route_heal(fabric_, tree, {HealBase::dmodk, count},
                                {.workers = request_.workers, .stop = request_.stop});
  TableCandidate candidate(std::string(name), std::move(made.tables));
  candidate.up_down = std::move(made.order);
  selection_.add(std::move(candidate));
  return selection_.size() - 1;
}

}  // namespace pssp
