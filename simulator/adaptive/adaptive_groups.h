#pragma once

// The ports of a switch that a packet may use under adaptive routing: its group, by switch and LID.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Writes the hops that the tables' routes to a LID still have at each switch to `hops`, by
/// SwitchId: 0 at the switch of its port; unreachable_distance (fabric/paths/hop_distances.h) if
/// the route ends elsewhere or in a cycle. The tables must belong to the fabric. O(switches).
void hops_of_routes(const Fabric& fabric, const ForwardingTables& tables, Lid lid,
                    std::vector<std::uint32_t>& hops);

/// Groups of at least two channels out of one switch; without a group, the tables determine the
/// port. Fabric and tables must outlive the object.
class AdaptiveGroups {
 public:
  /// Channels of a switch, one bit each, from the first_channel() of the switch on.
  using Members = std::array<std::uint64_t, 4>;
  static void add(Members& members, std::uint32_t place) noexcept {
    members[place / 64] |= std::uint64_t{1} << place % 64;
  }
  static bool has(const Members& members, std::uint32_t place) noexcept {
    return (members[place / 64] >> place % 64 & 1U) != 0;
  }

  /// Has no groups. Throws Error(mismatch) if the tables have another number of switches.
  AdaptiveGroups(const Fabric& fabric, const ForwardingTables& tables);

  /// The channels of a group by ascending port, including the channel of the tables; empty: there
  /// is no group, and the tables determine the port. O(1).
  std::span<const std::uint32_t> channels(std::uint32_t node, Lid lid) const noexcept {
    const std::uint32_t number = numbers_[node * width_ + lid];
    return {channels_.data() + groups_[number].first, groups_[number].count};
  }
  /// The channel of the table entry; no_index if it leads to no channel.
  std::uint32_t channel_of_tables(std::uint32_t node, Lid lid) const noexcept;

  /// Replaces the group of a switch and a LID of the fabric; a single channel removes the group.
  /// The channel of the tables must be a member. O(log groups of the switch), O(members) for a new
  /// one.
  void set(std::uint32_t node, Lid lid, const Members& members);

  const Fabric& fabric() const noexcept { return fabric_; }
  const ForwardingTables& tables() const noexcept { return tables_; }
  /// Upper bound of the LIDs of the fabric.
  std::size_t width() const noexcept { return width_; }

 private:
  struct Group {
    std::uint32_t first = 0, count = 0;  ///< in channels_
  };

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::size_t width_;
  std::vector<std::uint32_t> numbers_;  // [switch * width + LID]: index of the group; 0: none
  std::vector<Group> groups_;           // the first is empty
  std::vector<std::uint32_t> channels_;
  std::vector<std::map<Members, std::uint32_t>> known_;  // by switch
};

/// For each LID of a host, at each switch: all channels to a switch from which the tables have one
/// hop less. These are all minimal paths if the tables' routes are minimal, otherwise paths of the
/// same length. Packets cannot circle, because each hop brings them nearer. O(LIDs * channels).
AdaptiveGroups minimal_groups(const Fabric& fabric, const ForwardingTables& tables);

/// Throws Error(verification_failed) if packets to a LID of a host could run in a cycle over group
/// ports, or reach a switch without a route. O(LIDs * channels).
void require_arrival(const AdaptiveGroups& groups);

/// Channels that can wait for each other in a cycle, over the ports of all groups on the paths
/// between hosts (routing/verify/channel_dependencies.h); empty: groups and tables are
/// deadlock-free on one lane. O(LIDs * channels * members of a group).
std::vector<ChannelId> credit_loop(const AdaptiveGroups& groups);

}  // namespace pssp
