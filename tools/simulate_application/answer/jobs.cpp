// A job's text is split at its last '@', since names of files contain that character more often
// than sets.

#include "tools/simulate_application/answer/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "applications/formats/goal_file.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/random.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "fabric/tables/service_levels.h"
#include "simulator/traffic/host_sets.h"
#include "simulator/values.h"
#include "tools/simulate_application/answer/application_spec.h"
#include "tools/simulate_application/answer/rank_hosts.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

struct JobText {
  std::string application, set;
  std::optional<ReplayTime> start;
  std::optional<std::uint8_t> level;
};

/// Removes the last of " start TIME" and " sl LEVEL" from the set; returns false if there is none.
bool take_last_option(JobText& job, const std::string& text) {
  constexpr std::string_view start = " start ", level = " sl ";
  const std::size_t start_at = job.set.rfind(start), level_at = job.set.rfind(level);
  if (start_at == std::string::npos && level_at == std::string::npos) return false;
  const bool is_level =
      start_at == std::string::npos || (level_at != std::string::npos && level_at > start_at);
  const std::size_t at = is_level ? level_at : start_at;
  if (is_level ? job.level.has_value() : job.start.has_value()) {
    throw Error(ErrorKind::usage, fmt::format("--job '{}':{}is given twice; expected once",
                                              excerpt(text), is_level ? level : start));
  }
  if (is_level) {
    job.level = static_cast<std::uint8_t>(read_count(
        job.set.substr(at + level.size()), "a service level", 0, service_level_count - 1));
  } else {
    job.start = read_time(job.set.substr(at + start.size()));
  }
  job.set.resize(at);
  return true;
}

JobText cut_job(const std::string& text) {
  const std::size_t sign = text.rfind('@');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("--job '{}': expected SPEC@SET, for example 'halo:8x8x8,1MiB@leaf 512'",
                            excerpt(text)));
  }
  JobText job{text.substr(0, sign), text.substr(sign + 1), {}, {}};
  while (take_last_option(job, text)) {
  }
  return job;
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return fs::is_regular_file(name, ignored);
}

/// Assigns hosts to jobs.
class JobHosts {
 public:
  JobHosts(const Fabric& fabric, std::uint64_t seed)
      : fabric_(fabric), sets_(fabric, seed), seed_(seed), by_switch_(hosts_by_switch(fabric)) {}

  std::vector<EndPortId> take(const std::string& set, std::vector<std::string>& warnings) {
    std::vector<EndPortId> hosts = of_set(set, warnings);
    for (const EndPortId host : hosts) {
      const auto found = std::ranges::lower_bound(fabric_.endpoints(), host);
      sets_.note_sender(static_cast<std::uint32_t>(found - fabric_.endpoints().begin()));
      taken_.push_back(host);
    }
    return hosts;
  }

 private:
  std::vector<EndPortId> of_set(const std::string& set, std::vector<std::string>& warnings) {
    if (is_file(set)) {
      const NodeOrdering ordering = read_node_ordering(set, fabric_);
      warnings.insert(warnings.end(), ordering.warnings.begin(), ordering.warnings.end());
      std::vector<EndPortId> hosts;
      for (const std::uint32_t host : ordering.hosts) hosts.push_back(fabric_.endpoints()[host]);
      return hosts;
    }
    std::vector<TrafficTokens> statements = split_statements(set);
    if (statements.size() != 1) refuse(set);
    TrafficTokens& words = statements.front();
    if (words.take_keyword("leaf")) return first_free(set, words);
    const bool by_chance = words.peek()->is("random");
    std::vector<char> is_in(fabric_.end_port_count());
    for (const std::uint32_t rank : sets_.take_set(words)) {
      is_in[fabric_.endpoints()[rank].value()] = 1;
    }
    if (!words.empty()) refuse(set);
    std::vector<EndPortId> hosts;
    for (const EndPortId host : by_switch_) {
      if (is_in[host.value()] != 0) hosts.push_back(host);
    }
    if (by_chance) {
      constexpr std::uint64_t purpose_of_job_order = 0x6A6F6273;
      RandomGenerator random = random_stream(seed_, purpose_of_job_order, ++shuffled_);
      shuffle(hosts, random);
    }
    return hosts;
  }
  std::vector<EndPortId> first_free(const std::string& set, TrafficTokens& words) const {
    const std::uint64_t count = read_count(words.take("a number of hosts").text,
                                           "a number of hosts", 1, fabric_.end_port_count());
    if (!words.empty()) refuse(set);
    std::vector<EndPortId> hosts;
    for (const EndPortId host : by_switch_) {
      if (hosts.size() == count) break;
      if (std::ranges::find(taken_, host) == taken_.end()) hosts.push_back(host);
    }
    if (hosts.size() == count) return hosts;
    throw Error(ErrorKind::usage, fmt::format("'{}': only {} hosts remain after the earlier jobs",
                                              excerpt(set), hosts.size()));
  }
  [[noreturn]] static void refuse(const std::string& set) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is not a set of hosts; expected a file, 'leaf N' or a set as in "
                            "traffic files, followed by optional 'start TIME' and 'sl LEVEL'",
                            excerpt(set)));
  }

  const Fabric& fabric_;
  HostSets sets_;
  std::uint64_t seed_;
  std::uint64_t shuffled_ = 0;
  std::vector<EndPortId> by_switch_, taken_;
};

