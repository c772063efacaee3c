#pragma once

// Cabling lists: CSV with one row per cable, in the columns of UFM's NDT files (StartDevice,
// StartPort, EndDevice, EndPort; Speed in Mbit/s, LinkType). A plan, not a topology: GUIDs are
// optional, and the notation of ports differs between switches and hosts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// One end of a cable.
struct CableListEnd {
  enum class Kind : std::uint8_t {
    switch_chip,
    adapter,
    unknown,  ///< the port is only a number: either of them
  };
  Kind kind = Kind::unknown;
  Guid guid = 0;               ///< if the device is given as one; else 0
  std::string device;          ///< as in the file
  std::string identity;        ///< node_identity() of the node's description; empty with a GUID
  unsigned port = 0;           ///< 1 .. 254; 0: unspecified, as for most adapters
  std::string specified_port;  ///< as in the file
};

struct CableListRow {
  CableListEnd start, end;
  std::uint32_t megabits = 0;  ///< Mbit/s; 0: unspecified
  std::uint32_t file = 0;      ///< index into CableList::files
  std::size_t line = 0;
};

struct CableList {
  std::vector<std::string> files;
  std::vector<CableListRow> rows;  ///< each cable once, even if listed from both ends
  std::vector<std::string> warnings;
};

/// Equal for descriptions that mean the same node: in lower case (ASCII), and for a chip of a
/// switch system ("MF0;NAME:MODEL/L16/U2") its name, board and chip without leading zeros.
std::string node_identity(std::string_view description);

/// `name` stands for the file in messages. Columns can have any order, with others between them. A
/// warning counts rows whose LinkType is not Data, and rows without a device at one end. Throws
/// Error(unreadable_input), "name:line: ..", for a missing column, a short row, an invalid port or
/// speed, and contradictory rows, with both lines.
CableList parse_cable_list(std::string_view text, std::string_view name);

/// Joins the lists of one fabric (of switches, of hosts). Throws Error(unreadable_input) for
/// contradictions.
CableList join_cable_lists(std::vector<CableList> lists);

/// Whether a text begins with the header of such a list.
bool is_cable_list(std::string_view text);

/// The cables of a fabric as such a list, in the order of its switches and ports, without cables
/// inside directors and to aggregation nodes. Devices with ambiguous names are written as GUIDs, so
/// that parse_cable_list() identifies each of them.
std::string to_cable_list(const Fabric& fabric);

}  // namespace pssp
