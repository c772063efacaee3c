#pragma once

// What ports did in each sample of a run.

#include <cstdint>
#include <vector>

#include "simulator/network/network.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// Of some ports; counted from what the network counts of them anyway, so that a run without
/// samples has nothing to do for them.
class PortSamples {
 public:
  /// `ports`: numbers as in Outcome::ports. Throws Error(usage) when the samples would not fit.
  PortSamples(const std::vector<std::uint32_t>& ports, const Traffic& traffic);

  bool wanted() const noexcept { return !ports_.empty(); }
  /// A sample ends. O(ports).
  void end_sample(const Network& network);
  /// The network is about to count from 0 again.
  void before_reset(const Network& network);

  /// By port, then by sample.
  std::vector<std::vector<PortInterval>> take() { return std::move(samples_); }

 private:
  struct Counted {
    std::uint64_t bytes = 0, marks = 0;
  };

  const std::vector<std::uint32_t>& ports_;
  std::vector<std::vector<PortInterval>> samples_;
  std::vector<Counted> before_;  // when the last sample ended
  std::vector<Counted> kept_;    // of this sample, from before the network began again
};

}  // namespace pssp
