#pragma once

// Meshes, tori and other graphs with known coordinates, and fabrics built from them. The GUIDs and
// port numbers of these fabrics can be made unrelated to the coordinates.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"

namespace pssp::test {

/// An undirected multigraph of switches. Switch i is called "S<i>".
struct Plan {
  std::size_t switches = 0;
  std::vector<std::pair<std::size_t, std::size_t>> links;
};

/// Sizes of the dimensions. Dimension d is a ring if ring[d] is true.
struct Box {
  std::vector<unsigned> sizes;
  std::vector<bool> ring;

  std::size_t switches() const {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
  }
  /// The first coordinate varies fastest.
  std::vector<unsigned> place(std::size_t index) const {
    std::vector<unsigned> at;
    for (const unsigned size : sizes) {
      at.push_back(static_cast<unsigned>(index % size));
      index /= size;
    }
    return at;
  }
  std::size_t index(const std::vector<unsigned>& at) const {
    std::size_t index = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) index = index * sizes[d] + at[d];
    return index;
  }
  unsigned distance(unsigned a, unsigned b, std::size_t d) const {
    const unsigned direct = a > b ? a - b : b - a;
    return ring[d] ? std::min(direct, sizes[d] - direct) : direct;
  }
};

inline Box mesh_box(std::vector<unsigned> sizes) {
  std::vector<bool> ring(sizes.size(), false);
  return {std::move(sizes), std::move(ring)};
}

inline Box torus_box(std::vector<unsigned> sizes) {
  std::vector<bool> ring(sizes.size(), true);
  return {std::move(sizes), std::move(ring)};
}

/// A ring of two has two parallel links.
inline Plan draw(const Box& box, unsigned parallel = 1) {
  Plan plan;
  plan.switches = box.switches();
  for (std::size_t s = 0; s < plan.switches; ++s) {
    for (std::size_t d = 0; d < box.sizes.size(); ++d) {
      std::vector<unsigned> to = box.place(s);
      if (to[d] + 1 == box.sizes[d] && !box.ring[d]) continue;
      to[d] = (to[d] + 1) % box.sizes[d];
      for (unsigned k = 0; k < parallel; ++k) plan.links.emplace_back(s, box.index(to));
    }
  }
  return plan;
}

/// Removes all links between two switches.
inline void cut(Plan& plan, std::size_t a, std::size_t b) {
  std::erase_if(plan.links, [&](const auto& link) {
    return link == std::pair(a, b) || link == std::pair(b, a);
  });
}

/// Removes all links of a switch; the switch remains.
inline void isolate(Plan& plan, std::size_t s) {
  std::erase_if(plan.links, [s](const auto& link) { return link.first == s || link.second == s; });
}

struct Dressing {
  unsigned hosts = 1;
  unsigned lmc = 0;
  unsigned seed = 0;  ///< 0: GUIDs and ports in the order of the plan
};

/// Builder of the fabric. The GUIDs of switches are 0x1000 + i, in random order unless the seed is
/// 0. LIDs are assigned by assign_lids().
inline FabricBuilder dress(const Plan& plan, const Dressing& dressing = {}) {
  std::mt19937 random(dressing.seed);
  const auto shuffle = [&](std::vector<unsigned>& list) {
    if (dressing.seed != 0) std::shuffle(list.begin(), list.end(), random);
  };
  std::vector<unsigned> degree(plan.switches, dressing.hosts);
  for (const auto& [a, b] : plan.links) {
    ++degree[a];
    ++degree[b];
  }
  std::vector<unsigned> guids(plan.switches);
  std::iota(guids.begin(), guids.end(), 0x1000U);
  shuffle(guids);

  FabricBuilder builder;
  std::vector<NodeId> nodes;
  std::vector<std::vector<unsigned>> free_ports(plan.switches);
  for (std::size_t s = 0; s < plan.switches; ++s) {
    const unsigned ports = std::max(1U, degree[s] + (dressing.seed % 3));
    nodes.push_back(builder.add_switch(guids[s], ports, fmt::format("S{}", s), ""));
    free_ports[s].resize(ports);
    std::iota(free_ports[s].rbegin(), free_ports[s].rend(), 1U);  // lowest first
    shuffle(free_ports[s]);
  }
  const auto take_port = [&](std::size_t s) {
    const unsigned port = free_ports[s].back();
    free_ports[s].pop_back();
    return static_cast<PortNumber>(port);
  };
  for (std::size_t s = 0; s < plan.switches; ++s) {
    for (unsigned h = 0; h < dressing.hosts; ++h) {
      const std::string name = fmt::format("H{}.{}", s, h);
      const NodeId host = builder.add_adapter(0x100000 + 0x100 * guids[s] + 2 * h, 1,
                                              EndPortKind::channel_adapter, name, "");
      builder.connect(nodes[s], take_port(s), host, 1, {});
    }
  }
  for (const auto& [a, b] : plan.links) {
    const PortNumber port = take_port(a);
    builder.connect(nodes[a], port, nodes[b], take_port(b), {});
  }
  builder.assign_lids(dressing.lmc);
  return builder;
}

inline Fabric make_fabric(const Plan& plan, const Dressing& dressing = {}) {
  return std::move(dress(plan, dressing)).build();
}

/// Index of a switch in the plan, from its name.
inline std::size_t plan_index(const Fabric& fabric, SwitchId s) {
  return std::stoul(fabric.switch_at(s).name.substr(1));
}

}  // namespace pssp::test
