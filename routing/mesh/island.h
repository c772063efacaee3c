#pragma once

// The switches of a fabric as simple graphs, which the recognition of meshes uses.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/disjoint_sets.h"
#include "fabric/fabric.h"

namespace pssp {

/// The switches of one island as a simple graph, numbered from 0 by ascending SwitchId. An arc is
/// one direction of a link; arcs are grouped by their tail and ascend by their head.
struct Island {
  std::vector<SwitchId> switches;
  std::vector<std::uint32_t> first;    // switches.size() + 1 entries
  std::vector<std::uint32_t> head;     // per arc
  std::vector<std::uint32_t> tail;     // per arc
  std::vector<std::uint32_t> reverse;  // per arc
  std::vector<std::uint32_t> link;     // per arc, the same for both directions
  std::uint32_t link_count = 0;

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(switches.size()); }
  std::uint32_t degree(std::uint32_t s) const noexcept { return first[s + 1] - first[s]; }
  std::span<const std::uint32_t> neighbours(std::uint32_t s) const noexcept {
    return std::span(head).subspan(first[s], degree(s));
  }
};

/// The number of paths of two hops from one switch to another, and the first two of them.
struct TwoHops {
  std::uint32_t count = 0;
  std::array<std::uint32_t, 2> first_arc{}, second_arc{};

  void add(std::uint32_t first, std::uint32_t second) {
    if (count < 2) {
      first_arc[count] = first;
      second_arc[count] = second;
    }
    ++count;
  }
};

/// Switches by island, each list ascending. O(switches + channels).
std::vector<std::vector<SwitchId>> connected_components(const Fabric& fabric);

/// `index` is indexed by SwitchId; the function writes the entries of the switches of the island.
Island make_island(const Fabric& fabric, std::vector<SwitchId> switches,
                   std::vector<std::uint32_t>& index);

/// A switch of a mesh has at most two neighbors in a dimension of size three or more, and one
/// neighbor in a dimension of size two. This is the largest number of neighbors of one switch among
/// n switches: the largest d with 3^(d/2) <= n.
std::uint32_t largest_degree(std::uint64_t switches);

}  // namespace pssp
