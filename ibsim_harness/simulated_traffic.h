#pragma once

// Traffic for tests: jobs with patterns of the evaluator start and stop on a fabric. The results
// are the counters of each host and channel, and the true share of each job. ibsim carries no data
// traffic, so its counters are set to these values.

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
  std::string pattern;               ///< as for eval_lft --ptrn
  Activity activity = Activity::constant;
  double rate = 0.5;         ///< of the link rate of a sender at full activity, 0 .. 1
  double storage_share = 0;  ///< share of its bytes to the storage hosts, in separate phases
};

struct TrafficPlan {
  std::vector<SimulatedJob> jobs;
  std::vector<std::uint32_t> storage_hosts;  ///< EndPortIds, not in a job
  std::size_t sweeps = 30;
  double sweep_seconds = 10;
  std::uint64_t seed = 1;
  std::size_t pace = 1;  ///< number of sweeps with the same activity
  /// Host links have the same limit as links between switches: at most this share of the rate in
  /// ibsim (ibsim_rate()). 0: host links have no limit, and links without a rate count as 100
  /// Gbit/s.
  double full_link = 0;
};

/// 4xSDR for a rate that is unknown or faster than HDR, as in ibsim.
LinkRate ibsim_rate(LinkRate stated);

/// Channels, then the links of end ports; each direction of each cable once.
struct SimulatedLinks {
  std::size_t channels = 0, end_ports = 0;
  std::size_t count() const noexcept { return channels + 2 * end_ports; }
  /// From the end port to its switch, and in the opposite direction.
  std::size_t out_of(std::uint32_t end_port) const noexcept { return channels + end_port; }
  std::size_t into(std::uint32_t end_port) const noexcept {
    return channels + end_ports + end_port;
  }
};

/// Endless traffic, sweep by sweep.
class TrafficPlayer {
 public:
  /// Throws as play_traffic(); all three arguments must outlive the object.
  TrafficPlayer(const TrafficPlan& plan, const Fabric& fabric, const ForwardingTables& tables);
  ~TrafficPlayer();

  /// Uses changed tables: flows follow the new paths. A flow without a path sends nothing.
  void reroute();
  const SimulatedLinks& links() const noexcept { return links_; }
  /// O(flows * path length).
  void simulate_sweep();
  /// Bytes of the last sweep, by link.
  const std::vector<double>& bytes() const noexcept { return bytes_; }
  /// Words of four bytes that each link did not send in the last sweep because a link behind it was
  /// full.
  const std::vector<double>& waited() const noexcept { return waited_; }
  /// True bytes since the start: [job * links().count() + link].
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
  std::vector<double> capacity_;        // of links, in bytes per second
  std::size_t sweep_ = 0;
  std::vector<double> bytes_, waited_, truth_;
};

/// The bytes of a simulation in flat arrays.
struct SimulatedTraffic {
  std::size_t sweeps = 0;
  std::vector<double> sent, received;  ///< [sweep * end ports + EndPortId]
  std::vector<double> channels;        ///< [sweep * channels + ChannelId]
  /// True bytes of all sweeps: [job * channels + ChannelId], including the writes of a job to
  /// storage.
  std::vector<double> truth;
};

/// Simulates all sweeps of a plan. The flows of all phases of a pattern share the bytes of a job.
/// In each sweep, flows over a channel that would exceed its rate are slowed down together; the
/// rate of each flow varies by a tenth. The same seed gives the same traffic. Throws Error(usage)
/// for an invalid pattern, and Error(internal) if a host is not an endpoint. Links without a rate
/// count as 100 Gbit/s. O(sweeps * flows * path length).
SimulatedTraffic play_traffic(const TrafficPlan& plan, const Fabric& fabric,
                              const ForwardingTables& tables);

struct ScatterOptions {
  std::size_t jobs = 20;
  std::size_t smallest = 4, largest = 64;  ///< hosts of a job
  Activity activity = Activity::phases;
  double storage_share = 0;
  std::size_t storage_hosts = 8;  ///< if storage_share is not 0
  bool together = false;          ///< the hosts of a job have consecutive numbers
  std::size_t sweeps = 30;
  std::uint64_t seed = 1;
};
/// Jobs of random sizes and patterns on random hosts, as many as possible.
TrafficPlan scatter_jobs(const Fabric& fabric, const ScatterOptions& options);

}  // namespace pssp
