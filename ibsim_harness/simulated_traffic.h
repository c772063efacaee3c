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
#include "ibsim_harness/simulated_activity.h"

namespace pssp {

struct SimulatedJob {
  std::vector<std::uint32_t> hosts;  ///< EndPortIds; rank i of the pattern is hosts[i]
  std::string pattern;               ///< as eval_lft --ptrn has them
  Activity activity = Activity::constant;
  double rate = 0.5;         ///< of a sender's link when it is active, 0 .. 1
  double storage_share = 0;  ///< of its bytes go to the storage hosts, in phases of their own
};

struct TrafficPlan {
  std::vector<SimulatedJob> jobs;
  std::vector<std::uint32_t> storage_hosts;  ///< EndPortIds, in no job
  std::size_t sweeps = 30;
  double sweep_seconds = 10;
  std::uint64_t seed = 1;
  std::size_t pace = 1;  ///< sweeps that a level of activity lasts
  /// The links of hosts are as full as those between switches may be, and all have the rates that
  /// ibsim gives them (ibsim_rate()), of which they carry this share at most. 0: links of hosts
  /// carry anything, and those without a rate count as 100 Gbit/s.
  double full_link = 0;
};

/// 4xSDR where a rate is not stated or faster than HDR: so ibsim plays it.
LinkRate ibsim_rate(LinkRate stated);

/// Channels, then the links of end ports: each direction of each cable once.
struct SimulatedLinks {
  std::size_t channels = 0, end_ports = 0;
  std::size_t count() const noexcept { return channels + 2 * end_ports; }
  /// From the end port to its switch, and back.
  std::size_t out_of(std::uint32_t end_port) const noexcept { return channels + end_port; }
  std::size_t into(std::uint32_t end_port) const noexcept {
    return channels + end_ports + end_port;
  }
};

/// Traffic sweep by sweep, without an end.
class TrafficPlayer {
 public:
  /// Throws as play_traffic(); all three must outlive it.
  TrafficPlayer(const TrafficPlan& plan, const Fabric& fabric, const ForwardingTables& tables);
  ~TrafficPlayer();

  /// The tables have changed: flows take the ways of now. One without a way sends nothing.
  void reroute();
  const SimulatedLinks& links() const noexcept { return links_; }
  /// O(flows * path length).
  void simulate_sweep();
  /// Bytes of the last sweep, by link.
  const std::vector<double>& bytes() const noexcept { return bytes_; }
  /// Words of four bytes that each link could have carried in the last sweep and did not, although
  /// there was something to send: a link behind it was full.
  const std::vector<double>& waited() const noexcept { return waited_; }
  /// The truth since the beginning: [job * links().count() + link], bytes.
  const std::vector<double>& truth() const noexcept { return truth_; }

 private:
  struct SimulatedFlow;

  double reference_rate() const;
  double sender_rate(std::uint32_t host) const;
  void set_capacities();
  void add_flow(SimulatedFlow flow);
  bool find_path(SimulatedFlow& flow) const;
  void add_pattern(std::uint32_t job);
  void add_storage(std::uint32_t job);
  void add_activities(std::uint32_t job);
  void wait_before(const SimulatedFlow& flow, std::uint32_t full, double kept_back);

  const TrafficPlan& plan_;
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  SimulatedLinks links_;
  std::vector<SimulatedFlow> flows_;
  std::vector<ActivitySeries> series_;  // of computation and of storage, by job
  std::vector<double> activity_;        // of this sweep
  std::vector<double> capacity_;        // of links, bytes a second
  std::size_t sweep_ = 0;
  std::vector<double> bytes_, waited_, truth_;
};

/// Bytes; flat arrays.
struct SimulatedTraffic {
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
SimulatedTraffic play_traffic(const TrafficPlan& plan, const Fabric& fabric,
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
