// The cost of a run is proportional to the hops of packets. Their number follows from the traffic,
// except for delays by congestion; the time per hop depends on the machine, the fabric and the
// congestion. So the beginning of the traffic is simulated, and its time is scaled by the offered
// hops.

#include "tools/simulation/run_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/duration_text.h"
#include "base/random.h"
#include "simulator/run/simulation.h"

namespace pssp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double hops_per_probe = 2e5;      // a tenth of a second
constexpr double hops_worth_a_probe = 5e6;  // some seconds
constexpr std::size_t most_walked = 4096;
constexpr std::uint64_t pairs_purpose = 41;
constexpr double bits_a_byte = 8, mega = 1e6;

double seconds_of(SimulatedTime time) {
  return static_cast<double>(time) / double{picoseconds_per_second};
}

class HopCounter {
 public:
  HopCounter(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic)
      : fabric_(fabric), tables_(tables), traffic_(traffic) {
    for (const EndPortId host : fabric.endpoints()) {
      constexpr double of_4x_sdr = 8000;
      const LinkRate rate = fabric.end_port(host).rate;
      const double megabits = rate.stated() ? rate.capacity() : of_4x_sdr;
      packets_a_second_.push_back(megabits * mega / bits_a_byte / traffic.packet_bytes);
    }
    sent_.assign(packets_a_second_.size(), 0);
    hops_.assign(packets_a_second_.size(), 0);
  }

  double count() {
    for (const StaticFlow& flow : traffic_.flows) add_flow(flow);
    for (const UniformTraffic& uniform : traffic_.uniform) add_uniform(uniform);
    for (const RoundTraffic& rounds : traffic_.rounds) {
      for (const auto& round : rounds.rounds) {
        for (const Flow& flow : round) add_packets(flow, packets_of(rounds.bytes));
      }
    }
    for (const TracedMessage& message : traffic_.trace) {
      if (message.time < traffic_.duration) add_packets(message.hosts, packets_of(message.bytes));
    }
    // A host sends at most the rate of its link.
    double sum = 0;
    const double duration = seconds_of(traffic_.duration);
    for (std::size_t host = 0; host < sent_.size(); ++host) {
      const double most = packets_a_second_[host] * duration;
      sum += sent_[host] > most ? hops_[host] * most / sent_[host] : hops_[host];
    }
    return sum;
  }

 private:
  double packets_of(std::uint64_t bytes) const {
    return std::ceil(static_cast<double>(bytes) / traffic_.packet_bytes);
  }

  double time_of(SimulatedTime start, SimulatedTime stop) const {
    const SimulatedTime end = std::min(stop, traffic_.duration);
    return end > start ? seconds_of(end - start) : 0;
  }

  void add_flow(const StaticFlow& flow) {
    double time = time_of(flow.start, flow.stop);
    if (flow.on != 0) time *= seconds_of(flow.on) / seconds_of(flow.on + flow.off);
    const double rate = flow.arrivals == Arrivals::backlogged ? 1 : flow.rate;
    double packets = time * rate * packets_a_second_[flow.hosts.source];
    if (flow.bytes != 0) packets = std::min(packets, packets_of(flow.bytes));
    add_packets(flow.hosts, packets);
  }

  void add_uniform(const UniformTraffic& uniform) {
    const double time = time_of(uniform.start, uniform.stop);
    const double rate = uniform.arrivals == Arrivals::backlogged ? 1 : uniform.rate;
    RandomGenerator random = random_stream(1, pairs_purpose, 0);
    for (const std::uint32_t sender : uniform.senders) {
      const auto drawn = random.below(static_cast<std::uint32_t>(uniform.destinations.size()));
      add_packets({sender, uniform.destinations[drawn]}, time * rate * packets_a_second_[sender]);
    }
  }

  void add_packets(const Flow& hosts, double packets) {
    if (packets <= 0) return;
    sent_[hosts.source] += packets;
    hops_[hosts.source] += packets * hops_between(hosts);
  }

  double longest_path() const { return static_cast<double>(fabric_.switch_count()) + 2; }

  /// Cables on the path, including those of the hosts. For more than some thousands of paths, their
  /// mean.
  double hops_between(const Flow& hosts) {
    if (walked_ >= most_walked) return walked_hops_ / static_cast<double>(walked_);
    const EndPort& to = fabric_.end_port(fabric_.endpoints()[hosts.destination]);
    SwitchId at = fabric_.end_port(fabric_.endpoints()[hosts.source]).attached;
    double hops = 2;
    while (at.valid() && at != to.attached && hops <= longest_path()) {
      const PortTarget next = fabric_.behind(at, tables_.at(at, to.lid));
      if (next.kind != PortTarget::Kind::channel) break;
      at = SwitchId(fabric_.channel_head()[next.index]);
      ++hops;
    }
    ++walked_;
    walked_hops_ += hops;
    return hops;
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const Traffic& traffic_;
  std::vector<double> packets_a_second_, sent_, hops_;  // by rank
  std::size_t walked_ = 0;
  double walked_hops_ = 0;
};

/// The first part of the traffic, in proportion.
Traffic beginning_of(const Traffic& traffic, double part) {
  Traffic begin = traffic;
  begin.duration = std::max<SimulatedTime>(
      1, static_cast<SimulatedTime>(static_cast<double>(traffic.duration) * part));
  begin.warmup = 0;
  begin.sample = std::min(begin.sample, begin.duration);
  return begin;
}

}  // namespace

double offered_hops(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic) {
  return HopCounter(fabric, tables, traffic).count();
}

RunTime expect_run_time(const SimulationInput& input, const SimulatedTables& tables,
                        const Traffic& traffic, const Model& model,
                        const CongestionParameters* congestion) {
  RunTime time;
  time.hops = offered_hops(tables.fabric, tables.tables, traffic);
  if (time.hops < hops_worth_a_probe) return time;
  const Traffic begin = beginning_of(traffic, hops_per_probe / time.hops);
  const double hops = offered_hops(tables.fabric, tables.tables, begin);
  // Flows that begin late do not show their cost in the beginning.
  if (hops < hops_per_probe / 10) return time;
  const bool has_levels = input.levels && &tables == &input.tables.front();
  const auto start = Clock::now();
  static_cast<void>(simulate(tables.fabric, tables.tables, has_levels ? &*input.levels : nullptr,
                             begin, model, congestion, {}));
  const double seconds =
      std::max(1e-6, std::chrono::duration<double>(Clock::now() - start).count());
  time.hops_a_second = hops / seconds;
  time.seconds_of_run = time.hops / time.hops_a_second;
  return time;
}

std::string run_time_text(const RunTime& time, std::size_t runs, double threads) {
  constexpr double patience = 20;
  const double at_once = std::min(threads, static_cast<double>(runs));
  const double seconds = time.seconds_of_run * static_cast<double>(runs) / std::max(1.0, at_once);
  if (seconds < patience) return {};
  return fmt::format("{} run{}, about {}: {:.1e} packet hops per run, {:.1e} per second and thread",
                     runs, runs == 1 ? "" : "s", duration_text(seconds), time.hops,
                     time.hops_a_second);
}

}  // namespace pssp
