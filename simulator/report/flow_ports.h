#pragma once

// Ports by their numbers in Outcome::ports: names, rates, and which of them a flow passes.

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
  /// The switch's port that leads to a host, and the host's own.
  std::uint32_t to_host(std::uint32_t rank) const noexcept { return channels_ + rank; }
  std::uint32_t from_host(std::uint32_t rank) const noexcept { return channels_ + hosts_ + rank; }

  /// "S1[3] -> S2[1]", "S1[2] -> H7", "H7 -> S1[2]".
  std::string name(std::uint32_t port) const;
  /// Bytes/s that it sends at most.
  double rate(std::uint32_t port) const;
  /// Ports in the order in which packets of the flow to base LID + path leave by them, that of the
  /// source first; empty where the tables do not lead to the destination. O(hops).
  std::vector<std::uint32_t> route(const ForwardingTables& tables, Flow hosts,
                                   std::uint16_t path = 0) const;

 private:
  const Fabric& fabric_;
  const Model& model_;
  std::uint32_t channels_, hosts_;
};

}  // namespace pssp
