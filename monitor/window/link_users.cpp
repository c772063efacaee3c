#include "monitor/window/link_users.h"

#include <algorithm>
#include <map>

namespace pssp {
namespace {

/// Bytes on the cable of a host in each sweep.
std::vector<double> host_series(const TrafficWindow& window, const TrafficWindow::Position& place) {
  const ObservedTraffic& observed = window.observed;
  const std::vector<double>& all =
      place.kind == TrafficWindow::Position::Kind::from_host ? observed.sent : observed.received;
  std::vector<double> series;
  for (std::size_t t = 0; t < observed.sweeps; ++t) {
    series.push_back(all[t * observed.fabric->end_port_count() + place.index]);
  }
  return series;
}

void finish(ChannelShares& shares) {
  std::stable_sort(shares.jobs.begin(), shares.jobs.end(),
                   [](const JobShare& a, const JobShare& b) { return a.share > b.share; });
  double explained = 0;
  for (JobShare& each : shares.jobs) {
    explained += each.share;
    each.low = each.least;
    each.high = each.most;
    if (shares.jobs.size() == 1) each.evidence = Evidence::only_user;
  }
  shares.unexplained = std::max(0.0, 1 - explained);
}

/// Assigns each sweep to the jobs that ran on the host in it, or to hosts without a job.
ChannelShares users_of_job_host(const TrafficWindow& window, std::span<const std::uint32_t> jobs,
                                std::uint32_t no_job, const std::vector<double>& series) {
  ChannelShares shares;
  std::map<std::uint32_t, JobShare> users;
  const double management = window.observed.management_bytes;
  for (std::size_t t = 0; t < series.size(); ++t) {
    if (series[t] <= 0) continue;
    shares.bytes += series[t];
    std::vector<std::uint32_t> here;
    for (const std::uint32_t job : jobs) {
      const PlacedJob& placed = window.observed.jobs[job];
      if (t >= placed.first_sweep && t < placed.end_sweep) here.push_back(job);
    }
    if (here.empty()) here.push_back(no_job);
    for (const std::uint32_t job : here) {
      JobShare& share = users[job];
      share.job = job;
      share.most += series[t];
      share.share += series[t] / static_cast<double>(here.size());
      if (here.size() == 1) share.least += series[t];
      if (here.size() > 1) share.wide = WideBounds::host_in_two_jobs;
    }
  }
  for (auto& [job, share] : users) {
    share.share /= shares.bytes;
    share.most /= shares.bytes;
    share.least = std::max(0.0, share.least - management) / shares.bytes;
    shares.jobs.push_back(share);
  }
  return shares;
}

/// Bytes on the cable of a host, by job of the partners.
struct PartnersOfHost {
  std::map<std::uint32_t, double> suggested, at_most;
  double total = 0;  // sum of `suggested`
};

PartnersOfHost partners_of(const TrafficWindow& window, const Attribution& attribution,
                           const TrafficWindow::Position& place, double all) {
  const bool sends = place.kind == TrafficWindow::Position::Kind::from_host;
  const TrafficOwners& owners = attribution.owners();
  const CandidateFlows& flows = attribution.flows();
  const ObservedTraffic& observed = window.observed;
  const std::vector<double>& there = sends ? observed.received : observed.sent;
  const auto most_of = [&](std::uint32_t other) {
    double sum = 0;
    for (std::size_t t = 0; t < observed.sweeps; ++t) {
      const double bytes = there[t * observed.fabric->end_port_count() + other];
      // If the partner was not read, it may have sent or received all bytes.
      sum += bytes < 0 ? all : bytes * (1 + window.reading_skew);
    }
    return sum;
  };
  PartnersOfHost partners;
  const auto suggest = [&](std::uint32_t job, double bytes) {
    partners.suggested[job] += bytes;
    partners.total += bytes;
  };
  for (std::size_t i = 0; i < flows.flows().size(); ++i) {
    const CandidateFlow& flow = flows.flows()[i];
    if ((sends ? flow.source : flow.destination) != place.index) continue;
    const std::uint32_t job = owners.job_of_class(flow.flow_class);
    suggest(job, flows.bytes()[i]);
    partners.at_most[job] += most_of(sends ? flow.destination : flow.source);
  }
  // Flows of quiet hosts are not candidates, but they may have occurred.
  for (const EndPortId id : observed.fabric->endpoints()) {
    const std::uint32_t other = id.value();
    if (other == place.index || !(flows.quiet(other) || flows.quiet(place.index))) continue;
    const std::uint32_t flow_class =
        sends ? owners.class_of(place.index, other) : owners.class_of(other, place.index);
    const double most = most_of(other);
    if (flow_class == TrafficOwners::no_class || most <= 0) continue;
    const std::uint32_t job = owners.job_of_class(flow_class);
    partners.at_most[job] += most;
    if (flows.quiet(place.index)) suggest(job, most);
  }
  return partners;
}

/// Hosts without a job: the shares of the flows that may start or end there.
ChannelShares users_of_free_host(const TrafficWindow& window, const Attribution& attribution,
                                 const TrafficWindow::Position& place,
                                 const std::vector<double>& series) {
  ChannelShares shares;
  for (const double bytes : series) shares.bytes += std::max(0.0, bytes);
  if (shares.bytes <= 0) return shares;
  PartnersOfHost partners = partners_of(window, attribution, place, shares.bytes);
  const double management = window.observed.management_bytes;
  double together = 0;
  for (auto& [job, bytes] : partners.at_most) {
    bytes = std::min(bytes, shares.bytes);
    together += bytes;
  }
  for (const auto& [job, bytes] : partners.at_most) {
    JobShare share;
    share.job = job;
    share.most = bytes / shares.bytes;
    share.least = std::clamp((shares.bytes - management - (together - bytes)) / shares.bytes, 0.0,
                             share.most);
    share.share = partners.total > 0 ? std::clamp(partners.suggested[job] / partners.total,
                                                  share.least, share.most)
                                     : share.least;
    if (share.most > 0) shares.jobs.push_back(share);
  }
  return shares;
}

}  // namespace

AttributionOptions attribution_options(const TrafficWindow& window) {
  AttributionOptions options;
  options.reading_skew = window.reading_skew;
  return options;
}

ChannelShares users_of(const TrafficWindow& window, const Attribution& attribution,
                       const TrafficWindow::Position& place) {
  if (place.kind == TrafficWindow::Position::Kind::channel) {
    return attribution.shares_of(ChannelId(place.index));
  }
  const std::vector<double> series = host_series(window, place);
  const auto jobs = attribution.owners().jobs_of(place.index);
  const bool shared =
      !window.observed.shared_hosts.empty() && window.observed.shared_hosts[place.index] != 0;
  ChannelShares shares =
      jobs.empty() ? users_of_free_host(window, attribution, place, series)
                   : users_of_job_host(window, jobs, attribution.owners().job_count(), series);
  finish(shares);
  if (!shared) return shares;
  // The host serves several jobs, so the bounds are trivial and the shares are estimates.
  for (JobShare& each : shares.jobs) {
    each.least = each.low = 0;
    each.most = each.high = 1;
    each.evidence = Evidence::estimate;
    each.wide = WideBounds::shared_host;
  }
  return shares;
}

}  // namespace pssp
