#pragma once

// Port counts in each sample of a run.

#include <cstdint>
#include <vector>

#include "simulator/network/network.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// For selected ports; computed from the counts of the network, so that runs without samples have
/// no extra cost.
class PortSamples {
 public:
  /// `ports`: indices in Outcome::ports. Throws Error(usage) if the samples need too much memory.
  PortSamples(const std::vector<std::uint32_t>& ports, const Traffic& traffic);

  bool wanted() const noexcept { return !ports_.empty(); }
  /// Called at the end of a sample. O(ports).
  void end_sample(const Network& network);
  /// Called before the network resets its counts.
  void before_reset(const Network& network);

  /// By port, then by sample.
  std::vector<std::vector<PortInterval>> take() { return std::move(samples_); }

 private:
  struct Counted {
    std::uint64_t bytes = 0, marks = 0;
  };

  const std::vector<std::uint32_t>& ports_;
  std::vector<std::vector<PortInterval>> samples_;
  std::vector<Counted> before_;  // at the end of the last sample
  std::vector<Counted> kept_;    // counts of this sample before the reset
};

}  // namespace pssp
