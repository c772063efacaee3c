#pragma once

// What the next start of opensm needs to know of a routing, and its form in a file.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/path_levels.h"
#include "routing/repair/baseline.h"

namespace pssp {

/// What tables come back to (routing/repair/baseline.h), with their levels where they need some.
struct SavedBaseline {
  Baseline baseline;
  std::optional<PathLevels> levels;
};

/// The tables that OpenSM has from an engine, their levels, and what they come back to. Whoever has
/// read tables from somewhere else, as from the switches, leaves `baseline` and the digests
/// out.
struct RoutingState {
  DigestValue options{};       ///< of what the engine was told
  DigestValue fabric{};        ///< that they were made for; zeros: not known
  std::vector<Guid> switches;  ///< by row, ascending
  ForwardingTables tables;
  std::optional<PathLevels> levels;
  std::optional<SavedBaseline> baseline;
};

/// The same, in use by somebody else.
struct RoutingStateView {
  DigestValue options{}, fabric{};
  const std::vector<Guid>& switches;
  const ForwardingTables& tables;
  const PathLevels* levels = nullptr;       ///< none: null
  const SavedBaseline* baseline = nullptr;  ///< none: null
};

/// A line with the version, a checksum, then all in this machine's byte order.
std::string state_content(const RoutingStateView& state);

/// Throws Error(unreadable_input), with only the reason, unless state_content() of this version
/// made the content on a machine with this byte order. Needs at most a few times the memory of the
/// content.
RoutingState read_state(std::string_view content);

}  // namespace pssp
