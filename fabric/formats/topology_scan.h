#pragma once

// The first pass over a topology: collects the lines of the file, in file order. Used only by the
// topology reader.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/formats/cases.h"
#include "fabric/formats/topology_lines.h"

namespace pssp {

/// The invalid index of nodes and port lines.
constexpr std::uint32_t nobody = 0xFFFFFFFF;

struct ScannedNode {
  NodeLine said;
  std::string_view id;  // with the prefix of its module
  Guid guid = 0;
  std::size_t line = 0;
  std::size_t first_slot = 0;
  EnabledRates enabled;
};

struct ScannedPort {
  PortLine said;
  std::string_view remote_id;
  std::uint32_t node = 0;
  std::size_t line = 0;
};

/// The lines about one port. Index in the vector of slots: first slot of the node + port number.
struct Slot {
  std::uint32_t stated_by = nobody;   // its own port line
  std::uint32_t claimed_by = nobody;  // port line of a neighbor that is cabled to it
  Guid guid = 0;
  std::size_t guid_line = 0;
  unsigned lid = no_lid, lmc = 0;
  std::size_t lid_line = 0;
};

struct PortLocation {
  std::uint32_t node = nobody;
  unsigned port = 0;
  friend bool operator==(const PortLocation&, const PortLocation&) = default;
};

/// Views refer to the text of the file or to `kept`.
struct TopologyScan {
  std::vector<ScannedNode> nodes;
  std::vector<ScannedPort> ports;
  std::vector<Slot> slots;  // ports + 1 per node
  std::unordered_map<std::string_view, std::uint32_t> node_by_id;
  std::unordered_map<std::string_view, PortLocation> port_by_alias;
  std::deque<std::string> kept;
  Cases guids_from_ids, ignored_commands;
  bool has_made_up_guids = false;
  Guid initiator = 0;  // the node where ibnetdiscover ran
  bool ends_with_line_feed = true;
};

/// Throws Error(unreadable_input) if the text is not a topology, or if a line is invalid or
/// contradicts an earlier one. O(size).
TopologyScan scan_topology(std::string_view text, std::string_view name);

/// The GUID in "S-1c34da0300728866" and similar identifiers of ibnetdiscover; 0 for others.
Guid guid_in_id(std::string_view id);

}  // namespace pssp
