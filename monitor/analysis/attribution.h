#pragma once

// Whose traffic a channel carries: for each job a share, bounds that are certain, and what the
// share rests on (docs/explanation/monitoring.md, "Who uses a link"). Pure functions of what was
// counted.

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

/// What a share rests on.
enum class Evidence : std::uint8_t {
  only_user,    ///< no one else can have used the channel
  time_series,  ///< the channel moves with the job, and with no other that may have used it
  estimate,     ///< nothing tells it apart: any share within the bounds may be true
};
/// "only user", "time series", "estimate".
std::string_view name_of(Evidence evidence);
/// A sentence; empty of WideBounds::no.
std::string_view reason_of(WideBounds wide);

struct AttributionOptions {
  std::uint64_t seed = 1;  ///< of the bootstrap
  unsigned bootstraps = 200;
  std::size_t least_sweeps = 6;  ///< fewer show no `time series`
  /// Activities that correlate by more cannot be told apart.
  double largest_correlation = 0.9;
  /// Standard deviation over mean of an activity below which it counts as constant.
  double least_variation = 0.1;
  /// How wrong the prior of a class is taken to be for the interval: standard deviation of the
  /// logarithm of its factor. With 1 intervals of drifting jobs held in 86 of 100 cases, with 2 in
  /// 99, and of no other traffic in less than 94 (benchmarks/monitor_attribution.cpp).
  double prior_error = 2;
  /// By how much of a sweep readings of different ports may be apart; bounds have room for it.
  double reading_skew = 0;
  /// Without the last two steps: shares by counters alone, for comparison.
  bool use_time = true;
};

/// All parts are of the bytes of the channel in the window, 0 .. 1.
struct JobShare {
  std::uint32_t job = 0;     ///< index into ObservedTraffic::jobs; as many as there are: in no job
  double share = 0;          ///< within the bounds
  double low = 0, high = 0;  ///< 95 % interval; of an estimate the bounds
  double least = 0, most = 0;  ///< certain
  Evidence evidence = Evidence::estimate;
  WideBounds wide = WideBounds::no;
};

struct ChannelShares {
  ChannelId channel;
  double bytes = 0;
  std::vector<JobShare> jobs;  ///< who can have used it, by descending share
  double unexplained = 0;      ///< what the shares leave over
  /// Mean difference of the fitted series from what was counted, of its mean: large where the
  /// activities do not make up what the channel carried.
  double misfit = 0;
};

/// Immutable; may be read from several threads. Deterministic by seed.
class Attribution {
 public:
  /// What was observed must outlive it. Throws Error(internal) where its arrays have wrong sizes,
  /// Error(unsuitable_topology) and Stopped as CandidateFlows.
  explicit Attribution(const ObservedTraffic& observed, AttributionOptions options = {},
                       const StopSignal& stop = {});

  /// O(pairs that cross the channel + bootstraps * classes * sweeps).
  ChannelShares shares_of(ChannelId channel) const;
  /// The channels that carried most bytes relative to their rate, from the busiest; none idle.
  std::vector<ChannelId> hottest(std::size_t count) const;
  /// All flows of the window: the bytes that hosts and channels suggest, scaled by what time tells
  /// of each channel; below `least_bytes` they are left out. O(channels * classes * sweeps).
  TrafficMatrix traffic(double least_bytes = 1, const StopSignal& stop = {}) const;

  const TrafficOwners& owners() const noexcept { return owners_; }
  /// With the bytes that hosts and channels suggest, without time.
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
