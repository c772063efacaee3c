#pragma once

// What a job did to the fabric, and who was in its way: its links, its share of each, the slowest,
// and the others on those where it had to wait.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/attribution.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// A channel between switches that the job used, or may have.
struct JobLink {
  std::uint32_t port = 0;     ///< of the map: the one that the channel leaves
  ChannelShares users;        ///< all of them
  JobShare share;             ///< the job's
  double utilisation = -1;    ///< of the window; below 0: the rate is not stated
  double waiting_share = -1;  ///< below 0: unknown
  bool hot = false, held_up = false;

  double bytes() const noexcept { return share.share * users.bytes; }
};

/// Others on links of the job that are hot or held up.
struct JobNeighbour {
  std::uint32_t job = 0;  ///< index into TrafficWindow::jobs; as many as there are: in no job
  std::size_t links = 0;
  double largest_share = 0;
};

struct JobLinks {
  std::size_t may_use =
      0;  ///< channels that routes between its hosts, and to hosts in no job, cross
  std::vector<JobLink> links;            ///< by descending bytes of the job
  std::vector<JobNeighbour> held_up_by;  ///< by descending links, then share
  double sent = 0, received = 0;         ///< bytes of its hosts in the window
};

/// `job`: index into window.jobs. Of the channels that it may use the `most` with the most bytes by
/// all counters are looked at. O(most * Attribution::shares_of). Throws Stopped.
JobLinks links_of_job(const TrafficWindow& window, const Attribution& attribution,
                      std::uint32_t job, std::size_t most, const StopSignal& stop = {});

/// What a job did in the window, by all counters alone: for a list of jobs.
struct JobUse {
  double sent = 0, received = 0;     ///< bytes a second of its hosts, while it ran
  std::size_t hot = 0, held_up = 0;  ///< channels of which it has a hundredth at least
};
/// By index of window.jobs. O(flows that cross hot channels).
std::vector<JobUse> use_of_jobs(const TrafficWindow& window, const Attribution& attribution);

/// The port's utilisation by `bytes` in the window; below 0: its rate is not stated.
double utilisation_of(const TrafficWindow& window, std::uint32_t map_port, double bytes);

}  // namespace pssp
