#pragma once

// What happened that somebody may want to read tomorrow: in the log of the daemon, the table
// `event` of the database, the list of the page.

#include <cstdint>
#include <string>
#include <string_view>

#include "fabric/ids.h"

namespace pssp {

/// The order is the one of the numbers in databases: new ones go to the end.
enum class EventKind : std::uint8_t {
  topology_changed,    ///< a map of another hash
  topology_refused,    ///< what was found is no fabric, or cannot be routed; the text says why
  discovery_failed,    ///< nothing was found; the last map stays
  node_silent,         ///< a node stopped answering
  node_answers,        ///< and does so again
  wrong_node,          ///< another node answers at a LID; what was read there lately is taken back
  counters_reset,      ///< somebody cleared counters of a port, or the node has started again
  implausible,         ///< a counter rose by more than the link carries; not believed
  counter_saturated,   ///< a counter has come to its largest value and says nothing any more
  link_downed,         ///< LinkDowned counted
  clock_jumped,        ///< wall clock against monotonic clock, by more than a second
  sweeps_late,         ///< ten in a row took longer than the interval
  manager_changed,     ///< another master subnet manager
  manager_priority,    ///< its priority changed
  manager_silent,      ///< the master does not answer
  manager_stuck,       ///< its activity count stands still
  standby_new,         ///< a standby manager more
  standby_lost,        ///< one less
  tables_changed,      ///< forwarding tables were rewritten
  port_lost,           ///< our own port is gone
  port_back,           ///< and there again
  history_gap,         ///< sweeps could not be written for a while
  history_shortened,   ///< history went before its time for lack of room
  history_damaged,     ///< the database was damaged and set aside
  history_unreadable,  ///< rows of the database that do not decode
  jobs_stale,          ///< the source of jobs does not answer
  jobs_fresh,          ///< and does so again
  lid_changed,       ///< a node has another LID; what was read at the old one lately is taken back
  rerouted,          ///< what a change of forwarding tables that is over did to flows
  history_replaced,  ///< the database was removed or renamed by somebody else
  cabling_wrong,     ///< something is cabled otherwise than planned; the text says what
  cabling_repaired,  ///< and is so no longer
  drain_held_back,   ///< nodes are not fit for jobs, and too many to be drained
};
inline constexpr std::size_t event_kind_count = 33;

/// As in JSON and lists: lower case, underscores.
std::string_view name_of(EventKind kind);

struct MonitorEvent {
  EventKind kind = EventKind::topology_changed;
  std::int64_t time_ms = 0;  ///< wall clock, since 1970
  Guid node = 0;             ///< 0: of no node
  PortNumber port = 0;       ///< 0: of no port
  /// Readings of the node (of that port alone, where there is one) in later sweeps than this one,
  /// up to until_sweep, may be another's.
  std::uint64_t since_sweep = 0;
  std::string text;  ///< a sentence; names of the fabric in it are untrusted_text() already
  std::uint64_t until_sweep = 0;  ///< number of a snapshot; 0: nothing is doubtful

  bool takes_back(std::uint64_t sweep) const noexcept {
    return sweep > since_sweep && sweep <= until_sweep;
  }
};

}  // namespace pssp
