// Phases are followed one after another (flow_follower.h). The bounds are the same for all tables,
// so they are computed only once.

#include "routing/structured_suite/structured_suite.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "routing/structured_suite/flow_follower.h"
#include "routing/structured_suite/phase_bound.h"

namespace pssp {
namespace {

PatternTime measure(const TrafficPattern& pattern, double bound, FlowFollower& follower) {
  PatternTime result{.name = pattern.name,
                     .phases = pattern.phases,
                     .sampled = pattern.sampled,
                     .in_summary = pattern.in_summary,
                     .beside_summary = pattern.beside_summary,
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

/// Accumulates a geometric mean.
class Factors {
 public:
  void add(double factor) {
    logarithms_ += std::log(factor);
    ++count_;
  }
  bool any() const noexcept { return count_ != 0; }
  double mean() const { return any() ? std::exp(logarithms_ / count_) : 1; }

 private:
  double logarithms_ = 0;
  double count_ = 0;
};

void summarise(SuiteTimes& times) {
  Factors all, without_rails, servers;
  for (const PatternTime& each : times.patterns) {
    if (each.beside_summary) servers.add(each.slowdown);
    if (!each.in_summary) continue;
    all.add(each.slowdown);
    if (each.name != "rails") without_rails.add(each.slowdown);
  }
  times.structured_slowdown = all.mean();
  times.without_rails = without_rails.mean();
  if (servers.any()) all.add(servers.mean());
  times.with_servers = all.mean();
}

}  // namespace

const PatternTime* SuiteTimes::find(std::string_view name) const {
  const auto found = std::find_if(patterns.begin(), patterns.end(),
                                  [name](const PatternTime& each) { return each.name == name; });
  return found == patterns.end() ? nullptr : &*found;
}

double suite_score(double bandwidth, double structured_slowdown, double weight) {
  return bandwidth / std::pow(structured_slowdown, weight);
}

StructuredSuite::StructuredSuite(const Fabric& fabric, OrderedHosts hosts, bool all_phases,
                                 Extent extent, LidUse use)
    : fabric_(fabric),
      hosts_(std::move(hosts)),
      use_(use),
      patterns_(make_patterns(fabric, hosts_.hosts, all_phases,
                              extent == Extent::quick ? phases_to_compare_by : PhaseSampling())) {
  if (extent != Extent::all) {
    std::erase_if(patterns_, [extent](const TrafficPattern& each) {
      return !each.in_summary && (extent != Extent::quick || !each.beside_summary);
    });
  }
  PhaseBound bound(fabric, hosts_.hosts, use.lids == 1);
  for (const TrafficPattern& each : patterns_) bounds_.push_back(mean_bound(each, bound));
}

SuiteTimes StructuredSuite::measure(const ForwardingTables& tables, const StopSignal& stop) const {
  SuiteTimes times;
  FlowFollower follower(fabric_, tables, hosts_.hosts, use_);
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    stop.check("structured traffic");
    times.patterns.push_back(::pssp::measure(patterns_[i], bounds_[i], follower));
    times.unrouted += times.patterns.back().unrouted;
  }
  summarise(times);
  return times;
}

}  // namespace pssp
