#pragma once

// Concurrent jobs, each an application on its own hosts.

#include <cstdint>
#include <string>
#include <vector>

#include "applications/replay/network_replay.h"
#include "applications/schedule/schedule.h"
#include "fabric/fabric.h"

namespace pssp {

struct JobOnHosts {
  std::string text;  ///< as specified
  Schedule schedule;
  std::vector<EndPortId> hosts;  ///< of its ranks
  ReplayTime start = 0;
  std::uint8_t level = 0;  ///< service level of its messages, as packets
};

/// "SPEC@SET", optionally followed by "start TIME" and "sl LEVEL": an application as on the command
/// line, or a GOAL file, on a set of hosts: a file of hosts, a set in the notation of traffic
/// files, or "leaf N", the first N hosts by switch and port without an earlier job. Sets are
/// ordered by switch and port, sets of "random" randomly. An application has one rank per host.
/// Throws Error.
std::vector<JobOnHosts> read_jobs(const std::vector<std::string>& texts, const Fabric& fabric,
                                  std::uint64_t seed, std::vector<std::string>& warnings);

/// All jobs as one schedule: the ranks of one job after those of another.
struct JointJobs {
  Schedule schedule;
  RankPlacement positions;
  std::vector<ReplayTime> starts;               ///< by rank
  std::vector<std::uint32_t> job_of_operation;  ///< by operation of the schedule
  std::vector<std::uint32_t> first_rank;        ///< by job, followed by the number of all ranks
};
JointJobs join(const std::vector<JobOnHosts>& jobs);

}  // namespace pssp
