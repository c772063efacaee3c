#pragma once

// The service levels that are in force: what path records are answered from between two routings.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// By SwitchId, so ascending.
std::vector<Guid> switch_guids(const Fabric& fabric);

/// Outlives the Fabric that it was made for: switches are remembered by GUID, sources by LID. So it
/// holds as long as LIDs keep their places, also while OpenSM's unicast cache keeps tables without
/// asking the engine. Reading is safe from any number of threads.
class PathLevels {
 public:
  /// `reversible`: both directions between two switches have one level.
  PathLevels(const Fabric& fabric, ServiceLevels levels, bool reversible);
  /// Of what switches(), positions() and levels() have said. Throws Error(unreadable_input) where
  /// these do not fit together.
  PathLevels(std::vector<Guid> switches, std::vector<std::uint32_t> positions, ServiceLevels levels,
             bool reversible);

  /// The level of packets from one LID to another; no_service_level when one of them was not there
  /// or there is no route. O(1).
  ServiceLevel between(Lid source, Lid destination) const noexcept;

  /// The same levels for a fabric and its tables as they are now. Routes from a switch or to a LID
  /// that is new or leads to another switch than before have none. O(switches * LIDs).
  ServiceLevels carried_over(const Fabric& fabric, const ForwardingTables& tables) const;

  /// Routes (source switch, LID) that have a level in both, and how many of them another one.
  struct Changes {
    std::uint64_t common = 0;
    std::uint64_t changed = 0;
  };
  Changes changes_since(const PathLevels& earlier) const;

  const ServiceLevels& levels() const noexcept { return levels_; }
  bool reversible() const noexcept { return reversible_; }
  /// By row of levels(), ascending.
  std::span<const Guid> switches() const noexcept { return switches_; }
  /// By LID: the row of the switch that it is attached to; nowhere.
  std::span<const std::uint32_t> positions() const noexcept { return place_; }

  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;

 private:
  std::uint32_t row_of(Guid switch_guid) const noexcept;
  std::uint32_t place(Lid lid) const noexcept {
    return lid < place_.size() ? place_[lid] : nowhere;
  }
  /// Calls visit(row here, row in `fabric`, LID) for all pairs that both have, at the same place.
  template <class Visit>
  void for_each_common(const std::vector<Guid>& switches,
                       const std::vector<std::uint32_t>& positions, Visit visit) const;

  ServiceLevels levels_;
  bool reversible_;
  std::vector<Guid> switches_;        // by row of levels_, ascending
  std::vector<std::uint32_t> place_;  // by LID: row of the switch that it is attached to
};

}  // namespace pssp
