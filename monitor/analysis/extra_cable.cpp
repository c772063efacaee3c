// A cable relieves a channel if flows leave the channel for the cable. Tables route by destination.
// At a switch X before the channel, all traffic that goes to one destination through the channel
// and later through a switch Y behind it can use a new cable from X to Y: one entry changes, and
// the packets continue from Y as before. This creates no loop, because Y is nearer to the
// destination. So each pair (X, Y) is a candidate: both ends of the channel for a parallel cable,
// and the leaf switches of its flows for a cable that avoids all switches between them.
//
// Some of the destinations that could use the cable should stay on the channel, or the cable would
// be full instead. They are assigned by descending bytes, each to whichever of the two carries less
// so far (list scheduling: Graham, 1969). The result does not claim that a subnet manager will
// choose these entries, nor that they need no more virtual lanes; it claims only that such entries
// exist.
//
// A parallel cable relieves its channel most, but the flows gain nothing if the next channel of
// their paths is equally full. Cables are therefore compared by the gain of the flows, not by the
// channel alone.

#include "monitor/analysis/extra_cable.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "monitor/analysis/flow_routes.h"

namespace pssp {
namespace {

/// Bytes that go to one destination through the channel and pass one switch before it.
struct PassingBytes {
  std::uint32_t destination = 0;
  std::size_t first = 0, end = 0;  // of passages_
  double bytes = 0;
};

/// One flow at one switch before the channel.
struct Passage {
  std::uint32_t at = 0, destination = 0, flow = 0;
  auto key() const noexcept { return std::tuple(at, destination, flow); }
};

struct CablePair {
  std::uint32_t from = 0, to = 0;
  double bytes = 0;  // bytes that could use the cable
};

class CableSearch {
 public:
  CableSearch(const Fabric& fabric, const ForwardingTables& tables, const TrafficMatrix& matrix,
              ChannelId channel, const CableOptions& options)
      : fabric_(fabric),
        matrix_(matrix),
        channel_(channel.value()),
        options_(options),
        routes_(fabric, tables, matrix.flows) {
    std::vector<double> bytes;
    bytes.reserve(matrix.flows.size());
    for (const WeightedFlow& flow : matrix.flows) bytes.push_back(flow.bytes);
    times_ = carry_times(fabric, matrix.flows, routes_, bytes);
    for (std::uint32_t i = 0; i < matrix.flows.size(); ++i) {
      if (std::ranges::count(routes_.path(i), channel_) == 0) continue;
      on_it_.push_back(i);
      bytes_ += bytes[i];
    }
    find_passages();
  }

  CableAdvice run() {
    CableAdvice advice;
    if (bytes_ <= 0) return advice;
    moved_.assign(matrix_.flows.size(), 0);
    const double now = mean_time(times_.channels, {}, 0);
    for (const CablePair& pair : pairs()) {
      options_.stop.check("examining additional cables");
      ExtraCable cable = cable_of(pair, now);
      if (cable.destinations.empty() || cable.gain < options_.least_gain) continue;
      if (has_port(pair.from) && has_port(pair.to)) {
        advice.cables.push_back(std::move(cable));
      } else {
        ++advice.without_ports;
      }
    }
    std::ranges::stable_sort(advice.cables, [](const ExtraCable& a, const ExtraCable& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.busy < b.busy;
    });
    if (advice.cables.size() > options_.most) advice.cables.resize(options_.most);
    return advice;
  }

 private:
  bool has_port(std::uint32_t s) const {
    return options_.free_ports.empty() || options_.free_ports[s] != 0;
  }

  void find_passages() {
    for (const std::uint32_t flow : on_it_) {
      const std::uint32_t destination = matrix_.flows[flow].destination;
      for (const std::uint32_t hop : routes_.path(flow)) {
        passages_.push_back({fabric_.channel_tail()[hop], destination, flow});
        if (hop == channel_) break;
      }
    }
    std::ranges::sort(passages_, {}, &Passage::key);
    first_of_.assign(fabric_.switch_count() + 1, 0);
    for (std::size_t i = 0; i < passages_.size(); ++i) {
      const Passage& each = passages_[i];
      const bool is_new = i == 0 || each.at != passages_[i - 1].at ||
                          each.destination != passages_[i - 1].destination;
      if (is_new) {
        passing_.push_back({each.destination, i, i, 0});
        ++first_of_[each.at + 1];
      }
      passing_.back().end = i + 1;
      passing_.back().bytes += matrix_.flows[each.flow].bytes;
    }
    for (std::size_t s = 1; s < first_of_.size(); ++s) first_of_[s] += first_of_[s - 1];
  }

  std::span<const PassingBytes> passing(std::uint32_t at) const {
    return std::span(passing_).subspan(first_of_[at], first_of_[at + 1] - first_of_[at]);
  }

  /// Channels of the path, starting with the searched channel.
  std::span<const std::uint32_t> behind(std::uint32_t flow) const {
    const auto path = routes_.path(flow);
    const auto at = std::ranges::find(path, channel_) - path.begin();
    return path.subspan(static_cast<std::size_t>(at));
  }

