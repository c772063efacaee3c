#pragma once

// The value of each path for a plan of rounds, and the paths that a round has closed.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/flow_alternatives.h"

namespace pssp {

/// Endpoints of one switch (a row) share their path to a destination, so paths are stored by row
/// and destination instead of by pair of end ports. Memory: 4 bytes per row and endpoint.
class PathValues {
 public:
  /// The FlowAlternatives must outlive it.
  explicit PathValues(const FlowAlternatives& alternatives)
      : alternatives_(alternatives),
        values_(std::size_t{alternatives.row_count()} * alternatives.endpoint_count(), closed) {}

  /// Opens a path and sets its value: the sum of the weights of its channels. Two consecutive
  /// channels with the same fingerprint other than 0 count as one. A path that does not exist stays
  /// closed. `weight` and `crossed_by`: at least by channel. O(length of the path).
  void open(std::uint32_t row, std::uint32_t destination, std::span<const double> weight,
            std::span<const std::uint64_t> crossed_by) {
    double sum = 0;
    std::uint64_t before = 0;
    const bool exists =
        alternatives_.each_channel_from(row, destination, [&](std::uint32_t channel) {
          if (before == 0 || before != crossed_by[channel]) sum += weight[channel];
          before = crossed_by[channel];
          return true;
        });
    values_[place(row, destination)] = exists ? static_cast<float>(sum) : closed;
  }
  void close(std::uint32_t row, std::uint32_t destination) {
    values_[place(row, destination)] = closed;
  }

  /// Negative if the path is closed.
  float value(std::uint32_t row, std::uint32_t destination) const {
    return values_[place(row, destination)];
  }

 private:
  static constexpr float closed = -1;
  std::size_t place(std::uint32_t row, std::uint32_t destination) const {
    return std::size_t{row} * alternatives_.endpoint_count() + destination;
  }

  const FlowAlternatives& alternatives_;
  std::vector<float> values_;
};

}  // namespace pssp
