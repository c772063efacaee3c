// Levels follow the verdicts, which improve only after a whole window, so there is no second
// hysteresis here. Whether a node is drained is decided once, in the sweep in which it becomes
// unfit. The decision holds as long as the node is unfit, including sweeps in which its state is
// unknown.
//
// In the history, the state of a node is a series of verdicts at its first port.

#include "monitor/analysis/fit_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::size_t most_named = 10;

std::string joined(const std::vector<FitReason>& reasons) {
  std::string text;
  for (const FitReason& each : reasons) text += (text.empty() ? "" : "; ") + each.text;
  return text;
}

DrainAdvice advice_of(const VerdictRecord& row) {
  if (row.value == static_cast<double>(DrainAdvice::drain)) return DrainAdvice::drain;
  return row.value == static_cast<double>(DrainAdvice::held_back) ? DrainAdvice::held_back
                                                                  : DrainAdvice::none;
}

}  // namespace

void FitWatch::restore_positions(const FabricMap& map, std::int64_t time_ms) {
  positions_.update(map, time_ms);
}

void FitWatch::restore(const std::vector<VerdictRecord>& rows) {
  std::map<PortKey, const std::string*> names;
  for (const auto& [name, node] : positions_.nodes()) {
    for (const RailPort& rail : node.rails) names.try_emplace(rail.adapter, &name);
  }
  for (const VerdictRecord& row : rows) {
    const auto found = names.find(row.port);
    if (found == names.end()) {
      // The node of the row is no longer known, so the row ends at its own start.
      if (!row.until_ms) changes_.push_back(row);
      if (!row.until_ms) changes_.back().until_ms = row.since_ms;
      continue;
    }
    const DrainAdvice advice = advice_of(row);
    if (advice == DrainAdvice::drain) guard_.restore(*found->second, row.since_ms);
    if (row.until_ms) continue;
    states_[*found->second] = {row.level, advice, row.since_ms, row.port, row.reason};
  }
}

FitList FitWatch::standing() const {
  std::vector<NodeFit> fits = unknown_fit(positions_, {});
  for (NodeFit& fit : fits) {
    fit.level = Level::good;
    fit.reasons.clear();
    const auto state = states_.find(fit.name);
    if (state == states_.end()) continue;
    fit.level = state->second.level;
    fit.advice = state->second.advice;
    fit.since_ms = state->second.since_ms;
    fit.reasons.push_back({fit.level, state->second.port, state->second.reason});
  }
  return FitList(std::move(fits));
}

void FitWatch::add(const FitEvidence& evidence, bool has_verdicts) {
  const bool is_fabric = positions_.update(evidence.map, evidence.time_ms);
  std::vector<NodeFit> fits;
  if (!has_verdicts) {
    fits = unknown_fit(positions_, "nodes are rated from the second sweep on");
  } else if (!is_fabric) {
    fits = unknown_fit(positions_, "the discovered topology cannot be routed");
  } else {
    fits = evaluate_fit(positions_, evidence);
  }
  if (has_verdicts && !has_begun_) {
    has_begun_ = true;
    changes_.push_back({{},
                        std::string(node_fitness),
                        Level::good,
                        evidence.time_ms,
                        {},
                        0,
                        0,
                        "nodes are rated"});
  }
  for (NodeFit& fit : fits) take(fit, evidence.time_ms);
  advise(fits, evidence.time_ms);
  std::erase_if(states_, [&](const auto& each) {
    if (positions_.nodes().contains(each.first)) return false;
    record(each.second, evidence.time_ms);
    return true;
  });
  list_ = std::make_shared<const FitList>(std::move(fits));
}

void FitWatch::take(NodeFit& fit, std::int64_t time_ms) {
  const auto at = states_.find(fit.name);
  if (fit.level == Level::unknown) {
    fit.since_ms = since_.try_emplace(fit.name, time_ms).first->second;
    return;
  }
  if (at != states_.end() && at->second.level == fit.level) {
    fit.since_ms = at->second.since_ms;
    fit.advice = at->second.advice;
    since_.erase(fit.name);
    return;
  }
  if (at != states_.end()) {
    record(at->second, time_ms);
    states_.erase(at);
    since_.erase(fit.name);
  }
  if (fit.level == Level::good) {
    fit.since_ms = since_.try_emplace(fit.name, time_ms).first->second;
    return;
  }
  since_.erase(fit.name);
  fit.since_ms = time_ms;
  states_[fit.name] = {fit.level, DrainAdvice::none, time_ms, fit.ports.front(),
                       joined(fit.reasons)};
  turned_.push_back(fit.name);
}

/// Goes through the nodes in the order of their names, with numbers compared by value, so that the
/// choice among nodes that become unfit in the same sweep does not depend on chance.
void FitWatch::advise(std::vector<NodeFit>& fits, std::int64_t time_ms) {
  std::vector<std::string> turned = std::exchange(turned_, {});
  std::ranges::sort(turned, [](const std::string& a, const std::string& b) {
    const int order = compare_with_numbers(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  std::map<std::string_view, NodeFit*> of;
  for (NodeFit& fit : fits) of.emplace(fit.name, &fit);
  const auto nodes = static_cast<std::size_t>(std::ranges::count_if(fits, &NodeFit::is_named));
  std::vector<std::string> held_back;
  for (const std::string& name : turned) {
    NodeFit& fit = *of.at(name);
    State& state = states_.at(name);
    // Schedulers do not know nodes by names that come from a topology file.
    if (fit.level == Level::bad && fit.is_named) {
      state.advice = guard_.turns_unfit(name, time_ms, nodes);
      fit.advice = state.advice;
      if (fit.advice == DrainAdvice::held_back) held_back.push_back(name);
    }
    record(state, std::nullopt);
  }
  if (!held_back.empty()) report_held_back(held_back, time_ms);
}

void FitWatch::report_held_back(const std::vector<std::string>& names, std::int64_t time_ms) {
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    list += (i == 0 ? "" : ", ") + untrusted_text(names[i]);
  }
  if (names.size() > most_named) list += fmt::format(" and {} more", names.size() - most_named);
  MonitorEvent event;
  event.kind = EventKind::drain_held_back;
  event.time_ms = time_ms;
  event.text = fmt::format(
      "{} became unfit for jobs and {} not drained, because too many nodes became unfit within an "
      "hour: {}",
      names.size() == 1 ? "a node" : fmt::format("{} nodes", names.size()),
      names.size() == 1 ? "is" : "are", list);
  events_.push_back(std::move(event));
}

void FitWatch::record(const State& state, std::optional<std::int64_t> until_ms) {
  VerdictRecord row;
  row.port = state.port;
  row.what = node_fitness;
  row.level = state.level;
  row.since_ms = state.since_ms;
  if (until_ms) row.until_ms = std::max(*until_ms, state.since_ms);
  row.value = static_cast<double>(state.advice);
  row.reason = state.reason;
  changes_.push_back(std::move(row));
}

}  // namespace pssp
