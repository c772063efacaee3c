#pragma once

// The use of the fabric by a job: its links, its share of each link, the most congested links, and
// the other jobs on the links where it had to wait.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/attribution.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// A channel between switches that the job used or may have used.
struct JobLink {
  std::uint32_t port = 0;  ///< port of the map that the channel leaves
  ChannelShares users;     ///< shares of all jobs
  JobShare share;          ///< share of this job
  /// utilization in the window; below 0: the rate of the link is unknown
  double utilisation = -1;
  /// share of the time in which the port waited for credits; below 0: unknown
  double waiting_share = -1;
  bool hot = false, held_up = false;

  double bytes() const noexcept { return share.share * users.bytes; }
};

/// Another job on links of the job that are hot or held up.
struct JobNeighbour {
  /// index into TrafficWindow::jobs; the number of jobs stands for hosts without a job
  std::uint32_t job = 0;
  std::size_t links = 0;
  double largest_share = 0;
};

struct JobLinks {
  std::size_t may_use =
      /// number of channels on paths between its hosts, and between them and hosts without a job
      0;
  std::vector<JobLink> links;  ///< in descending order of the job's bytes
  /// in descending order of links, then of the largest share
  std::vector<JobNeighbour> held_up_by;
  double sent = 0, received = 0;  ///< bytes of its hosts in the window
};

/// `job` is an index into window.jobs. Of the channels that the job may use, the `most` ones with
/// the most bytes according to all counters are examined. O(most * Attribution::shares_of). Throws
/// Stopped.
JobLinks links_of_job(const TrafficWindow& window, const Attribution& attribution,
                      std::uint32_t job, std::size_t most, const StopSignal& stop = {});

/// Summary of a job in the window from counters alone, for lists of jobs.
struct JobUse {
  double sent = 0, received = 0;  ///< bytes per second of its hosts while it ran
  /// number of hot or held-up channels on which the job has a share of at least 1 %
  std::size_t hot = 0, held_up = 0;
};
/// By index of window.jobs. O(flows that cross hot channels).
std::vector<JobUse> use_of_jobs(const TrafficWindow& window, const Attribution& attribution);

/// Bytes that the channel carried in all sweeps; unknown values count as 0.
double channel_bytes(const ObservedTraffic& observed, std::uint32_t channel);
/// Utilization of the port if it sends `bytes` in the window; below 0: its rate is unknown.
double utilisation_of(const TrafficWindow& window, std::uint32_t map_port, double bytes);

}  // namespace pssp
