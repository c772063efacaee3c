#pragma once

// The tree that the tables of all switches form for one LID.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// For one LID, the tables are a functional graph: each switch forwards to at most one other. The
/// part of it that leads to the LID's port is a tree. Reusable for many LIDs; allocates memory only
/// once.
class DestinationTree {
 public:
  static constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();

  explicit DestinationTree(const Fabric& fabric);

  /// Reads the entries for `lid`, whose port must be cabled. LIDs beyond the tables have no
  /// entries. O(switches).
  void read(const ForwardingTables& tables, Lid lid);
  /// The same with the entries of all switches for the LID, by SwitchId, for reading many LIDs of
  /// large tables (TableColumns).
  void read(std::span<const PortNumber> column, Lid lid);

  /// Switches whose packets arrive, each before its next switch; the LID's switch is the last.
  std::span<const std::uint32_t> upstream_first() const noexcept { return order_; }
  /// Output channel by SwitchId; no_channel at the LID's switch and if the entry leads to no
  /// channel.
  std::span<const std::uint32_t> out_channel() const noexcept { return out_channel_; }
  /// Endpoints in the subtree of each switch of upstream_first(), including itself, by SwitchId:
  /// the number of routes of its entry. The owner of the LID counts at its switch, whose entry
  /// carries no route over a channel.
  std::span<const std::uint32_t> endpoints() const noexcept { return endpoints_; }

 private:
  void read_column(std::span<const PortNumber> column);
  void order_switches();
  void keep_arriving(std::span<const PortNumber> column, Lid lid);

  const Fabric& fabric_;
  std::vector<PortNumber> column_;
  std::vector<std::uint32_t> out_channel_;
  std::vector<std::uint32_t> waiting_for_;  // switches that forward here and are not in order_ yet
  std::vector<std::uint32_t> endpoints_;
  std::vector<std::uint8_t> arrives_;
  std::vector<std::uint32_t> order_;
};

}  // namespace pssp
