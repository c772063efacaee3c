// Scales flows by the method of Lucy and Richardson. Each flow is multiplied by a mean of ratios
// over all counters that saw it (its source, its destination, the channels of its path): counted
// bytes divided by the bytes that all current flows add up to there. The sums approach the
// counters, and flows that no counter tells apart keep their initial proportion.
//
// On a large fabric most hosts are idle: they count only the requests of the monitor and their
// answers. Pairs of such hosts would be the majority of all flows without carrying information.
// They are left out; as their counters are known, the error has a known limit (quiet_bytes()).

#include "monitor/analysis/candidate_flows.h"

#include <algorithm>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::size_t most_rounds = 100, least_rounds = 8;
/// With more rounds times flows than this (a few seconds of work), there are fewer rounds.
constexpr std::size_t most_work = 100'000'000;
/// Upper limit of the bytes at quiet hosts together, relative to the bytes of the busiest channel.
constexpr double most_quiet = 1e-3;

/// Sums over the sweeps, by position; below 0 if a value is unknown.
std::vector<double> window_sums(const std::vector<double>& values, std::size_t positions,
                                std::size_t sweeps) {
  std::vector<double> sums(positions, 0);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t place = 0; place < positions; ++place) {
      const double value = values[sweep * positions + place];
      sums[place] = value < 0 || sums[place] < 0 ? -1 : sums[place] + value;
    }
  }
  return sums;
}

/// Replaces `expected` by counted bytes over expected bytes; by 1 where either gives no
/// information.
void ratios(std::span<const double> counted, std::vector<double>& expected) {
  for (std::size_t i = 0; i < counted.size(); ++i) {
    expected[i] = counted[i] < 0 || expected[i] <= 0 ? 1 : counted[i] / expected[i];
  }
}

}  // namespace

CandidateFlows::CandidateFlows(const ObservedTraffic& observed, const TrafficOwners& owners,
                               const StopSignal& stop) {
  const std::size_t hosts = observed.fabric->end_port_count();
  sent_ = window_sums(observed.sent, hosts, observed.sweeps);
  received_ = window_sums(observed.received, hosts, observed.sweeps);
  counted_ = window_sums(observed.channels, observed.fabric->channel_count(), observed.sweeps);
  find_quiet(observed, owners);
  collect(observed, owners);
  begin_with_shares(owners);
  scale(observed, stop);
  index_channels(observed.fabric->channel_count());
}

void CandidateFlows::find_quiet(const ObservedTraffic& observed, const TrafficOwners& owners) {
  struct Idle {
    double bytes;
    std::uint32_t host;
  };
  quiet_.assign(sent_.size(), 0);
  std::vector<Idle> idle;
  for (const EndPortId id : observed.fabric->endpoints()) {
    const std::uint32_t host = id.value();
    const double bytes = std::max(sent_[host], received_[host]);
    if (sent_[host] < 0 || received_[host] < 0) continue;
    if (owners.jobs_of(host).empty() || bytes <= observed.quiet_bytes)
      idle.push_back({bytes, host});
  }
  std::ranges::sort(idle, [](const Idle& a, const Idle& b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.host < b.host;
  });
  double busiest = 0;
  for (const double bytes : counted_) busiest = std::max(busiest, bytes);
  double together = 0;
  for (const Idle& each : idle) {
    together += each.bytes;
    if (each.bytes > observed.quiet_bytes && together > most_quiet * busiest) break;
    quiet_[each.host] = 1;
    quiet_bytes_ += sent_[each.host] + received_[each.host];
  }
}

void CandidateFlows::collect(const ObservedTraffic& observed, const TrafficOwners& owners) {
  const Fabric& fabric = *observed.fabric;
  std::vector<std::uint32_t> senders;
  std::vector<std::uint32_t> receivers;
  for (const EndPortId host : fabric.endpoints()) {
    if (quiet(host.value())) continue;
    if (sent_[host.value()] != 0) senders.push_back(host.value());
    if (received_[host.value()] != 0) receivers.push_back(host.value());
  }
  // Hosts of one switch are consecutive, and share the paths computed for the first of them.
  const auto switch_of = [&](std::uint32_t host) {
    return fabric.end_port(EndPortId(host)).attached;
  };
  std::ranges::stable_sort(senders, {}, switch_of);
  constexpr std::uint32_t not_followed = no_path - 1;
  std::vector<std::uint32_t> known(fabric.end_port_count());  // path number by receiver
  SwitchId from;
  for (const std::uint32_t source : senders) {
    if (source == senders.front() || switch_of(source) != from) {
      std::ranges::fill(known, not_followed);
    }
    from = switch_of(source);
    for (const std::uint32_t destination : receivers) {
      if (source == destination) continue;
      const std::uint32_t flow_class = owners.class_of(source, destination);
      if (flow_class == TrafficOwners::no_class) continue;
      std::uint32_t& hop_path = known[destination];
      if (hop_path == not_followed) hop_path = add_path(observed, from, EndPortId(destination));
      if (hop_path == no_path) continue;
      flows_.push_back({source, destination, flow_class});
      path_of_.push_back(hop_path);
      if (flows_.size() > most_flows) {
        throw Error(ErrorKind::unsuitable_topology,
                    "more than 33 million pairs of hosts may have exchanged data: provide a list "
                    "of the jobs, which rules out most pairs");
      }
    }
  }
}

