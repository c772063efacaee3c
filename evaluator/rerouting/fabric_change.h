#pragma once

// Matches the switches, cables and hosts of two states of one fabric.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// A fabric and its current tables. The referenced objects must outlive it.
struct RoutedState {
  const Fabric& fabric;
  const ForwardingTables& tables;
  const ServiceLevels* levels = nullptr;  ///< none: all routes have one level

  /// The entry for a LID; no_port beyond the tables.
  PortNumber entry(std::uint32_t at_switch, Lid lid) const noexcept {
    return lid <= tables.max_lid() ? tables.at(SwitchId(at_switch), lid) : no_port;
  }
};

/// A host of either state; none in a state where it takes no part in traffic.
struct HostChange {
  EndPortId before, after;
  std::uint32_t group = 0;  ///< in FabricChange::groups()
};

/// Hosts with the same switch in both states, which therefore share their routes.
struct HostGroup {
  SwitchId before, after;  ///< none if the hosts are absent
  std::uint32_t hosts = 0;
};

/// Nodes match by GUID, cables by the ports that they join. Immutable.
class FabricChange {
 public:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  /// Both must outlive the object. O(switches + channels + hosts). Throws Error(mismatch) with
  /// counts if fewer than half of the switches, hosts or cables of the larger fabric are in the
  /// other one, which means two different fabrics.
  FabricChange(const Fabric& before, const Fabric& after);

  const Fabric& before() const noexcept { return before_; }
  const Fabric& after() const noexcept { return after_; }
  /// The switch and the channel afterwards, by the one before; `gone` if there is none.
  std::span<const std::uint32_t> switch_after() const noexcept { return switch_after_; }
  std::span<const std::uint32_t> channel_after() const noexcept { return channel_after_; }
  /// The endpoints of the first state, in their order, then the new ones.
  std::span<const HostChange> hosts() const noexcept { return hosts_; }
  std::span<const HostGroup> groups() const noexcept { return groups_; }

 private:
  void match_channels();
  void match_hosts();
  void group_hosts();
  void require_one_fabric() const;

  const Fabric& before_;
  const Fabric& after_;
  std::vector<std::uint32_t> switch_after_, channel_after_;
  std::vector<HostChange> hosts_;
  std::vector<HostGroup> groups_;
};

}  // namespace pssp
