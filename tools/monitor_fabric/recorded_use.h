#pragma once

// What channels carried while something was recorded.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/counters/rates.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

/// Sums over the intervals between sweeps, by port of the newest map.
class RecordedUse {
 public:
  /// Sweep by sweep. O(ports).
  void add(const SnapshotPointer& snapshot);

  struct Port {
    PortDifference sum;  ///< of the intervals that are known
    double peak = -1;    ///< utilisation of the busiest interval; below 0: unknown
    unsigned gaps = 0;   ///< intervals of which nothing is known
  };
  const std::vector<Port>& ports() const noexcept { return ports_; }
  const SnapshotPointer& first() const noexcept { return first_; }
  const SnapshotPointer& last() const noexcept { return last_; }
  unsigned sweeps() const noexcept { return sweeps_; }
  double seconds() const;

  /// Ports that sent more than a thousandth of what they can, or waited so long: most bytes first.
  std::vector<std::uint32_t> used() const;
  /// Bytes by channel of last()->map->fabric, for a picture; that must be there.
  std::vector<double> bytes_by_channel() const;

 private:
  void move_to(const Snapshot& snapshot);

  SnapshotPointer first_, last_;
  std::vector<Port> ports_;
  unsigned sweeps_ = 0;
};

struct RecordingLabel {
  std::string name, command;
  std::int64_t start_ms = 0, end_ms = 0;
  int status = 0;  ///< of the command
};

std::string recording_text(const RecordedUse& use, const RecordingLabel& label, std::size_t top);
std::string recording_json(const RecordedUse& use, const RecordingLabel& label);

}  // namespace pssp
