#pragma once

// Two states of one fabric: which switch, cable and host of the one is which of the other.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// A fabric and the tables in force in it. What it names must outlive it.
struct RoutedState {
  const Fabric& fabric;
  const ForwardingTables& tables;
  const ServiceLevels* levels = nullptr;  ///< none: all routes have one level

  /// The entry for a LID; no_port beyond the tables.
  PortNumber entry(std::uint32_t at_switch, Lid lid) const noexcept {
    return lid <= tables.max_lid() ? tables.at(SwitchId(at_switch), lid) : no_port;
  }
};

/// A host of either state; none where it takes no part in traffic in that state.
struct HostChange {
  EndPortId before, after;
  std::uint32_t group = 0;  ///< in FabricChange::groups()
};

/// Hosts that share their routes, since they share their switch in both states.
struct HostGroup {
  SwitchId before, after;  ///< none where the hosts are not there
  std::uint32_t hosts = 0;
};

/// Nodes are the same where their GUIDs are, cables where they join the same ports. Immutable.
class FabricChange {
 public:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

  /// Both must outlive the object. O(switches + channels + hosts). Throws Error(mismatch), with
  /// counts, where fewer than half of the switches, hosts or cables of the larger fabric are in the
  /// other one: then these are two fabrics, and not one at two times.
  FabricChange(const Fabric& before, const Fabric& after);

  const Fabric& before() const noexcept { return before_; }
  const Fabric& after() const noexcept { return after_; }
  /// The switch, the channel afterwards, by the one before; `gone` where there is none.
  std::span<const std::uint32_t> switch_after() const noexcept { return switch_after_; }
  std::span<const std::uint32_t> channel_after() const noexcept { return channel_after_; }
  /// The endpoints of before, in their order, then those that have come.
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
