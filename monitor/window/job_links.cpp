#include "monitor/window/job_links.h"

#include <algorithm>
#include <map>

#include "monitor/analysis/utilisation.h"

namespace pssp {
namespace {

/// Smallest share of a link with which another job counts as a neighbor.
constexpr double least_neighbour = 0.01;

struct Suggested {
  std::uint32_t channel = 0;
  double bytes = 0;
};

/// Channels that the job may use, in descending order of the bytes that all counters suggest.
std::vector<Suggested> channels_of(const Attribution& attribution, std::uint32_t job,
                                   std::size_t channels) {
  const CandidateFlows& flows = attribution.flows();
  std::vector<double> bytes(channels, -1);
  for (std::size_t i = 0; i < flows.flows().size(); ++i) {
    if (attribution.owners().job_of_class(flows.flows()[i].flow_class) != job) continue;
    for (const std::uint32_t channel : flows.path(i)) {
      bytes[channel] = std::max(0.0, bytes[channel]) + flows.bytes()[i];
    }
  }
  std::vector<Suggested> all;
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (bytes[c] >= 0) all.push_back({c, bytes[c]});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Suggested& a, const Suggested& b) { return a.bytes > b.bytes; });
  return all;
}

void add_sums(const TrafficWindow& window, std::uint32_t job, JobLinks& result) {
  const ObservedTraffic& observed = window.observed;
  const std::size_t hosts = observed.fabric->end_port_count();
  const PlacedJob& placed = observed.jobs[job];
  const std::size_t end = std::min(placed.end_sweep, observed.sweeps);
  for (std::size_t t = placed.first_sweep; t < end; ++t) {
    for (const std::uint32_t host : placed.hosts) {
      result.sent += std::max(0.0, observed.sent[t * hosts + host]);
      result.received += std::max(0.0, observed.received[t * hosts + host]);
    }
  }
}

void find_neighbours(std::uint32_t job, JobLinks& result) {
  std::map<std::uint32_t, JobNeighbour> others;
  for (const JobLink& link : result.links) {
    if (!link.hot && !link.held_up) continue;
    for (const JobShare& share : link.users.jobs) {
      if (share.job == job || share.share < least_neighbour) continue;
      JobNeighbour& other = others[share.job];
      other.job = share.job;
      ++other.links;
      other.largest_share = std::max(other.largest_share, share.share);
    }
  }
  for (const auto& [id, other] : others) result.held_up_by.push_back(other);
  std::stable_sort(result.held_up_by.begin(), result.held_up_by.end(),
                   [](const JobNeighbour& a, const JobNeighbour& b) {
                     return a.links != b.links ? a.links > b.links
                                               : a.largest_share > b.largest_share;
                   });
}

}  // namespace

namespace {

/// Counts a channel for each job with a share of at least `least_neighbour`.
void count_channel(const Attribution& attribution, std::uint32_t channel, double bytes,
                   std::size_t JobUse::*member, std::vector<JobUse>& jobs) {
  std::vector<double> parts(jobs.size(), 0);
  const CandidateFlows& flows = attribution.flows();
  for (const std::uint32_t flow : flows.crossing(channel)) {
    const std::uint32_t job = attribution.owners().job_of_class(flows.flows()[flow].flow_class);
    if (job < parts.size()) parts[job] += flows.bytes()[flow];
  }
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (parts[job] > 0 && parts[job] >= least_neighbour * bytes) ++(jobs[job].*member);
  }
}

}  // namespace

std::vector<JobUse> use_of_jobs(const TrafficWindow& window, const Attribution& attribution) {
  std::vector<JobUse> jobs(window.jobs.size());
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    JobLinks sums;
    add_sums(window, job, sums);
    const PlacedJob& placed = window.observed.jobs[job];
    double seconds = 0;
    for (std::size_t t = placed.first_sweep; t < std::min(placed.end_sweep, window.observed.sweeps);
         ++t) {
      seconds += window.seconds[t];
    }
    if (seconds <= 0) continue;
    jobs[job].sent = sums.sent / seconds;
    jobs[job].received = sums.received / seconds;
  }
  const UseLimits limits;
  for (std::uint32_t c = 0; c < window.observed.fabric->channel_count(); ++c) {
    const std::uint32_t port = window.port_of(ChannelId(c));
    const double bytes = channel_bytes(window.observed, c);
    if (utilisation_of(window, port, bytes) > limits.hot) {
      count_channel(attribution, c, bytes, &JobUse::hot, jobs);
    }
    if (window.waiting_share[port] > limits.held_up) {
      count_channel(attribution, c, bytes, &JobUse::held_up, jobs);
    }
  }
  return jobs;
}

double channel_bytes(const ObservedTraffic& observed, std::uint32_t channel) {
  const std::size_t channels = observed.fabric->channel_count();
  double sum = 0;
  for (std::size_t t = 0; t < observed.sweeps; ++t) {
    sum += std::max(0.0, observed.channels[t * channels + channel]);
  }
  return sum;
}

double utilisation_of(const TrafficWindow& window, std::uint32_t map_port, double bytes) {
  const LinkRate& rate = window.map->ports[map_port].rate;
  const double seconds = window.total_seconds();
  constexpr double bits_a_byte = 8, mega = 1e6;
  if (!rate.stated() || seconds <= 0) return -1;
  return bytes * bits_a_byte / (static_cast<double>(rate.capacity()) * mega * seconds);
}

JobLinks links_of_job(const TrafficWindow& window, const Attribution& attribution,
                      std::uint32_t job, std::size_t most, const StopSignal& stop) {
  JobLinks result;
  const UseLimits limits;
  std::vector<Suggested> candidates =
      channels_of(attribution, job, window.observed.fabric->channel_count());
  result.may_use = candidates.size();
  if (candidates.size() > most) candidates.resize(most);
  for (const Suggested& each : candidates) {
    stop.check("computing the links of the job");
    JobLink link;
    link.users = attribution.shares_of(ChannelId(each.channel));
    const auto own = std::find_if(link.users.jobs.begin(), link.users.jobs.end(),
                                  [&](const JobShare& share) { return share.job == job; });
    if (own == link.users.jobs.end()) continue;
    link.share = *own;
    link.port = window.port_of(ChannelId(each.channel));
    link.utilisation = utilisation_of(window, link.port, link.users.bytes);
    link.waiting_share = window.waiting_share[link.port];
    link.hot = link.utilisation > limits.hot;
    link.held_up = link.waiting_share > limits.held_up;
    result.links.push_back(std::move(link));
  }
  std::stable_sort(result.links.begin(), result.links.end(),
                   [](const JobLink& a, const JobLink& b) { return a.bytes() > b.bytes(); });
  add_sums(window, job, result);
  find_neighbours(job, result);
  return result;
}

}  // namespace pssp
