// A flow belongs to job j if one of its ends is a host of j and the other end is a host of j or of
// no job. Over channel c, a host s can have sent at most all bytes that it sent, and at most the
// bytes received by the hosts that it reaches over c. The same limit applies to receivers. The sum
// over hosts of the smaller value is the most that j can have sent over c. The bytes that all
// others together cannot have sent are the least that j must have sent. With several LIDs for a
// host, every route counts.
//
// A host on which no job ran for part of the window may have belonged to no job then. Management
// packets belong to no job; their upper limit is subtracted from the lower bound of each job.
//
// The bounds hold for every pattern of traffic if each host serves only its own job. Otherwise the
// flows of the job may go to any host.

#include "monitor/analysis/share_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fabric/tables/destination_tree.h"

namespace pssp {
namespace {

/// Sent and received sums of a job may differ by this part of the larger sum: packets are on their
/// way, and ports are not read at the same time.
constexpr double largest_difference = 0.05;

constexpr double no_limit = std::numeric_limits<double>::infinity();

}  // namespace

ShareBounds::ShareBounds(const ObservedTraffic& observed, const TrafficOwners& owners,
                         double reading_skew)
    : observed_(observed),
      owners_(owners),
      reading_skew_(reading_skew),
      wide_(owners.job_count(), WideBounds::no) {
  find_wide_jobs();
  find_part_time_hosts();
}

/// Before the start and after the end of its jobs, a host may have sent to other hosts in no job.
void ShareBounds::find_part_time_hosts() {
  const std::size_t hosts = observed_.fabric->end_port_count();
  part_time_.assign(hosts, 0);
  std::vector<std::uint8_t> runs(observed_.sweeps);
  for (std::uint32_t host = 0; host < hosts; ++host) {
    std::fill(runs.begin(), runs.end(), std::uint8_t{0});
    for (const std::uint32_t job : owners_.jobs_of(host)) {
      const PlacedJob& placed = observed_.jobs[job];
      const std::size_t end = std::min(placed.end_sweep, observed_.sweeps);
      for (std::size_t t = placed.first_sweep; t < end; ++t) runs[t] = 1;
    }
    part_time_[host] = std::find(runs.begin(), runs.end(), 0) != runs.end() ? 1 : 0;
  }
}

bool ShareBounds::may_be_free(std::uint32_t host) const noexcept {
  return owners_.jobs_of(host).empty() || part_time_[host] != 0;
}

void ShareBounds::find_wide_jobs() {
  const std::size_t hosts = observed_.fabric->end_port_count();
  std::vector<double> sent(owners_.job_count() + 1, 0);
  std::vector<double> received(owners_.job_count() + 1, 0);
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const auto jobs = owners_.jobs_of(host);
    for (const std::uint32_t job : jobs) {
      if (jobs.size() > 1) wide_[job] = WideBounds::host_in_two_jobs;
      if (!observed_.shared_hosts.empty() && observed_.shared_hosts[host] != 0) {
        wide_[job] = WideBounds::shared_host;
      }
    }
    for (std::size_t sweep = 0; sweep < observed_.sweeps; ++sweep) {
      const double out = observed_.sent[sweep * hosts + host];
      const double in = observed_.received[sweep * hosts + host];
      const std::uint32_t job = jobs.empty() ? owners_.job_count() : jobs.front();
      if (out < 0 || in < 0) {
        if (!jobs.empty() && wide_[job] == WideBounds::no)
          wide_[job] = WideBounds::unknown_counters;
        continue;
      }
      sent[job] += out;
      received[job] += in;
    }
  }
  // Hosts in no job can explain differences up to the bytes that they sent or received.
  const double in_no_job_sent = sent.back();
  const double in_no_job_received = received.back();
  for (std::uint32_t job = 0; job < owners_.job_count(); ++job) {
    const double surplus = sent[job] - received[job];
    const double allowed = largest_difference * std::max(sent[job], received[job]);
    const double explained = allowed + (surplus > 0 ? in_no_job_received : in_no_job_sent);
    if (wide_[job] == WideBounds::no && std::abs(surplus) > explained) {
      wide_[job] = WideBounds::unequal_sums;
    }
  }
}

bool ShareBounds::counts(ChannelId channel, std::size_t sweep) const {
  return observed_.channels[sweep * observed_.fabric->channel_count() + channel.value()] >= 0;
}

double ShareBounds::bytes(ChannelId channel) const {
  double sum = 0;
  for (std::size_t sweep = 0; sweep < observed_.sweeps; ++sweep) {
    sum += std::max(
        0.0, observed_.channels[sweep * observed_.fabric->channel_count() + channel.value()]);
  }
  return sum;
}

