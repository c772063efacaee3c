// Jobs that write to storage send more than they receive, by exactly the written amount. The bytes
// that the owners sent and received in a sweep are the row and column sums of a matrix whose
// entries between different jobs are zero. Iterative scaling (Deming and Stephan, 1940) finds the
// matrix with these sums that is nearest to the product of both. Its entries over the sweeps are
// the activities, by which the fit over time tells owners apart.
//
// There are no flows from one job to another. For 500 jobs, only 500 of the 250,000 job-to-job
// entries are stored, together with the rows and columns of the groups. Classes are numbered row by
// row, as in the full matrix, so that sums over them have the same order, and the same rounding, as
// with all the zeros.

#include "monitor/analysis/traffic_owners.h"

#include <algorithm>

namespace pssp {
namespace {

constexpr int balancing_rounds = 60;

double known_or_zero(double bytes) { return bytes < 0 ? 0 : bytes; }

}  // namespace

TrafficOwners::TrafficOwners(const ObservedTraffic& observed)
    : jobs_(static_cast<std::uint32_t>(observed.jobs.size())), sweeps_(observed.sweeps) {
  assign(observed);
  activity_.assign(std::size_t{class_count()} * sweeps_, 0);
  for (std::size_t sweep = 0; sweep < sweeps_; ++sweep) balance(observed, sweep);
}

void TrafficOwners::assign(const ObservedTraffic& observed) {
  const std::size_t hosts = observed.fabric->end_port_count();
  std::vector<std::vector<std::uint32_t>> jobs(hosts);
  for (std::uint32_t job = 0; job < jobs_; ++job) {
    job_hosts_.push_back(observed.jobs[job].hosts.size());
    for (const std::uint32_t host : observed.jobs[job].hosts) jobs[host].push_back(job);
  }
  std::uint8_t last_group = 0;
  for (const std::uint8_t group : observed.groups) last_group = std::max(last_group, group);
  groups_ = last_group + 1U;
  owners_ = jobs_ + groups_;
  first_job_.push_back(0);
  for (std::size_t host = 0; host < hosts; ++host) {
    job_lists_.insert(job_lists_.end(), jobs[host].begin(), jobs[host].end());
    first_job_.push_back(static_cast<std::uint32_t>(job_lists_.size()));
    const std::uint32_t group = observed.groups.empty() ? 0U : observed.groups[host];
    owner_.push_back(jobs[host].empty() ? jobs_ + group : jobs[host].front());
  }
}

std::uint32_t TrafficOwners::class_of(std::uint32_t source,
                                      std::uint32_t destination) const noexcept {
  const auto here = jobs_of(source);
  const auto there = jobs_of(destination);
  for (const std::uint32_t job : here) {
    if (std::find(there.begin(), there.end(), job) != there.end()) return class_between(job, job);
  }
  if (!here.empty() && !there.empty()) return no_class;
  return class_between(owner(source), owner(destination));
}

std::uint32_t TrafficOwners::job_of_class(std::uint32_t flow_class) const noexcept {
  if (flow_class < first_of_group(0)) return flow_class / (1 + groups_);
  return std::min((flow_class - first_of_group(0)) % owners_, jobs_);
}

/// Calls take(other) in ascending order for each owner that shares a class with this owner.
template <class Take>
void TrafficOwners::for_each_partner(std::uint32_t owner, Take&& take) const {
  if (is_job(owner)) {
    take(owner);
  } else {
    for (std::uint32_t job = 0; job < jobs_; ++job) take(job);
  }
  for (std::uint32_t group = jobs_; group < owners_; ++group) take(group);
}

void TrafficOwners::balance(const ObservedTraffic& observed, std::size_t sweep) {
  const std::size_t hosts = observed.fabric->end_port_count();
  std::vector<double> sent(owners_, 0);
  std::vector<double> received(owners_, 0);
  const auto add = [&](std::uint32_t owner, std::size_t host) {
    sent[owner] += known_or_zero(observed.sent[sweep * hosts + host]);
    received[owner] += known_or_zero(observed.received[sweep * hosts + host]);
  };
  for (std::uint32_t host = 0; host < hosts; ++host) {
    if (jobs_of(host).empty()) add(owner(host), host);
    for (const std::uint32_t job : jobs_of(host)) {
      const PlacedJob& placed = observed.jobs[job];
      if (sweep >= placed.first_sweep && sweep < placed.end_sweep) add(job, host);
    }
  }
  std::vector<double> matrix(class_count(), 0);
  for (std::uint32_t from = 0; from < owners_; ++from) {
    for_each_partner(from, [&](std::uint32_t to) {
      if (allowed(from, to)) matrix[class_between(from, to)] = sent[from] * received[to];
    });
  }
  // The set of classes is symmetric, so rows and columns have the same partners.
  const auto scale = [&](const std::vector<double>& wanted, const auto& place) {
    for (std::uint32_t owner = 0; owner < owners_; ++owner) {
      double sum = 0;
      for_each_partner(owner, [&](std::uint32_t other) { sum += matrix[place(owner, other)]; });
      if (sum <= 0) continue;
      const double factor = wanted[owner] / sum;
      for_each_partner(owner, [&](std::uint32_t other) { matrix[place(owner, other)] *= factor; });
    }
  };
  for (int round = 0; round < balancing_rounds; ++round) {
    scale(sent, [&](std::uint32_t from, std::uint32_t to) { return class_between(from, to); });
    scale(received, [&](std::uint32_t to, std::uint32_t from) { return class_between(from, to); });
  }
  for (std::size_t flow_class = 0; flow_class < matrix.size(); ++flow_class) {
    activity_[flow_class * sweeps_ + sweep] = matrix[flow_class];
  }
}

}  // namespace pssp
