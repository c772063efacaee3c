#pragma once

// Cabling lists: CSV with a row a cable, in the columns of UFM's NDT files (StartDevice, StartPort,
// EndDevice, EndPort; Speed in Mbit/s, LinkType). A plan, not a topology: nothing in them has to
// have a GUID, and what a port is called differs between switches and hosts.

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
    unknown,  ///< a bare number as port: either of them
  };
  Kind kind = Kind::unknown;
  Guid guid = 0;         ///< where the device is written as one; else 0
  std::string device;    ///< as it stands there
  std::string identity;  ///< node_identity() of the node's description; empty where there is a GUID
  unsigned port = 0;     ///< 1 .. 254; 0: not said, as of most adapters
  std::string specified_port;  ///< as it stands there
};

struct CableListRow {
  CableListEnd start, end;
  std::uint32_t megabits = 0;  ///< Mbit/s; 0: not said
  std::uint32_t file = 0;      ///< index into CableList::files
  std::size_t line = 0;
};

struct CableList {
  std::vector<std::string> files;
  std::vector<CableListRow> rows;  ///< each cable once, though it may be listed from both ends
  std::vector<std::string> warnings;
};

/// What two texts share that mean one node: small letters (of ASCII), and of a switch system's chip
/// ("MF0;NAME:MODEL/L16/U2") its name, board and chip without leading zeros.
std::string node_identity(std::string_view description);

/// `name` stands for the file in messages. Columns in any order, with others beside them; rows of
/// which LinkType is something else than Data, and such without a device at one end, are counted in
/// a warning. Throws Error(unreadable_input), "name:line: ..", where a column is missing, a row is
/// short, a port or a speed is none, and where two rows contradict each other, with both lines.
CableList parse_cable_list(std::string_view text, std::string_view name);

/// Lists of one fabric (of switches, of hosts) as one. Throws Error(unreadable_input) where they
/// contradict each other.
CableList join_cable_lists(std::vector<CableList> lists);

/// Whether a text begins with the header of such a list.
bool is_cable_list(std::string_view text);

/// The cables of a fabric as such a list, in the order of its switches and ports. Cables inside of
/// a director and those to aggregation nodes are left out. Devices whose names name no single node
/// are written as GUIDs, so that parse_cable_list() knows each of them again.
std::string to_cable_list(const Fabric& fabric);

}  // namespace pssp
