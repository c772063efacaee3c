#pragma once

// The switches of a fabric as simple graphs: what recognising a mesh looks at.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/no_index.h"
#include "fabric/fabric.h"

namespace pssp {

/// Disjoint sets with path halving; the root of a set is its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t root(std::uint32_t member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  /// Per member the number of its set, numbered by ascending smallest member; and how many.
  std::pair<std::vector<std::uint32_t>, std::uint32_t> numbered() {
    std::vector<std::uint32_t> number(parent_.size(), no_index);
    std::uint32_t count = 0;
    for (std::uint32_t member = 0; member < parent_.size(); ++member) {
      const std::uint32_t top = root(member);
      if (number[top] == no_index) number[top] = count++;
      number[member] = number[top];
    }
    return {std::move(number), count};
  }

 private:
  std::vector<std::uint32_t> parent_;
};

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

/// The ways of two hops from one switch to another: how many, and the first two.
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

/// `index` is by SwitchId; the entries of the island's switches are written.
Island make_island(const Fabric& fabric, std::vector<SwitchId> switches,
                   std::vector<std::uint32_t>& index);

/// A switch of a mesh has at most two neighbours in a dimension of three or more, and one in a
/// dimension of two. So many neighbours as one switch among n can have: the largest d with
/// 3^(d/2) <= n.
std::uint32_t largest_degree(std::uint64_t switches);

}  // namespace pssp
