#pragma once

// What the traffic of a window may have been: matrices that agree with what was counted, and differ
// in what was not.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "monitor/analysis/flow_routes.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

struct DrawOptions {
  std::uint64_t seed = 1;
  unsigned rounds = 20;  ///< of scaling to what was counted
};

/// Immutable; may be read from several threads.
class TrafficDraws {
 public:
  /// What it is made from must outlive it; `in_force`: routes of the matrix under
  /// `observed.tables`.
  TrafficDraws(const ObservedTraffic& observed, const TrafficMatrix& matrix,
               const FlowRoutes& in_force, DrawOptions options = {});

  /// Bytes of each flow of the matrix: those of sweeps drawn with replacement in blocks, each
  /// flow wrong by a random factor, then scaled to what hosts and channels counted in these sweeps.
  /// The same number gives the same bytes. O(rounds * hops).
  std::vector<double> draw(std::uint64_t number) const;

 private:
  struct Counted {
    std::vector<double> sent, received, channels;  ///< below 0: no one knows
  };
  Counted sums_of(const std::vector<double>& weights) const;  // of each sweep
  void scale(const Counted& counted, std::vector<double>& bytes, bool to_channels = true) const;
  std::vector<double> loads(const std::vector<double>& bytes) const;
  std::vector<double> even_bytes() const;
  double distance(const std::vector<double>& over, const std::vector<double>& expected) const;
  double distance_with(double error, const std::vector<double>& even,
                       const std::vector<double>& expected) const;
  double estimated_flow_error() const;

  const ObservedTraffic& observed_;
  const TrafficMatrix& matrix_;
  const FlowRoutes& in_force_;
  DrawOptions options_;
  Counted all_;
  /// How wrong each flow is taken to be: standard deviation of the logarithm of its bytes.
  double flow_error_ = 0;
};

}  // namespace pssp