std::vector<double> ShareBounds::host_sums(const std::vector<double>& values,
                                           ChannelId channel) const {
  const std::size_t hosts = observed_.fabric->end_port_count();
  std::vector<double> sums(hosts, 0);
  std::vector<double> largest(hosts, 0);
  for (std::size_t sweep = 0; sweep < observed_.sweeps; ++sweep) {
    if (!counts(channel, sweep)) continue;
    for (std::size_t host = 0; host < hosts; ++host) {
      const double value = values[sweep * hosts + host];
      sums[host] += value < 0 ? no_limit : value;
      largest[host] = std::max(largest[host], value);
    }
  }
  for (std::size_t host = 0; host < hosts; ++host) {
    sums[host] += 2 * reading_skew_ * largest[host];
  }
  return sums;
}

/// Calls take(source, destination) for each pair of hosts with a route over the channel.
template <class Take>
void ShareBounds::for_each_pair(ChannelId channel, Take&& take) const {
  const Fabric& fabric = *observed_.fabric;
  const SwitchId tail(fabric.channel_tail()[channel.value()]);
  const PortNumber port = fabric.channel_out_port()[channel.value()];
  DestinationTree tree(fabric);
  std::vector<std::uint8_t> crosses(fabric.switch_count());
  for (const EndPortId destination : fabric.endpoints()) {
    const EndPort& end = fabric.end_port(destination);
    std::fill(crosses.begin(), crosses.end(), std::uint8_t{0});
    bool any = false;
    for (unsigned offset = 0; offset < 1U << end.lmc; ++offset) {
      const Lid lid = static_cast<Lid>(end.lid + offset);
      if (lid > observed_.tables->max_lid() || observed_.tables->at(tail, lid) != port) continue;
      tree.read(*observed_.tables, lid);
      // From the destination upstream: a switch crosses the channel if its next hop does.
      const auto order = tree.upstream_first();
      std::vector<std::uint8_t> of_lid(fabric.switch_count(), 0);
      for (std::size_t i = order.size(); i-- > 0;) {
        const std::uint32_t out = tree.out_channel()[order[i]];
        if (out == DestinationTree::no_channel) continue;
        if (out == channel.value() || of_lid[fabric.channel_head()[out]] != 0) {
          of_lid[order[i]] = 1;
          crosses[order[i]] = 1;
          any = true;
        }
      }
    }
    if (!any) continue;
    for (const EndPortId source : fabric.endpoints()) {
      if (crosses[fabric.end_port(source).attached.value()] != 0) {
        take(source.value(), destination.value());
      }
    }
  }
}

/// Calls take(job) for each job that a flow may belong to, and take(job_count()) if it may belong
/// to no job.
template <class Take>
void ShareBounds::for_each_job(std::uint32_t source, std::uint32_t destination, Take&& take) const {
  const auto from = owners_.jobs_of(source);
  const auto to = owners_.jobs_of(destination);
  if (may_be_free(source) && may_be_free(destination)) take(owners_.job_count());
  const auto has = [](std::span<const std::uint32_t> jobs, std::uint32_t job) {
    return std::find(jobs.begin(), jobs.end(), job) != jobs.end();
  };
  const auto may = [&](std::uint32_t job, std::uint32_t other_host,
                       std::span<const std::uint32_t> other) {
    const bool any_host =
        wide_[job] != WideBounds::no && wide_[job] != WideBounds::unknown_counters;
    return any_host || may_be_free(other_host) || has(other, job);
  };
  for (const std::uint32_t job : from) {
    if (may(job, destination, to)) take(job);
  }
  for (const std::uint32_t job : to) {
    if (!has(from, job) && may(job, source, from)) take(job);
  }
}

std::vector<ByteBounds> ShareBounds::of(ChannelId channel) const {
  const std::size_t hosts = observed_.fabric->end_port_count();
  const std::size_t columns = owners_.job_count() + std::size_t{1};
  const std::vector<double> sent = host_sums(observed_.sent, channel);
  const std::vector<double> received = host_sums(observed_.received, channel);
  std::vector<double> reached(hosts * columns, 0);
  std::vector<double> reaching(hosts * columns, 0);
  for_each_pair(channel, [&](std::uint32_t source, std::uint32_t destination) {
    for_each_job(source, destination, [&](std::uint32_t job) {
      reached[source * columns + job] += received[destination];
      reaching[destination * columns + job] += sent[source];
    });
  });
  const double all = bytes(channel);
  std::vector<ByteBounds> bounds(columns);
  double most_together = 0;
  for (std::size_t job = 0; job < columns; ++job) {
    double out = 0;
    double in = 0;
    for (std::size_t host = 0; host < hosts; ++host) {
      out += std::min(sent[host], reached[host * columns + job]);
      in += std::min(received[host], reaching[host * columns + job]);
    }
    bounds[job].most = std::min({out, in, all});
    most_together += bounds[job].most;
  }
  for (ByteBounds& each : bounds) {
    const double least = all - observed_.management_bytes - (most_together - each.most);
    each.least = std::clamp(least, 0.0, each.most);
  }
  return bounds;
}

}  // namespace pssp
