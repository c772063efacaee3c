#pragma once

// Nodes and their ports with the names in measurements.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/nodes/node_rails.h"
#include "operations/diagnosis/round_plan.h"
#include "operations/diagnosis/slow_objects.h"

namespace pssp {

/// Immutable. The fabric must outlive it.
class MeasuredNodes {
 public:
  /// `switch_names`: by GUID, for text(); `rails` already contains the names of hosts.
  MeasuredNodes(const Fabric& fabric, NodeRails rails, NodeNameMap switch_names = {});

  const Fabric& fabric() const noexcept { return fabric_; }
  const NodeRails& rails() const noexcept { return rails_; }
  std::span<const NodeRails::Node> nodes() const noexcept { return rails_.nodes(); }
  /// Ranks (positions in Fabric::endpoints()) of each node.
  std::span<const std::vector<std::uint32_t>> ranks() const noexcept { return ranks_; }
  std::uint32_t rank_of(EndPortId port) const;
  std::optional<std::uint32_t> rank_of_lid(Lid lid) const;

  /// Units of these nodes: all rails together, or each end port alone.
  std::vector<MeasuredUnit> units(std::span<const std::uint32_t> nodes, bool together) const;

  /// "node12", "node12/mlx5_0".
  std::string label(std::uint32_t rank) const;
  /// For a switch: its name, and its description if that adds information.
  std::string switch_text(SwitchId s) const;
  /// "leaf 4[17] - spine 2[9]", "leaf 4[17] -> spine 2[9]", "node12/mlx5_0 - leaf 1[3]",
  /// "node node12 (8 adapters)".
  std::string text(const FlowAlternatives& alternatives, SuspectObject object) const;
  std::string link_text(const FlowAlternatives& alternatives, std::uint32_t link,
                        std::string_view arrow) const;

  /// The cable or adapter of "leaf 4[17]" or "node12/mlx5_0", with a trailing "->" only the
  /// direction from there, or the node of "node12". Throws Error(usage).
  SuspectObject find_object(const FlowAlternatives& alternatives, std::string_view text) const;

 private:
  const Fabric& fabric_;
  NodeRails rails_;
  NodeNameMap switch_names_;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

}  // namespace pssp
