#pragma once

// What counted at each port in the last hour, or day, while sweeps go on.

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "monitor/counters/rates.h"

namespace pssp {

/// Holds at least the last `length_s` seconds and at most half as much again, in three parts of
/// half that length: 600 bytes a port.
class PortWindows {
 public:
  explicit PortWindows(double length_s) : part_s_(length_s / 2) {}

  /// The next sweep, with what differs from the one before. O(ports); where the map is another one,
  /// ports keep what they have by node GUID and number. O(ports log nodes) then.
  void add(const Snapshot& after, const std::vector<PortDifference>& differences);
  /// What was counted at the port so far was another's.
  void forget(std::uint32_t port);
  /// By port of the last snapshot's map.
  PortWindow of(std::uint32_t port) const;

 private:
  struct Part {
    double seconds = 0;  ///< of sweeps, whatever its ports were asked
    std::vector<PortWindow> ports;
  };

  void begin_part();

  double part_s_;
  std::shared_ptr<const FabricMap> map_;
  std::array<Part, 3> parts_;  // oldest first, then those that are not in use yet
  std::size_t used_ = 0;
};

}  // namespace pssp
