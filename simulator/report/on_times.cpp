// An outcome identifies the pairs of rounds by their hosts and the label of the rounds. If several
// patterns have the same label, pairs of the same hosts are in the order in which they first sent.

#include "simulator/report/on_times.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

#include "base/no_index.h"

namespace pssp {
namespace {

/// An active period of a pair.
struct PairSpan {
  Flow hosts;
  std::uint32_t owner = no_index;  ///< index of the RoundTraffic; no_index: the trace
  SimulatedTime from = 0, to = never;
  bool taken = false;  ///< matched to a flow of the outcome; valid in the first span of a pair

  auto pair() const { return std::tuple(hosts.source, hosts.destination, owner); }
  auto order() const { return std::tuple(hosts.source, hosts.destination, owner, from); }
};

class PairSpans {
 public:
  PairSpans(const Traffic& traffic, const Outcome& outcome) : traffic_(traffic) {
    std::size_t end = 0;
    for (std::uint32_t owner = 0; owner < traffic.rounds.size(); ++owner) {
      add_rounds(owner, std::span(outcome.round_ends).subspan(end));
      end += traffic.rounds[owner].rounds.size();
    }
    spans_.reserve(spans_.size() + traffic.trace.size());
    for (const TracedMessage& message : traffic.trace) {
      spans_.push_back({.hosts = message.hosts, .from = message.time});
    }
    // In a trace, the first message of a pair determines its start; two messages of a pair in one
    // round are active at the same time.
    std::ranges::sort(spans_, {}, &PairSpan::order);
    const auto same = [](const PairSpan& a, const PairSpan& b) {
      return a.pair() == b.pair() && (a.owner == no_index || a.from == b.from);
    };
    spans_.erase(std::unique(spans_.begin(), spans_.end(), same), spans_.end());
  }

  /// The spans of the next unmatched pair that fits the flow.
  std::span<const PairSpan> take(const FlowOutcome& flow) {
    const auto hosts = [](const PairSpan& span) {
      return std::tuple(span.hosts.source, span.hosts.destination);
    };
    const std::tuple wanted(flow.hosts.source, flow.hosts.destination);
    const auto end = std::ranges::upper_bound(spans_, wanted, {}, hosts);
    std::span<PairSpan> best;
    for (auto at = std::ranges::lower_bound(spans_, wanted, {}, hosts); at != end;) {
      const auto next =
          std::find_if(at, end, [&](const PairSpan& each) { return each.owner != at->owner; });
      const bool fits = !at->taken && label(at->owner) == flow.label;
      if (fits && (best.empty() || at->from < best.front().from)) best = std::span(at, next);
      at = next;
    }
    if (!best.empty()) best.front().taken = true;
    return best;
  }

 private:
  /// `ends` begins with the rounds of this owner.
  void add_rounds(std::uint32_t owner, std::span<const SimulatedTime> ends) {
    const RoundTraffic& rounds = traffic_.rounds[owner];
    SimulatedTime from = rounds.start;
    for (std::size_t round = 0; round < rounds.rounds.size() && from != never; ++round) {
      for (const Flow& flow : rounds.rounds[round]) {
        spans_.push_back({.hosts = flow, .owner = owner, .from = from, .to = ends[round]});
      }
      from = ends[round];
    }
  }

  std::string_view label(std::uint32_t owner) const {
    return owner == no_index ? std::string_view() : traffic_.rounds[owner].label;
  }

  const Traffic& traffic_;
  std::vector<PairSpan> spans_;
};

}  // namespace

std::vector<SimulatedTime> on_times(const Traffic& traffic, const Outcome& outcome,
                                    SimulatedTime since) {
  std::vector<SimulatedTime> times;
  times.reserve(outcome.flows.size());
  PairSpans spans(traffic, outcome);
  for (std::size_t i = 0; i < outcome.flows.size(); ++i) {
    const FlowOutcome& flow = outcome.flows[i];
    const SimulatedTime end = std::min(outcome.simulated, flow.finished);
    const auto within = [&](SimulatedTime from, SimulatedTime to) {
      return std::max<SimulatedTime>(0, std::min(end, to) - std::max(since, from));
    };
    if (i < traffic.flows.size()) {
      times.push_back(within(traffic.flows[i].start, traffic.flows[i].stop));
      continue;
    }
    SimulatedTime sum = 0;
    for (const PairSpan& span : spans.take(flow)) sum += within(span.from, span.to);
    times.push_back(sum);
  }
  return times;
}

}  // namespace pssp
