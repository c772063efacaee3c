#pragma once

// Sums of the counters of each port over the last hour or day, updated with every sweep.

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "monitor/counters/rates.h"

namespace pssp {

/// Holds at least the last `length_s` seconds and at most half as much again, in three parts of
/// half that length: 600 bytes for each port.
class PortWindows {
 public:
  explicit PortWindows(double length_s) : part_s_(length_s / 2) {}

  /// Takes the next sweep, with its differences from the one before. O(ports). If the map is
  /// another object, ports keep their sums by node GUID and number; this takes O(ports *
  /// log(nodes)).
  void add(const Snapshot& after, const std::vector<PortDifference>& differences);
  /// Forgets the sums of the port, because they belong to another device.
  void forget(std::uint32_t port);
  /// `port` is an index into the last snapshot's map.
  PortWindow of(std::uint32_t port) const;

 private:
  struct Part {
    double seconds = 0;  ///< of sweeps, even if ports were not read
    std::vector<PortWindow> ports;
  };

  void begin_part();

  double part_s_;
  std::shared_ptr<const FabricMap> map_;
  std::array<Part, 3> parts_;  // oldest first, then unused parts
  std::size_t used_ = 0;
};

}  // namespace pssp
