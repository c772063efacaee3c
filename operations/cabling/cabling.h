#pragma once

// What is cabled with what, and nothing else of a fabric: the form in which a plan and a fabric are
// compared, since a plan need not have GUIDs, LIDs or ports of its hosts.

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
    Guid guid = 0;         ///< 0: not known
    std::string name;      ///< for people, clean to show
    std::string identity;  ///< node_identity() of the description; empty: none that tells
    std::string system;    ///< of a chip of a director: its name, as compared; else empty
    NodeKind kind = NodeKind::unknown;
    bool has_factory_name = false;  ///< an adapter whose description names no node
  };
  struct Port {
    std::uint32_t node = 0;
    PortNumber number = 0;                                        ///< 0: not said
    friend auto operator<=>(const Port&, const Port&) = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Cable {
    Port a, b;
    std::uint32_t megabits = 0;  ///< capacity, Mbit/s; 0: not known
    std::string rate;            ///< in the notation of ibnetdiscover; may be empty
  };

  std::vector<Node> nodes;
  std::vector<Cable> cables;   ///< no port in two of them
  bool has_true_guids = true;  ///< not made up by the order of a file, or by a generator
  bool is_list = false;        ///< of a cabling list: cables inside of directors are in none
  std::vector<std::string> warnings;
};

/// Switches and cabled adapters and routers; aggregation nodes, which have no cable, are no part.
/// A name of `names` (by the GUID of the node) stands for the description. O(nodes + cables).
Cabling cabling_of(const Fabric& fabric, const NodeNameMap& names = {});
Cabling cabling_of(const CableList& list);

/// Cable at each port, by node and port number; `no_index` (no_index.h) where there is none.
class CableIndex {
 public:
  /// Both must outlive nothing: the index holds numbers alone. O(nodes + cables).
  explicit CableIndex(const Cabling& cabling);

  /// Index into Cabling::cables; no_index where nothing is cabled there.
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
