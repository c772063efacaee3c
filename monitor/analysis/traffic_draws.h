#pragma once

// Draws random traffic matrices that agree with the counters of a window and differ where the
// counters give no information.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "monitor/analysis/flow_routes.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

struct DrawOptions {
  std::uint64_t seed = 1;
  unsigned rounds = 20;  ///< rounds of scaling to the counters
};

/// Immutable; safe to read from several threads.
class TrafficDraws {
 public:
  /// All arguments must outlive the object. `in_force` has the routes of the matrix with
  /// `observed.tables`.
  TrafficDraws(const ObservedTraffic& observed, const TrafficMatrix& matrix,
               const FlowRoutes& in_force, DrawOptions options = {});

  /// Bytes of each flow of the matrix. Sweeps are drawn with replacement in blocks, each flow is
  /// multiplied by a random factor, and the result is scaled to the counters of hosts and channels
  /// in these sweeps. The same number gives the same bytes. O(rounds * hops).
  std::vector<double> draw(std::uint64_t number) const;

 private:
  struct Counted {
    std::vector<double> sent, received, channels;  ///< below 0 if unknown
  };
  Counted sums_of(const std::vector<double>& weights) const;  // one weight for each sweep
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
  /// Assumed error of each flow: standard deviation of the logarithm of its bytes.
  double flow_error_ = 0;
};

}  // namespace pssp