Schedule schedule_of(const JobText& job, std::size_t hosts, std::uint64_t seed,
                     std::vector<std::string>& warnings) {
  if (!is_file(job.application)) {
    if (hosts < 2) throw Error(ErrorKind::usage, "an application needs at least two hosts");
    return Schedule(
        written(make_application(job.application, static_cast<std::uint32_t>(hosts), seed)));
  }
  GoalText goal = read_goal_file(job.application);
  warnings.insert(warnings.end(), goal.warnings.begin(), goal.warnings.end());
  if (goal.ranks.size() > hosts) {
    throw Error(ErrorKind::usage, fmt::format("{} has {} ranks, but its set has {} hosts",
                                              excerpt(job.application), goal.ranks.size(), hosts));
  }
  return Schedule(std::move(goal.ranks));
}

/// The operations of a schedule, with peers counted from `first_rank` on.
RankSchedule moved_rank(const Schedule& schedule, std::uint32_t rank, std::uint32_t first_rank) {
  RankSchedule result;
  const std::uint32_t first = schedule.first_operation(rank);
  for (std::uint32_t i = first; i < schedule.first_operation(rank + 1); ++i) {
    Operation operation = schedule.operation(i);
    const bool is_message = operation.kind != OperationKind::compute;
    if (is_message && operation.peer != any_rank) operation.peer += first_rank;
    result.operations.push_back(operation);
    for (const std::uint32_t later : schedule.after_end(i)) {
      result.dependencies.push_back({i - first, later - first, false});
    }
    for (const std::uint32_t later : schedule.after_begin(i)) {
      result.dependencies.push_back({i - first, later - first, true});
    }
  }
  return result;
}

}  // namespace

std::vector<JobOnHosts> read_jobs(const std::vector<std::string>& texts, const Fabric& fabric,
                                  std::uint64_t seed, std::vector<std::string>& warnings) {
  JobHosts all_hosts(fabric, seed);
  std::vector<JobOnHosts> jobs;
  for (const std::string& text : texts) {
    const JobText cut = cut_job(text);
    std::vector<EndPortId> hosts = all_hosts.take(cut.set, warnings);
    Schedule schedule = schedule_of(cut, hosts.size(), seed, warnings);
    jobs.push_back({printable(text), std::move(schedule), std::move(hosts), cut.start.value_or(0),
                    cut.level.value_or(0)});
  }
  return jobs;
}

JointJobs join(const std::vector<JobOnHosts>& jobs) {
  std::vector<RankSchedule> ranks;
  RankPlacement positions;
  std::vector<ReplayTime> starts;
  std::vector<std::uint32_t> job_of_operation;
  std::vector<std::uint32_t> first_rank;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const Schedule& schedule = jobs[j].schedule;
    const auto first = static_cast<std::uint32_t>(ranks.size());
    first_rank.push_back(first);
    for (std::uint32_t r = 0; r < schedule.rank_count(); ++r) {
      ranks.push_back(moved_rank(schedule, r, first));
      positions.hosts.push_back(jobs[j].hosts[r]);
    }
    starts.resize(ranks.size(), jobs[j].start);
    job_of_operation.resize(job_of_operation.size() + schedule.operation_count(), j);
  }
  first_rank.push_back(static_cast<std::uint32_t>(ranks.size()));
  return {Schedule(std::move(ranks)), std::move(positions), std::move(starts),
          std::move(job_of_operation), std::move(first_rank)};
}

}  // namespace pssp
