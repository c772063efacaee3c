#pragma once

// Estimates whose traffic a channel carries: for each job a share, certain bounds, and the evidence
// for the share (docs/explanation/monitoring.md, "Who uses a link"). All results are pure functions
// of the counters.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/candidate_flows.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/share_bounds.h"
#include "monitor/analysis/traffic_matrix.h"
#include "monitor/analysis/traffic_owners.h"

namespace pssp {

/// The evidence for a share.
enum class Evidence : std::uint8_t {
  only_user,    ///< no other job can have used the channel
  time_series,  ///< the channel follows the activity of this job, and of no other job that may use
                ///< it
  estimate,     ///< the jobs cannot be told apart: any share within the bounds may be true
};
std::string_view name_of(Evidence evidence);
/// A sentence; empty for WideBounds::no.
std::string_view reason_of(WideBounds wide);

struct AttributionOptions {
  std::uint64_t seed = 1;  ///< seed of the bootstrap
  unsigned bootstraps = 200;
  std::size_t least_sweeps = 6;  ///< with fewer sweeps there is no evidence time_series
  /// Activities with a larger correlation cannot be told apart.
  double largest_correlation = 0.9;
  /// An activity counts as constant if its standard deviation over its mean is below this value.
  double least_variation = 0.1;
  /// Assumed error of the prior of a class, for the interval: standard deviation of the logarithm
  /// of its factor. With 1, the intervals of drifting jobs held in 86 of 100 cases; with 2, in 99,
  /// and for all other traffic in at least 94 (benchmarks/monitor_attribution.cpp).
  double prior_error = 2;
  /// Largest time between the readings of different ports in a sweep, relative to the sweep
  /// interval. The bounds allow for it.
  double reading_skew = 0;
  /// If false, shares come from the counters alone, without the fit over time; for comparison.
  bool use_time = true;
};

/// All shares and bounds are relative to the bytes of the channel in the window, 0 to 1.
struct JobShare {
  std::uint32_t job = 0;     ///< index into ObservedTraffic::jobs; the number of jobs means traffic
                             ///< of no job
  double share = 0;          ///< within the bounds
  double low = 0, high = 0;  ///< 95 % interval if the evidence is time_series, else the bounds
  double least = 0, most = 0;  ///< certain bounds
  Evidence evidence = Evidence::estimate;
  WideBounds wide = WideBounds::no;
};

struct ChannelShares {
  ChannelId channel;
  double bytes = 0;
  std::vector<JobShare> jobs;  ///< jobs that may have used the channel, by descending share
  double unexplained = 0;      ///< part of the bytes that no share explains
  /// Mean absolute difference between the fitted and the counted series, relative to the mean of
  /// the counted series. It is large if the activities do not add up to the traffic of the channel.
  double misfit = 0;
};

/// Immutable; safe to read from several threads. Deterministic for a given seed.
class Attribution {
 public:
  /// `observed` must outlive the object. Throws Error(internal) if its arrays have wrong sizes, and
  /// Error(unsuitable_topology) and Stopped like CandidateFlows.
  explicit Attribution(const ObservedTraffic& observed, AttributionOptions options = {},
                       const StopSignal& stop = {});

  /// O(pairs that cross the channel + bootstraps * classes * sweeps).
  ChannelShares shares_of(ChannelId channel) const;
  /// The channels that carried the most bytes relative to their rate, busiest first; without idle
  /// channels.
  std::vector<ChannelId> hottest(std::size_t count) const;
  /// All flows of the window. The bytes that follow from the counters of hosts and channels are
  /// scaled by the fit over time of each channel of the path. Leaves out flows below `least_bytes`.
  /// O(channels * classes * sweeps).
  TrafficMatrix traffic(double least_bytes = 1, const StopSignal& stop = {}) const;

  const TrafficOwners& owners() const noexcept { return owners_; }
  /// Flows with bytes that follow from the counters of hosts and channels, without the fit over
  /// time.
  const CandidateFlows& flows() const noexcept { return flows_; }

 private:
  struct ChannelFit;
  ChannelFit fit_of(ChannelId channel) const;
  void share_out(const ChannelFit& fit, double bytes, ChannelShares& shares) const;
  void evaluate(const ChannelFit& fit, ChannelShares& shares) const;
  void resample(const ChannelFit& fit, ChannelShares& shares) const;

  const ObservedTraffic& observed_;
  AttributionOptions options_;
  TrafficOwners owners_;
  CandidateFlows flows_;
  ShareBounds bounds_;
};

}  // namespace pssp
