#pragma once

// Random tables for tests, which no routing engine computed.

#include <random>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

/// Every entry is a random port, so there are loops, dead ports and wrong deliveries.
inline ForwardingTables noise_tables(const Fabric& fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      const auto port = random() % (fabric.switch_at(SwitchId(s)).ports + 2U);
      tables.set(
          SwitchId(s), lid,
          port > fabric.switch_at(SwitchId(s)).ports ? no_port : static_cast<PortNumber>(port));
    }
  }
  return tables;
}

/// A random spanning tree to each LID: complete and without loops, but the paths need not be
/// minimal.
inline ForwardingTables random_tree_tables(const Fabric& fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (!delivery.at.valid()) continue;
    tables.set(delivery.at, lid, delivery.port);
    std::vector<std::uint32_t> inward;  // channels into the tree
    const auto open = [&](std::uint32_t s) {
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        inward.push_back(fabric.channel_reverse()[c]);
      }
    };
    open(delivery.at.value());
    while (!inward.empty()) {
      std::swap(inward[random() % inward.size()], inward.back());
      const std::uint32_t c = inward.back();
      inward.pop_back();
      const SwitchId s(fabric.channel_tail()[c]);
      if (tables.at(s, lid) != no_port) continue;
      tables.set(s, lid, fabric.channel_out_port()[c]);
      open(s.value());
    }
  }
  return tables;
}

}  // namespace pssp::test
