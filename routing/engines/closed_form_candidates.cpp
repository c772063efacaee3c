// The closed form is a rule: of what it makes, most stays as it is when a link dies. But where the
// hosts of leaves do not divide by the paths up, it has to be said which way the next leaf begins
// with, and no choice is best for all traffic: so several are made.
//
// On a tree that lost a few links that choice is made on the whole tree. What holes cost would tip
// it now this way, now that, and each time the tables would be others everywhere.

#include "routing/engines/closed_form_candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/workers.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/parts/local_search/closed_form_gaps.h"
#include "routing/engines/parts/selection/structured_candidates.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"

namespace pssp {
namespace {

constexpr std::string_view from_first_path_name = "dmodk, each leaf from the first way";
/// Of the score that makes up for hosts of all leaves that share a way.
constexpr double clearly_more = 1.01;

std::string gap_name(std::uint32_t gap) { return fmt::format("dmodk, gap {}", gap); }

}  // namespace

void ClosedFormCandidates::enter() {
  if (tree_.complete && !tree_.is_even && !is_large(fabric_) &&
      !lacks_many_links(fabric_, tree_.inferred) && !is_count_configured()) {
    const auto [name, count] = count_of_whole();
    rule_ = enter(name, count, tree_);
    return;
  }
  rule_ = enter(dmodk_engine.name, dmodk_count(options_), tree_);
  if (tree_.is_even || is_count_configured()) return;
  from_first_path_ = enter(from_first_path_name, from_first_path(), tree_);
  if (const std::uint32_t gap = best_gap(); gap != 0) enter_gap(gap);
}

std::vector<std::size_t> ClosedFormCandidates::starts() const {
  std::vector<std::size_t> positions;
  if (rule_) positions.push_back(*rule_);
  if (with_gap_) positions.push_back(*with_gap_);
  return positions;
}

void ClosedFormCandidates::prefer() {
  constexpr double as_good = 0.999;
  const TriedConstruction& rule = selection_.at(*rule_).tried;
  // Of equal tables those that were entered first stand for the others.
  const std::size_t stands_for_rule = selection_.at(*rule_).same_as.value_or(*rule_);
  for (std::size_t i = 0; i < selection_.size(); ++i) {
    TriedConstruction& other = selection_.at(i).tried;
    if (i == *rule_ || i == stands_for_rule || !other.refusal.empty()) continue;
    if (rule.with_servers > other.with_servers || rule.score < as_good * other.score) continue;
    other.refusal = fmt::format("scores {:.4f}, dmodk {:.4f}, which faults change less",
                                other.score, rule.score);
    selection_.at(i).tables = {};
  }
}

void ClosedFormCandidates::compare_first_path() {
  if (!from_first_path_) return;
  TableCandidate& first_path = selection_.at(*from_first_path_);
  const double enough = clearly_more * selection_.at(*rule_).tried.score;
  if (first_path.tried.score >= enough) return;
  first_path.tried.refusal =
      fmt::format("scores {:.4f}; {:.4f} would make up for hosts of all leaves that share a way",
                  first_path.tried.score, enough);
  first_path.tables = {};
}

bool ClosedFormCandidates::is_count_configured() const {
  return options_.given(dmodk_engine.name, "start") || options_.given(dmodk_engine.name, "gap");
}

DmodkCount ClosedFormCandidates::from_first_path() const {
  DmodkCount count = dmodk_count(options_);
  count.start = LeafStart::first;
  return count;
}

DmodkCount ClosedFormCandidates::with_gap(std::uint32_t gap) const {
  DmodkCount count = dmodk_count(options_);
  count.start = LeafStart::next;
  count.gap = gap;
  return count;
}

TableEvaluator ClosedFormCandidates::evaluator_of(const Fabric& whole) const {
  return evaluators_for(whole, Objective::structured_suite, default_structured_weight / 1000.0,
                        std::nullopt, request_.stop)
      .make_with_positions();
}

/// Of the numbers that may be left out between leaves (parts/closed_form_gaps.h), that which the
/// whole tree is best with: so a fault changes nothing about it. The largest is passed over, with
/// which each leaf begins with the first way. Where all of them cost shifts something, few are
/// tried: hosts of several kinds, or joined trees, are out of step as they are. 0: there are
/// none, or too many hosts to try.
std::uint32_t ClosedFormCandidates::best_gap() const {
  if (is_large(fabric_)) return 0;
  if (!tree_.complete) return best_gap(fabric_, tree_, selection_.evaluate_now());
  const Fabric& whole = *tree_.complete;
  return best_gap(whole, look_at_tree(whole, {}), evaluator_of(whole));
}

std::uint32_t ClosedFormCandidates::best_gap(const Fabric& whole, const TreeWithHoles& as_whole,
                                             const TableEvaluator& evaluate) const {
  std::vector<std::uint32_t> gaps = harmless_gaps(whole);
  if (gaps.size() == 1) return 0;
  if (gaps.empty()) {
    gaps = {1, 2, 3};
  } else {
    gaps.pop_back();
  }
  std::vector<double> scores(gaps.size());
  run_tasks(worthwhile_workers(fabric_, request_.workers), gaps.size(), [&](std::size_t i) {
    const HealRouting made = route_heal(whole, as_whole, {HealBase::dmodk, with_gap(gaps[i])},
                                        {.workers = 1, .stop = request_.stop});
    scores[i] = evaluate(whole, made.tables).score;
  });
  return gaps[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) -
                                       scores.begin())];
}

/// What the whole tree would have is what changes least with few holes: those that score best but
/// for the slack, and of these that of the lowest S.
ClosedFormCandidates::NamedCount ClosedFormCandidates::count_of_whole() const {
  const Fabric& whole = *tree_.complete;
  const TreeWithHoles as_whole = look_at_tree(whole, {});
  const TableEvaluator evaluate = evaluator_of(whole);
  const std::uint32_t gap = best_gap(whole, as_whole, evaluate);
  std::vector<NamedCount> counts{{std::string(dmodk_engine.name), dmodk_count(options_)}};
  if (gap != 0) counts.emplace_back(gap_name(gap), with_gap(gap));
  counts.emplace_back(std::string(from_first_path_name), from_first_path());
  std::vector<TableQuality> qualities;
  double best = 0;
  for (const auto& [name, count] : counts) {
    const HealRouting made = route_heal(whole, as_whole, {HealBase::dmodk, count},
                                        {.workers = 1, .stop = request_.stop});
    qualities.push_back(evaluate(whole, made.tables));
    if (count.start == LeafStart::first) qualities.back().score /= clearly_more;
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

void ClosedFormCandidates::enter_gap(std::uint32_t gap) {
  with_gap_ = enter(gap_name(gap), with_gap(gap), tree_);
}

/// Returns its position.
std::size_t ClosedFormCandidates::enter(std::string_view name, const DmodkCount& count,
                                        const TreeWithHoles& tree) {
  HealRouting made = route_heal(fabric_, tree, {HealBase::dmodk, count},
                                {.workers = request_.workers, .stop = request_.stop});
  TableCandidate candidate(std::string(name), std::move(made.tables));
  candidate.up_down = std::move(made.order);
  selection_.enter(std::move(candidate));
  return selection_.size() - 1;
}

}  // namespace pssp
