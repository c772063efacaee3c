#pragma once

// Jobs that run side by side, each an application on hosts of its own.

#include <cstdint>
#include <string>
#include <vector>

#include "applications/replay/network_replay.h"
#include "applications/schedule/schedule.h"
#include "fabric/fabric.h"

namespace pssp {

struct JobOnHosts {
  std::string text;  ///< as it was asked for
  Schedule schedule;
  std::vector<EndPortId> hosts;  ///< of its ranks
  ReplayTime start = 0;
  std::uint8_t level = 0;  ///< service level of its messages, as packets
};

/// "SPEC@SET", and behind it "start TIME" and "sl LEVEL": an application as on the command line, or
/// a GOAL file, on a set of hosts: a file of hosts, as traffic files write sets, or "leaf N", the
/// first N hosts by switch and port that no job before has. Sets are ordered by switch and port,
/// those of "random" by chance. An application has a rank on each host. Throws Error.
std::vector<JobOnHosts> read_jobs(const std::vector<std::string>& texts, const Fabric& fabric,
                                  std::uint64_t seed, std::vector<std::string>& warnings);

/// All jobs as one schedule: their ranks one job after the other.
struct JointJobs {
  Schedule schedule;
  RankPlacement positions;
  std::vector<ReplayTime> starts;               ///< of each rank
  std::vector<std::uint32_t> job_of_operation;  ///< of the schedule
  std::vector<std::uint32_t> first_rank;        ///< of each job, and the number of all
};
JointJobs join(const std::vector<JobOnHosts>& jobs);

}  // namespace pssp