  /// Pairs of switches by descending bytes that could use a cable between them, up to the limit of
  /// probes.
  std::vector<CablePair> pairs() const {
    std::vector<CablePair> all;
    std::vector<double> reaches(fabric_.switch_count(), 0);
    for (std::uint32_t from = 0; from < fabric_.switch_count(); ++from) {
      if (passing(from).empty()) continue;
      std::ranges::fill(reaches, 0);
      for (const PassingBytes& each : passing(from)) {
        for (const std::uint32_t hop : behind(passages_[each.first].flow)) {
          reaches[fabric_.channel_head()[hop]] += each.bytes;
        }
      }
      for (std::uint32_t to = 0; to < reaches.size(); ++to) {
        if (reaches[to] > 0) all.push_back({from, to, reaches[to]});
      }
    }
    std::ranges::stable_sort(
        all, [](const CablePair& a, const CablePair& b) { return a.bytes > b.bytes; });
    if (all.size() > options_.probes) all.resize(options_.probes);
    return all;
  }

  /// Divides destinations between channel and cable; restores `moved_`.
  ExtraCable cable_of(const CablePair& pair, double now) {
    ExtraCable cable;
    cable.from = SwitchId(pair.from);
    cable.to = SwitchId(pair.to);
    std::vector<const PassingBytes*> movable;
    for (const PassingBytes& each : passing(pair.from)) {
      const auto hops = behind(passages_[each.first].flow);
      const bool reaches = std::ranges::any_of(
          hops, [&](std::uint32_t hop) { return fabric_.channel_head()[hop] == pair.to; });
      if (reaches) movable.push_back(&each);
    }
    std::ranges::stable_sort(
        movable, [](const PassingBytes* a, const PassingBytes* b) { return a->bytes > b->bytes; });
    double stays = bytes_ - pair.bytes;
    std::vector<double> loads = times_.channels;
    const double a_byte = times_.channels[channel_] / bytes_;
    for (const PassingBytes* each : movable) {
      if (cable.bytes >= stays) {
        stays += each->bytes;
        continue;
      }
      cable.bytes += each->bytes;
      move(*each, pair, cable, loads);
    }
    cable.busy = stays / bytes_;
    cable.seconds = cable.bytes * a_byte;
    cable.gain = 1 - mean_time(loads, pair, cable.seconds) / now;
    std::ranges::sort(cable.destinations);
    for (const std::uint32_t flow : on_it_) moved_[flow] = 0;
    return cable;
  }

  void move(const PassingBytes& passing, const CablePair& pair, ExtraCable& cable,
            std::vector<double>& loads) {
    cable.destinations.push_back(passing.destination);
    cable.flows += passing.end - passing.first;
    for (std::size_t i = passing.first; i < passing.end; ++i) moved_[passages_[i].flow] = 1;
    bool is_left_out = false;
    for (const std::uint32_t hop : routes_.path(passages_[passing.first].flow)) {
      is_left_out = is_left_out || fabric_.channel_tail()[hop] == pair.from;
      if (!is_left_out) continue;
      const double part = passing.bytes * times_.seconds_a_byte * fabric_.channel_cost()[hop];
      loads[hop] = std::max(0.0, loads[hop] - part);
      if (fabric_.channel_head()[hop] == pair.to) break;
    }
  }

  /// Time of the busiest link of a path, including the cables of hosts: mean over the bytes of the
  /// flows that are on the channel now.
  double mean_time(const std::vector<double>& loads, const CablePair& pair,
                   double cable_time) const {
    double sum = 0;
    for (const std::uint32_t flow : on_it_) {
      const WeightedFlow& each = matrix_.flows[flow];
      double longest = std::max(times_.sent[each.source], times_.received[each.destination]);
      bool is_left_out = false;
      for (const std::uint32_t hop : routes_.path(flow)) {
        if (moved_[flow] != 0 && fabric_.channel_tail()[hop] == pair.from) {
          is_left_out = true;
          longest = std::max(longest, cable_time);
        }
        if (!is_left_out) longest = std::max(longest, loads[hop]);
        if (fabric_.channel_head()[hop] == pair.to) is_left_out = false;
      }
      sum += longest * each.bytes;
    }
    return sum / bytes_;
  }

  const Fabric& fabric_;
  const TrafficMatrix& matrix_;
  const std::uint32_t channel_;
  const CableOptions& options_;
  const FlowRoutes routes_;
  CarryTimes times_;
  std::vector<std::uint32_t> on_it_;  // flows on the channel
  double bytes_ = 0;                  // bytes of these flows
  std::vector<Passage> passages_;     // sorted by switch, destination, flow
  std::vector<PassingBytes> passing_;
  std::vector<std::size_t> first_of_;  // by switch, index into passing_
  std::vector<std::uint8_t> moved_;    // by flow
};

}  // namespace

CableAdvice helpful_cables(const Fabric& fabric, const ForwardingTables& tables,
                           const TrafficMatrix& matrix, ChannelId channel,
                           const CableOptions& options) {
  return CableSearch(fabric, tables, matrix, channel, options).run();
}

}  // namespace pssp