std::uint32_t CandidateFlows::add_path(const ObservedTraffic& observed, SwitchId from,
                                       EndPortId destination) {
  const Fabric& fabric = *observed.fabric;
  const Lid lid = fabric.end_port(destination).lid;
  const std::size_t begin = paths_.size();
  const std::size_t longest = begin + fabric.switch_count();
  SwitchId at = from;
  while (at.valid() && lid <= observed.tables->max_lid()) {
    const PortTarget next = fabric.behind(at, observed.tables->at(at, lid));
    if (next.kind == PortTarget::Kind::end_port && next.index == destination.value()) {
      first_hop_.push_back(paths_.size());
      return static_cast<std::uint32_t>(first_hop_.size() - 2);
    }
    if (next.kind != PortTarget::Kind::channel || paths_.size() == longest) break;
    paths_.push_back(next.index);
    at = SwitchId(fabric.channel_head()[next.index]);
  }
  // Without a route, no counted byte can belong to these flows.
  paths_.resize(begin);
  return no_path;
}

void CandidateFlows::begin_with_shares(const TrafficOwners& owners) {
  bytes_.assign(flows_.size(), 0);
  std::vector<double> of_class(owners.class_count(), 0);
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    bytes_[i] =
        std::max(1.0, sent_[flows_[i].source]) * std::max(1.0, received_[flows_[i].destination]);
    of_class[flows_[i].flow_class] += bytes_[i];
  }
  for (std::uint32_t flow_class = 0; flow_class < of_class.size(); ++flow_class) {
    double total = 0;
    for (const double bytes : owners.activity(flow_class)) total += bytes;
    if (of_class[flow_class] > 0) of_class[flow_class] = total / of_class[flow_class];
  }
  for (std::size_t i = 0; i < flows_.size(); ++i) bytes_[i] *= of_class[flows_[i].flow_class];
}

void CandidateFlows::scale(const ObservedTraffic& observed, const StopSignal& stop) {
  const std::size_t rounds =
      std::clamp(most_work / std::max<std::size_t>(1, flows_.size()), least_rounds, most_rounds);
  std::vector<PathChoice> paths(first_hop_.size() - 1);
  std::vector<double> out(sent_.size(), 0);
  std::vector<double> in(received_.size(), 0);
  std::vector<double> next_out(out);
  std::vector<double> next_in(in);
  std::vector<double> over(observed.fabric->channel_count());
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    out[flows_[i].source] += bytes_[i];
    in[flows_[i].destination] += bytes_[i];
    paths[path_of_[i]].bytes += bytes_[i];
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    stop.check("estimating the traffic between hosts",
               static_cast<double>(round) / static_cast<double>(rounds));
    ratios(sent_, out);
    ratios(received_, in);
    follow(paths, over);
    // The flows do not fit in the caches, so the same loop also adds up what the next round needs.
    std::ranges::fill(next_out, 0);
    std::ranges::fill(next_in, 0);
    for (std::size_t i = 0; i < flows_.size();) {
      const std::uint32_t source = flows_[i].source;
      const double of_source = out[source];
      double sent = 0;
      for (; i < flows_.size() && flows_[i].source == source; ++i) {
        const std::uint32_t destination = flows_[i].destination;
        PathChoice& hop_path = paths[path_of_[i]];
        const double bytes =
            bytes_[i] * (of_source + in[destination] + hop_path.ratios) * hop_path.parts;
        bytes_[i] = bytes;
        sent += bytes;
        next_in[destination] += bytes;
        hop_path.bytes += bytes;
      }
      next_out[source] = sent;
    }
    out.swap(next_out);
    in.swap(next_in);
  }
}

/// Adds the bytes of each path to its channels, and sets the sum of ratios and the weight of each
/// path. `over` is scratch memory by ChannelId.
void CandidateFlows::follow(std::vector<PathChoice>& paths, std::vector<double>& over) const {
  std::ranges::fill(over, 0);
  for (std::uint32_t w = 0; w < paths.size(); ++w) {
    for (const std::uint32_t channel : hop_path(w)) over[channel] += paths[w].bytes;
  }
  ratios(counted_, over);
  for (std::uint32_t w = 0; w < paths.size(); ++w) {
    paths[w] = {0, 0, 1 / static_cast<double>(hop_path(w).size() + 2)};
    for (const std::uint32_t channel : hop_path(w)) paths[w].ratios += over[channel];
  }
}

void CandidateFlows::index_channels(std::size_t channels) {
  first_crossing_.assign(channels + 1, 0);
  for (const std::uint32_t number : path_of_) {
    for (const std::uint32_t channel : hop_path(number)) ++first_crossing_[channel + 1];
  }
  for (std::size_t c = 0; c < channels; ++c) first_crossing_[c + 1] += first_crossing_[c];
  crossing_.resize(first_crossing_.back());
  std::vector<std::size_t> next(first_crossing_.begin(), first_crossing_.end() - 1);
  for (std::uint32_t i = 0; i < flows_.size(); ++i) {
    for (const std::uint32_t channel : path(i)) crossing_[next[channel]++] = i;
  }
}

}  // namespace pssp
