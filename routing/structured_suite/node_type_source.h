#pragma once

// Kinds of hosts: compute nodes, and the servers, login nodes and others that stand among them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Which hosts are of one kind.
enum class NodeTypeSource : std::uint8_t {
  /// Those of which a file says so (fabric/formats/node_types_file.h), and of the others those
  /// whose
  /// names are the same up to the first number, where kinds share leaves.
  by_name,
  one,  ///< all
};

struct KindsOfHosts {
  /// By EndPortId, below `count`. What is no endpoint (Fabric::is_endpoint) is of a kind of its
  /// own; endpoints of kinds that no file tells and that meet no other kind on any switch are all
  /// of one.
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
  std::vector<std::uint8_t> is_configured;  ///< by a file, of each kind
};

/// O(end ports log kinds).
KindsOfHosts tell_kinds(const Fabric& fabric, NodeTypeSource by);

}  // namespace pssp
