#pragma once

// Traffic to test with: jobs with patterns of the evaluator, placed on a fabric, that come and go
// over time; what each host and channel counts, and whose it truly was. ibsim carries no traffic of
// its own, so these are the numbers that its counters are set to.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// How a job's rate changes over time.
enum class Activity : std::uint8_t {
  constant,  ///< but for a per cent
  phases,    ///< computes and communicates in turn, some sweeps each
  drifting,  ///< slowly up and down
};

struct PlayedJob {
  std::vector<std::uint32_t> hosts;  ///< EndPortIds; rank i of the pattern is hosts[i]
  std::string pattern;               ///< as eval_lft --ptrn has them
  Activity activity = Activity::constant;
  double rate = 0.5;         ///< of a sender's link when it is active, 0 .. 1
  double storage_share = 0;  ///< of its bytes go to the storage hosts, in phases of their own
};

struct TrafficPlan {
  std::vector<PlayedJob> jobs;
  std::vector<std::uint32_t> storage_hosts;  ///< EndPortIds, in no job
  std::size_t sweeps = 30;
  double sweep_seconds = 10;
  std::uint64_t seed = 1;
};

/// Bytes; flat arrays.
struct PlayedTraffic {
  std::size_t sweeps = 0;
  std::vector<double> sent, received;  ///< [sweep * end ports + EndPortId]
  std::vector<double> channels;        ///< [sweep * channels + ChannelId]
  /// The truth of all sweeps: [job * channels + ChannelId]. What a job writes to storage is its.
  std::vector<double> truth;
};

/// Flows of all levels of a pattern share a job's bytes. Each sweep, flows over a channel that
/// would carry more than its rate are slowed down together; each flow's rate varies by a tenth.
/// Deterministic by seed. Throws Error(usage) for patterns; Error(internal) where a host is no
/// endpoint. Links without a rate count as 100 Gbit/s. O(sweeps * flows * path length).
PlayedTraffic play_traffic(const TrafficPlan& plan, const Fabric& fabric,
                           const ForwardingTables& tables);

struct ScatterOptions {
  std::size_t jobs = 20;
  std::size_t smallest = 4, largest = 64;  ///< hosts of a job
  Activity activity = Activity::phases;
  double storage_share = 0;
  std::size_t storage_hosts = 8;  ///< where storage_share is not 0
  bool together = false;          ///< hosts of a job are neighbours by number
  std::size_t sweeps = 30;
  std::uint64_t seed = 1;
};
/// Jobs of random sizes and patterns on random hosts, as many as fit.
TrafficPlan scatter_jobs(const Fabric& fabric, const ScatterOptions& options);

}  // namespace pssp
