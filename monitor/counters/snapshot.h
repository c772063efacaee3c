#pragma once

// One sweep: the counters of all ports at about the same time. Immutable after the collector has
// returned it. Threads share only std::shared_ptr<const Snapshot>. A slow reader skips snapshots.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/counters/fabric_map.h"

namespace pssp {

/// The reason why a port has counters or not.
enum class PortStatus : std::uint8_t {
  read,        ///< requested and answered in this sweep
  not_active,  ///< its link is not Active: not requested
  silent,      ///< requested, but not answered
  backed_off,  ///< not requested in this sweep, because the node was silent before
  refused,     ///< the node answered that it has no such counters
  doubtful,    ///< another node answered at its LID: taken back
  left_out,    ///< not requested because of the configuration (hosts = off)
};

struct SweepFigures {
  std::uint32_t asked = 0, answered = 0;  ///< number of ports
  std::uint64_t mads = 0;                 ///< number of sent requests, including retries
  std::uint64_t timed_out = 0;            ///< number of requests without an answer
  std::uint64_t implausible = 0;          ///< number of discarded differences
  std::uint64_t duration_ns = 0;
  bool late = false;  ///< the sweep took longer than the interval
};

struct Snapshot {
  std::uint64_t sweep = 0;    ///< 1, 2, ..: independent of the clock
  std::int64_t time_ms = 0;   ///< wall clock since 1970 at the start, only for display and jobs
  std::int64_t begin_ns = 0;  ///< monotonic clock
  std::shared_ptr<const FabricMap> map;
  SweepFigures figures;

  // By port of the map.
  std::vector<PortStatus> status;
  std::vector<std::int64_t> read_ns;   ///< monotonic time of the answer; 0 if there is none
  std::vector<CounterMask> known;      ///< counters with a valid value; none unless read
  std::vector<CounterMask> saturated;  ///< of these, the counters at their largest value
  std::vector<CounterMask> narrow;     ///< of these, the counters that stop at a largest value
  std::vector<std::uint64_t> values;   ///< counter_count values per port
  /// Bytes that the port can send in a tick of PortXmitWait; 0: unknown. Empty: unknown for all
  /// ports.
  std::vector<std::uint16_t> tick_bytes;
  /// The first sweep whose reading belongs to the same port with certainty, because LIDs can move.
  /// Empty: all readings do.
  std::vector<std::uint64_t> comparable_since;

  std::span<const std::uint64_t> counters(std::uint32_t port) const noexcept {
    return std::span(values).subspan(std::size_t{port} * counter_count, counter_count);
  }
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

}  // namespace pssp
