#pragma once

// Which links a damaged tree has lost, judged by those that it still has.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// A port of a switch.
struct SwitchPort {
  SwitchId at;
  PortNumber port = no_port;
  // clang-tidy 14 takes the zero that a defaulted comparison is compared with for a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const SwitchPort&, const SwitchPort&) = default;
};

/// A link that is not there, the end of the lower SwitchId first.
struct ImaginedLink {
  SwitchPort a, b;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const ImaginedLink&, const ImaginedLink&) = default;
};

struct ImaginedLinks {
  std::vector<ImaginedLink> links;  ///< ascending
  /// Ports without a cable where most switches of their kind have one, and for which no other end
  /// was found: it is at a switch that is gone, or there never was a cable.
  std::size_t unpaired = 0;
};

/// Hops from each switch to the nearest with endpoints, by SwitchId; no_rank where there is none
/// to reach. On a tree, the level.
constexpr std::uint32_t no_rank = 0xFFFFFFFF;
std::vector<std::uint32_t> switch_ranks(const Fabric& fabric);

/// The links that the fabric lacks compared with a regular tree of which it is what is left. Throws
/// Error(unsuitable_topology) where the fabric is no tree (more than a quarter of its links join
/// switches of one rank), naming such a link, or lacks too many to look at all pairs of ends.
/// O(channels + pairs of ends + ends * neighbours of neighbours).
ImaginedLinks imagine_links(const Fabric& fabric);

/// The fabric with these links besides its own: the same switches, end ports and LIDs in the same
/// numbering; channels are numbered anew. A link has the rate of the nearest linked port of its
/// first switch.
Fabric with_links(const Fabric& fabric, const std::vector<ImaginedLink>& links);

}  // namespace pssp
