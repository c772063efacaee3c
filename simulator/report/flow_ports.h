#pragma once

// Ports by their index in Outcome::ports: names, rates, and the ports of a flow's path.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/model.h"

namespace pssp {

class PortDirectory {
 public:
  /// The fabric must outlive the object.
  PortDirectory(const Fabric& fabric, const Model& model);

  std::uint32_t count() const noexcept { return channels_ + 2 * hosts_; }
  /// The switch port to a host, and the host's own port.
  std::uint32_t to_host(std::uint32_t rank) const noexcept { return channels_ + rank; }
  std::uint32_t from_host(std::uint32_t rank) const noexcept { return channels_ + hosts_ + rank; }

  /// "S1[3] -> S2[1]", "S1[2] -> H7", "H7 -> S1[2]".
  std::string name(std::uint32_t port) const;
  /// Maximum rate in bytes/s.
  double rate(std::uint32_t port) const;
  /// Output ports on the path of the flow to base LID + path, beginning at the source; empty if the
  /// tables do not lead to the destination. O(hops).
  std::vector<std::uint32_t> route(const ForwardingTables& tables, Flow hosts,
                                   std::uint16_t path = 0) const;

 private:
  const Fabric& fabric_;
  const Model& model_;
  std::uint32_t channels_, hosts_;
};

}  // namespace pssp
