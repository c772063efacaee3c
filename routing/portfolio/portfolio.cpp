// Each flow is followed through the tables once: the channels of its way are written one after the
// other into a buffer, and loaded. A second walk over the buffer finds the most loaded channel of
// each flow, and a third empties the loads, so that a phase of few flows costs little on a large
// fabric.

#include "routing/portfolio/portfolio.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/no_index.h"
#include "routing/portfolio/phase_bound.h"

namespace pssp {
namespace {

/// Above this many, a seventh of the phases tells tables apart as well as all do.
constexpr std::size_t hosts_to_compare_by = 256;

struct PhaseTime {
  double largest = 0;
  double sum = 0;
  std::size_t routed = 0;
};

/// Follows the flows of one phase after the other.
class FlowFollower {
 public:
  FlowFollower(const Fabric& fabric, const ForwardingTables& tables,
               const std::vector<EndPortId>& hosts, const LidUse& use)
      : fabric_(fabric),
        tables_(tables),
        is_free_(use.striping == Striping::free),
        units_(static_cast<double>(units_of_a_flow(use.lids))),
        load_(fabric.channel_count(), 0) {
    index_ports();
    for (const EndPortId e : hosts) {
      const EndPort& port = fabric.end_port(e);
      const std::uint32_t lids = lids_in_use(use, port.lmc);
      ends_.push_back({port.attached.value(), port.lid, port.switch_port, lids,
                       units_of_a_flow(use.lids) / lids, fabric.end_port_cost(e)});
    }
  }

  PhaseTime follow(std::span<const HostFlow> flows) {
    for (const HostFlow& flow : flows) {
      const End& to = ends_[flow.to];
      for (std::uint32_t k = 0; k < to.lids; ++k) follow(ends_[flow.from], to, to.lid + k);
    }
    PhaseTime time;
    std::size_t begin = 0;
    auto way = ways_.begin();
    for (const HostFlow& flow : flows) {
      const std::uint32_t lids = ends_[flow.to].lids;
      double rate = 0;
      double largest = 0;
      std::uint32_t arrived = 0;
      for (std::uint32_t k = 0; k < lids; ++k, ++way) {
        if (!way->arrives) continue;
        const double congestion = congestion_of(*way, begin);
        begin = way->end;
        ++arrived;
        rate += 1 / congestion;
        largest = std::max(largest, congestion);
      }
      if (arrived == 0 || (!is_free_ && arrived < lids)) continue;
      const double congestion = is_free_ && lids > 1 ? lids / rate : largest;
      ++time.routed;
      time.largest = std::max(time.largest, congestion);
      time.sum += congestion;
    }
    for (const std::uint32_t channel : channels_) load_[channel] = 0;
    channels_.clear();
    ways_.clear();
    return time;
  }

 private:
  struct End {
    std::uint32_t at;  // switch
    Lid lid;
    PortNumber port;
    std::uint32_t lids;  // that flows to it are striped over
    std::uint64_t part;  // of the units of a flow, to each of them
    double cost;
  };
  /// Of a flow, to one LID.
  struct Way {
    bool arrives;
    std::size_t end;   // in channels_
    double ends_cost;  // of the links of source and destination, which carry this flow alone
  };
  static constexpr std::size_t ports = 256;

  void index_ports() {
    channel_behind_.assign(fabric_.switch_count() * ports, no_index);
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      channel_behind_[fabric_.channel_tail()[c] * ports + fabric_.channel_out_port()[c]] = c;
    }
  }

  double cost(std::uint32_t channel) const { return fabric_.channel_cost()[channel]; }

  double congestion_of(const Way& way, std::size_t begin) const {
    double congestion = way.ends_cost;
    for (std::size_t i = begin; i < way.end; ++i) {
      const double load = static_cast<double>(load_[channels_[i]]) / units_;
      congestion = std::max(congestion, load * cost(channels_[i]));
    }
    return congestion;
  }

  void follow(const End& from, const End& to, std::uint32_t lid) {
    const std::size_t begin = channels_.size();
    if (lid > tables_.max_lid()) {
      ways_.push_back({false, begin, 0});
      return;
    }
    const PortNumber* const column = tables_.entries().data() + lid;
    std::uint32_t at = from.at;
    // A way that visits more switches than there are is a loop.
    for (std::size_t hops = 0; hops <= fabric_.switch_count(); ++hops) {
      const PortNumber port = column[at * tables_.width()];
      if (at == to.at && port == to.port) {
        for (std::size_t i = begin; i < channels_.size(); ++i) load_[channels_[i]] += to.part;
        ways_.push_back({true, channels_.size(), std::max(from.cost, to.cost)});
        return;
      }
      const std::uint32_t channel = channel_behind_[at * ports + port];
      if (channel == no_index) break;
      channels_.push_back(channel);
      at = fabric_.channel_head()[channel];
    }
    channels_.resize(begin);
    ways_.push_back({false, begin, 0});
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  bool is_free_;
  double units_;
  std::vector<std::uint32_t> channel_behind_;  // by SwitchId and port
  std::vector<End> ends_;                      // by position in the host order
  std::vector<std::uint64_t> load_;            // units of flows of the present phase, by ChannelId
  std::vector<std::uint32_t> channels_;        // of all its ways
  std::vector<Way> ways_;
};

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
      patterns_(
          make_patterns(fabric, hosts_.hosts, all_phases,
                        extent == Extent::quick ? hosts_to_compare_by : hosts_to_sample_from)) {
  if (extent != Extent::all) {
    patterns_.erase(std::remove_if(patterns_.begin(), patterns_.end(),
                                   [](const TrafficPattern& each) { return !each.in_summary; }),
                    patterns_.end());
  }
  PhaseBound bound(fabric, hosts_.hosts, use.lids == 1);
  for (const TrafficPattern& each : patterns_) bounds_.push_back(mean_bound(each, bound));
}

PortfolioTimes Portfolio::measure(const ForwardingTables& tables) const {
  PortfolioTimes times;
  FlowFollower follower(fabric_, tables, hosts_.hosts, use_);
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    times.patterns.push_back(::pssp::measure(patterns_[i], bounds_[i], follower));
    times.unrouted += times.patterns.back().unrouted;
  }
  times.structured_slowdown = summarise(times.patterns, true);
  times.without_rails = summarise(times.patterns, false);
  return times;
}

}  // namespace pssp
