// Phases are followed one after the other (flow_follower.h); bounds are the same for all tables, so
// they are computed once.

#include "routing/portfolio/portfolio.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "routing/portfolio/flow_follower.h"
#include "routing/portfolio/phase_bound.h"

namespace pssp {
namespace {

PatternTime measure(const TrafficPattern& pattern, double bound, FlowFollower& follower) {
  PatternTime result{.name = pattern.name,
                     .phases = pattern.phases,
                     .sampled = pattern.sampled,
                     .in_summary = pattern.in_summary,
                     .time = 0,
                     .bound = bound};
  std::uint64_t routed = 0;
  double sum = 0;
  pattern.visit([&](std::span<const HostFlow> flows) {
    const PhaseTime phase = follower.follow(flows);
    result.time += std::max(1.0, phase.largest);
    result.unrouted += flows.size() - phase.routed;
    routed += phase.routed;
    sum += phase.sum;
  });
  result.time /= static_cast<double>(pattern.phases);
  result.slowdown = result.time / bound;
  if (routed != 0) result.mean_congestion = sum / static_cast<double>(routed);
  return result;
}

double mean_bound(const TrafficPattern& pattern, PhaseBound& bound) {
  double sum = 0;
  pattern.visit([&](std::span<const HostFlow> flows) { sum += bound.of(flows); });
  return sum / static_cast<double>(pattern.phases);
}

double summarise(const std::vector<PatternTime>& patterns, bool with_rails) {
  double logarithms = 0;
  std::size_t count = 0;
  for (const PatternTime& each : patterns) {
    if (!each.in_summary || (!with_rails && each.name == "rails")) continue;
    logarithms += std::log(each.slowdown);
    ++count;
  }
  return count == 0 ? 1 : std::exp(logarithms / static_cast<double>(count));
}

}  // namespace

const PatternTime* PortfolioTimes::find(std::string_view name) const {
  const auto found = std::find_if(patterns.begin(), patterns.end(),
                                  [name](const PatternTime& each) { return each.name == name; });
  return found == patterns.end() ? nullptr : &*found;
}

double portfolio_score(double bandwidth, double structured_slowdown, double weight) {
  return bandwidth / std::pow(structured_slowdown, weight);
}

Portfolio::Portfolio(const Fabric& fabric, OrderedHosts hosts, bool all_phases, Extent extent,
                     LidUse use)
    : fabric_(fabric),
      hosts_(std::move(hosts)),
      use_(use),
      patterns_(make_patterns(fabric, hosts_.hosts, all_phases,
                              extent == Extent::quick ? phases_to_compare_by : PhaseSampling())) {
  if (extent != Extent::all) {
    patterns_.erase(std::remove_if(patterns_.begin(), patterns_.end(),
                                   [](const TrafficPattern& each) { return !each.in_summary; }),
                    patterns_.end());
  }
  PhaseBound bound(fabric, hosts_.hosts, use.lids == 1);
  for (const TrafficPattern& each : patterns_) bounds_.push_back(mean_bound(each, bound));
}

PortfolioTimes Portfolio::measure(const ForwardingTables& tables, const StopSignal& stop) const {
  PortfolioTimes times;
  FlowFollower follower(fabric_, tables, hosts_.hosts, use_);
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    stop.check("structured traffic");
    times.patterns.push_back(::pssp::measure(patterns_[i], bounds_[i], follower));
    times.unrouted += times.patterns.back().unrouted;
  }
  times.structured_slowdown = summarise(times.patterns, true);
  times.without_rails = summarise(times.patterns, false);
  return times;
}

}  // namespace pssp
