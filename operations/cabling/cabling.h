#pragma once

// The cables of a plan or a fabric in a common form, since a plan may lack GUIDs, LIDs and ports of
// hosts.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/cable_list.h"
#include "fabric/nodes/node_name_map.h"

namespace pssp {

struct Cabling {
  enum class NodeKind : std::uint8_t { switch_chip, adapter, unknown };
  struct Node {
    Guid guid = 0;         ///< 0: unknown
    std::string name;      ///< for display, without control characters
    std::string identity;  ///< node_identity() of the description; empty: names no node
    std::string system;    ///< of a chip of a director: its normalized name; else empty
    NodeKind kind = NodeKind::unknown;
    bool has_factory_name = false;  ///< an adapter whose description names no node
  };
  struct Port {
    std::uint32_t node = 0;
    PortNumber number = 0;                                        ///< 0: unspecified
    friend auto operator<=>(const Port&, const Port&) = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Cable {
    Port a, b;
    std::uint32_t megabits = 0;  ///< capacity, Mbit/s; 0: unknown
    std::string rate;            ///< in the notation of ibnetdiscover; may be empty
  };

  std::vector<Node> nodes;
  std::vector<Cable> cables;   ///< no port in two cables
  bool has_true_guids = true;  ///< not assigned by file order or by a generator
  bool is_list = false;        ///< of a cabling list, which omits cables inside directors
  std::vector<std::string> warnings;
};

/// Switches and cabled adapters and routers, without aggregation nodes, which have no cable. A name
/// in `names` (by GUID of the node) replaces the description. O(nodes + cables).
Cabling cabling_of(const Fabric& fabric, const NodeNameMap& names = {});
Cabling cabling_of(const CableList& list);

/// The cable at each port, by node and port number; `no_index` (no_index.h) if there is none.
class CableIndex {
 public:
  /// The index does not refer to its argument. O(nodes + cables).
  explicit CableIndex(const Cabling& cabling);

  /// Index into Cabling::cables; no_index if the port has no cable.
  std::uint32_t at(Cabling::Port port) const;
  /// Cables of a node, by port.
  const std::vector<std::uint32_t>& of(std::uint32_t node) const { return of_node_[node]; }

 private:
  std::vector<std::vector<std::uint32_t>> by_port_, of_node_;
};

/// The other end of a cable.
inline Cabling::Port far_end(const Cabling::Cable& cable, std::uint32_t node, PortNumber port) {
  return cable.a == Cabling::Port{node, port} ? cable.b : cable.a;
}

}  // namespace pssp
