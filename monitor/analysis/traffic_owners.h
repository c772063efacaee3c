#pragma once

// Assigns hosts and flows to owners, and estimates how much the owners sent to each other in each
// sweep.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "monitor/analysis/observed_traffic.h"

namespace pssp {

/// Owners are the jobs, 0 .. jobs - 1, followed by the groups of hosts in no job. Flows run within
/// a job, between a job and a group, and between groups. Each of these pairs is a class, so memory
/// and time grow with jobs * groups: 60 sweeps of 500 jobs take at most 16 MB.
class TrafficOwners {
 public:
  static constexpr std::uint32_t no_class = 0xFFFF'FFFF;

  explicit TrafficOwners(const ObservedTraffic& observed);

  std::uint32_t job_count() const noexcept { return jobs_; }
  std::uint32_t owner_count() const noexcept { return owners_; }
  std::uint32_t class_count() const noexcept { return first_of_group(groups_); }
  bool is_job(std::uint32_t owner) const noexcept { return owner < jobs_; }

  /// Jobs of a host, ascending; empty if it has none.
  std::span<const std::uint32_t> jobs_of(std::uint32_t host) const noexcept {
    return std::span(job_lists_).subspan(first_job_[host], first_job_[host + 1] - first_job_[host]);
  }
  /// The first job of a host, or its group.
  std::uint32_t owner(std::uint32_t host) const noexcept { return owner_[host]; }
  bool allowed(std::uint32_t from, std::uint32_t to) const noexcept {
    return from == to ? !is_job(from) || job_hosts_[from] > 1 : !is_job(from) || !is_job(to);
  }
  /// Class of a flow; no_class if no flow is expected. A flow between two hosts with a common job
  /// belongs to this job.
  std::uint32_t class_of(std::uint32_t source, std::uint32_t destination) const noexcept;
  /// The job that a class belongs to; job_count() for hosts in no job.
  std::uint32_t job_of_class(std::uint32_t flow_class) const noexcept;

  /// Bytes of a class in each sweep. They follow from the bytes that the hosts of each owner sent
  /// and received in that sweep, by iterative scaling over owners. The result is exact if a group
  /// only receives.
  std::span<const double> activity(std::uint32_t flow_class) const noexcept {
    return std::span(activity_).subspan(flow_class * sweeps_, sweeps_);
  }

 private:
  /// Classes from each job come first, then those from each group.
  std::uint32_t first_of_group(std::uint32_t group) const noexcept {
    return jobs_ * (1 + groups_) + group * owners_;
  }
  /// A class within one owner, or between two owners of which at least one is a group.
  std::uint32_t class_between(std::uint32_t from, std::uint32_t to) const noexcept {
    if (!is_job(from)) return first_of_group(from - jobs_) + to;
    return from * (1 + groups_) + (from == to ? 0 : 1 + to - jobs_);
  }
  template <class Take>
  void for_each_partner(std::uint32_t owner, Take&& take) const;
  void assign(const ObservedTraffic& observed);
  void balance(const ObservedTraffic& observed, std::size_t sweep);

  std::uint32_t jobs_ = 0, groups_ = 0, owners_ = 0;
  std::size_t sweeps_ = 0;
  std::vector<std::uint32_t> first_job_, job_lists_, owner_;
  std::vector<std::size_t> job_hosts_;
  std::vector<double> activity_;
};

}  // namespace pssp
