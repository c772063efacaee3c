#include "monitor/counters/event.h"

#include <array>

namespace pssp {
namespace {

constexpr std::array<std::string_view, event_kind_count> event_names{
    "topology_changed",   "topology_refused", "discovery_failed",  "node_silent",
    "node_answers",       "wrong_node",       "counters_reset",    "implausible",
    "counter_saturated",  "link_downed",      "clock_jumped",      "sweeps_late",
    "manager_changed",    "manager_priority", "manager_silent",    "manager_stuck",
    "standby_new",        "standby_lost",     "tables_changed",    "port_lost",
    "port_back",          "history_gap",      "history_shortened", "history_damaged",
    "history_unreadable", "jobs_stale",       "jobs_fresh",        "lid_changed",
    "rerouted",           "history_replaced", "cabling_wrong",     "cabling_repaired",
    "drain_held_back",    "fault_opened",     "fault_ended",
};

}  // namespace

std::string_view name_of(EventKind kind) { return event_names[static_cast<std::size_t>(kind)]; }

}  // namespace pssp
