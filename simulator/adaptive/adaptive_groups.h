#pragma once

// Which ports of a switch a packet may take under adaptive routing: its group, by switch and LID.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Hops that the routes of the tables to a LID still have at each switch, by SwitchId, into `hops`:
/// 0 at the switch of its port; unreachable_distance (fabric/paths/hop_distances.h) where the
/// tables lead it nowhere, to another port or in a cycle. Tables are of the fabric. O(switches).
void hops_of_routes(const Fabric& fabric, const ForwardingTables& tables, Lid lid,
                    std::vector<std::uint32_t>& hops);

/// Groups of channels out of one switch, each with two at least; for all else the tables decide.
/// Fabric and tables must outlive the object.
class AdaptiveGroups {
 public:
  /// Channels of a switch: a bit for each, from first_channel() of the switch on.
  using Members = std::array<std::uint64_t, 4>;
  static void add(Members& members, std::uint32_t place) noexcept {
    members[place / 64] |= std::uint64_t{1} << place % 64;
  }
  static bool has(const Members& members, std::uint32_t place) noexcept {
    return (members[place / 64] >> place % 64 & 1U) != 0;
  }

  /// None. Throws Error(mismatch) when the tables are of another number of switches.
  AdaptiveGroups(const Fabric& fabric, const ForwardingTables& tables);

  /// The channels of one group, by ascending port of the switch, the channel of the tables among
  /// them; none: the tables decide alone. O(1).
  std::span<const std::uint32_t> channels(std::uint32_t node, Lid lid) const noexcept {
    const std::uint32_t number = numbers_[node * width_ + lid];
    return {channels_.data() + groups_[number].first, groups_[number].count};
  }
  /// What lies behind the entry of the tables: a channel, or no_index where it is none.
  std::uint32_t channel_of_tables(std::uint32_t node, Lid lid) const noexcept;

  /// Replaces the group of a switch and a LID of the fabric; one of a single channel is none. The
  /// channel of the tables must be a member. O(log groups of the switch), O(members) for a new one.
  void set(std::uint32_t node, Lid lid, const Members& members);

  const Fabric& fabric() const noexcept { return fabric_; }
  const ForwardingTables& tables() const noexcept { return tables_; }
  /// LIDs of the fabric are below this.
  std::size_t width() const noexcept { return width_; }

 private:
  struct Group {
    std::uint32_t first = 0, count = 0;  ///< in channels_
  };

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::size_t width_;
  std::vector<std::uint32_t> numbers_;  // [switch * width + LID]: of its group; 0: none
  std::vector<Group> groups_;           // the first has no channel
  std::vector<std::uint32_t> channels_;
  std::vector<std::map<Members, std::uint32_t>> known_;  // by switch
};

/// Of each LID of a host, at each switch, all channels to a switch from which the tables have one
/// hop less than from here: all minimal paths where the tables' routes are minimal, and ways of the
/// same length where they are not. No packet circles, since each hop brings it nearer. O(LIDs *
/// channels).
AdaptiveGroups minimal_groups(const Fabric& fabric, const ForwardingTables& tables);

/// Throws Error(verification_failed) where packets for a LID of a host could run in a cycle by the
/// ports of groups, or come to a switch without a route. O(LIDs * channels).
void require_arrival(const AdaptiveGroups& groups);

/// Channels that may wait for each other in a cycle, by the ports of all groups on the paths from
/// hosts to hosts (routing/verify/channel_dependencies.h); none: groups and tables are free of
/// deadlocks on one lane. O(LIDs * channels * members of a group).
std::vector<ChannelId> credit_loop(const AdaptiveGroups& groups);

}  // namespace pssp
