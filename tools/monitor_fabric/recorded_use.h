#pragma once

// The traffic of channels during a recording.

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
    PortDifference sum;  ///< of the known intervals
    double peak = -1;    ///< utilization in the busiest interval; negative: unknown
    unsigned gaps = 0;   ///< number of unknown intervals
  };
  const std::vector<Port>& ports() const noexcept { return ports_; }
  const SnapshotPointer& first() const noexcept { return first_; }
  const SnapshotPointer& last() const noexcept { return last_; }
  unsigned sweeps() const noexcept { return sweeps_; }
  double seconds() const;

  /// Ports that sent or waited for more than a thousandth of their capacity: most bytes first.
  std::vector<std::uint32_t> used() const;
  /// Bytes by channel of last()->map->fabric, which must exist, for a picture.
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
