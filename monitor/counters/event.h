#pragma once

// Events for administrators: in the log of the daemon, in the table `event` of the database, and on
// a page.

#include <cstdint>
#include <string>
#include <string_view>

#include "fabric/ids.h"

namespace pssp {

/// The order of the numbers in databases, so new events must be at the end.
enum class EventKind : std::uint8_t {
  topology_changed,    ///< a map with another hash
  topology_refused,    ///< the discovered topology is not a fabric, or cannot be routed; the text
                       ///< gives the reason
  discovery_failed,    ///< nothing was discovered; the last map stays
  node_silent,         ///< a node stopped answering
  node_answers,        ///< the node answers again
  wrong_node,          ///< another node answers at a LID; its latest readings are taken back
  counters_reset,      ///< counters of a port were cleared, or the node has restarted
  implausible,         ///< a counter rose by more than the link can carry; discarded
  counter_saturated,   ///< a counter has reached its largest value and gives no more information
  link_downed,         ///< LinkDowned increased
  clock_jumped,        ///< wall clock relative to the monotonic clock, by more than a second
  sweeps_late,         ///< ten in a row took longer than the interval
  manager_changed,     ///< another master subnet manager
  manager_priority,    ///< its priority changed
  manager_silent,      ///< the master does not answer
  manager_stuck,       ///< its activity count does not change
  standby_new,         ///< an additional standby manager
  standby_lost,        ///< a standby manager is missing
  tables_changed,      ///< forwarding tables were rewritten
  port_lost,           ///< the port of the monitor is missing
  port_back,           ///< the port of the monitor is available again
  history_gap,         ///< sweeps could not be written for a while
  history_shortened,   ///< history was deleted early because of its size limit
  history_damaged,     ///< the database was damaged and set aside
  history_unreadable,  ///< rows of the database cannot be decoded
  jobs_stale,          ///< the source of jobs does not answer
  jobs_fresh,          ///< the source of jobs answers again
  lid_changed,       ///< a node has another LID; the latest readings at the old LID are taken back
  rerouted,          ///< the effects of a finished change of the forwarding tables on flows
  history_replaced,  ///< the database was removed or renamed by another program
  cabling_wrong,     ///< a cable differs from the plan; the text gives the difference
  cabling_repaired,  ///< the cable agrees with the plan again
  drain_held_back,   ///< nodes are unfit for jobs, but too many to drain
  fault_opened,      ///< a new fault of a cable or node, or a fault that has changed its type
  fault_ended,       ///< a cable or node no longer has a fault
};
inline constexpr std::size_t event_kind_count = 35;

/// As in JSON and lists: lower case, underscores.
std::string_view name_of(EventKind kind);

struct MonitorEvent {
  EventKind kind = EventKind::topology_changed;
  std::int64_t time_ms = 0;  ///< wall clock, since 1970
  Guid node = 0;             ///< 0: no node
  PortNumber port = 0;       ///< 0: no port
  /// Readings of the node (or of `port`, if it is set) may be from another node if their sweep is
  /// after since_sweep and not after until_sweep.
  std::uint64_t since_sweep = 0;
  std::string text;  ///< a sentence; names from the fabric are already untrusted_text()
  std::uint64_t until_sweep = 0;  ///< number of a snapshot; 0: no readings are doubtful

  bool takes_back(std::uint64_t sweep) const noexcept {
    return sweep > since_sweep && sweep <= until_sweep;
  }
};

}  // namespace pssp
