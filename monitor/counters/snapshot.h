#pragma once

// One sweep: the counters of all ports at about the same time. Immutable once the collector hands
// it over; threads share it by std::shared_ptr<const Snapshot> and share nothing else. Whoever is
// late skips snapshots.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/counters/fabric_map.h"

namespace pssp {

/// Why a port has counters, or none.
enum class PortStatus : std::uint8_t {
  read,        ///< asked and answered in this sweep
  not_active,  ///< its link is not Active: not asked
  silent,      ///< asked, and no one answered
  backed_off,  ///< not asked in this sweep, for the node was silent before
  refused,     ///< the node answers that it has no such counters
  doubtful,    ///< another node answers at its LID: taken back
  left_out,    ///< not asked because the configuration says so (hosts = off)
};

struct SweepFigures {
  std::uint32_t asked = 0, answered = 0;  ///< ports
  std::uint64_t mads = 0;                 ///< requests that were sent, retries included
  std::uint64_t timed_out = 0;            ///< of these, without an answer
  std::uint64_t implausible = 0;          ///< differences that were not believed
  std::uint64_t duration_ns = 0;
  bool late = false;  ///< it took longer than the interval
};

struct Snapshot {
  std::uint64_t sweep = 0;    ///< 1, 2, ..: counts, whatever the clock does
  std::int64_t time_ms = 0;   ///< wall clock since 1970 when it began, for display and jobs only
  std::int64_t begin_ns = 0;  ///< monotonic clock
  std::shared_ptr<const FabricMap> map;
  SweepFigures figures;

  // By port of the map.
  std::vector<PortStatus> status;
  std::vector<std::int64_t> read_ns;   ///< monotonic time of the answer; 0 where there is none
  std::vector<CounterMask> known;      ///< which counters say something; none unless read
  std::vector<CounterMask> saturated;  ///< of these, those that stand at their largest value
  std::vector<CounterMask> narrow;     ///< of these, those that stop at a largest value at all
  std::vector<std::uint64_t> values;   ///< counter_count a port
  /// What the port could send in a tick of PortXmitWait; 0: not configured. Empty: of none.
  std::vector<std::uint16_t> tick_bytes;
  /// The first sweep whose reading belongs to the same port for certain: LIDs move. Empty: all do.
  std::vector<std::uint64_t> comparable_since;

  std::span<const std::uint64_t> counters(std::uint32_t port) const noexcept {
    return std::span(values).subspan(std::size_t{port} * counter_count, counter_count);
  }
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

}  // namespace pssp
