#pragma once

// The one line that the plugin logs for each routing: "routing: " and key=value pairs, which
// scripts may read (docs/reference/log-messages.md lists the keys). Keys are only added, and
// unknown values are "-".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "routing/repair/entry_changes.h"

namespace pssp {

/// Where the tables of a routing come from.
enum class RoutingReason : std::uint8_t {
  scratch,      ///< computed without regard to earlier tables
  inferred,     ///< computed for the complete tree, and repaired for what is there of it
  repaired,     ///< the baseline with entries changed where something is missing or new
  kept,         ///< those of before: the fabric has not changed
  rebaselined,  ///< a new baseline that was asked for, or is worth more
  takeover,     ///< those that another subnet manager has left in the switches
  substitute,   ///< by the fastest engine, because the engine met a limit
  interim,      ///< by a fast engine, while the engine works in the background
};

std::string_view to_string(RoutingReason reason);

struct RoutingReport {
  std::string_view engine = {};
  RoutingReason reason = RoutingReason::scratch;
  std::string_view computed_by =
      {};                          ///< another engine than `engine` if a substitute computed them
  std::string_view selected = {};  ///< candidate of an engine that selects among several; or empty
  std::uint64_t switches = 0, hosts = 0, lids = 0;
  std::uint64_t entries_changed = 0;         ///< against the tables of the last routing
  std::optional<EntryChanges> changes = {};  ///< of tables that continue earlier ones
  std::optional<double> edge_forwarding_index = 0;
  unsigned vls_used = 0, vls = 0;        ///< 0: not known
  std::string_view service_levels = {};  ///< "opensm", "new" or "kept"
  std::uint64_t changed_levels = 0;      ///< routes with another service level than before
  bool is_reversible = false;
  unsigned rejected_for_vls = 0;  ///< better tables that need more virtual lanes
  std::optional<bool> is_deadlock_free = {};
  std::uint64_t unreachable_pairs = 0;
  std::string_view limit = {};       ///< the option that ended the work too early, or empty
  std::string_view background = {};  ///< "running", "used" or empty
  double seconds = 0;
};

/// "engine=best reason=scratch ...", without the topic.
std::string to_text(const RoutingReport& report);

}  // namespace pssp
