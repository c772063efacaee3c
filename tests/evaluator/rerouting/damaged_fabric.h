#pragma once

// Random fabrics before and after damage, with forwarding tables for both states.

#include <random>
#include <utility>
#include <vector>

#include "routing/engines/engine.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/survivors.h"

namespace pssp::test {

struct DamagedFabric {
  RoutedFabric before, after;
};

/// One in three fabrics loses a switch; up to two links fail. The tables before the damage are
/// shortest paths, in one of four cases with random entries. The tables after it are those of an
/// engine or other shortest paths, some of them with random entries.
inline DamagedFabric damaged_fabric(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RoutedFabric before = random_fabric(
      seed, random() % 4 == 0 ? RandomTables::noise : RandomTables::shortest_paths, false);
  std::vector<SwitchId> switches;
  std::vector<ChannelId> links;
  const auto draw = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
  if (draw(3) == 0) switches.emplace_back(draw(before.fabric.switch_count()));
  for (std::uint32_t i = draw(3); i > 0 && before.fabric.channel_count() != 0; --i) {
    links.emplace_back(draw(before.fabric.channel_count()));
  }
  Fabric damaged = survivors(before.fabric, switches, links);
  if (draw(2) == 0) {
    ForwardingTables tables = make_engine("pssp", {})->route(damaged).tables;
    return {std::move(before), {std::move(damaged), std::move(tables)}};
  }
  RoutedFabric after = route_along_shortest_paths(std::move(damaged), seed + 1);
  if (draw(4) == 0) {
    for (PortNumber& entry : after.tables.entries()) {
      if (draw(3) == 0) entry = static_cast<PortNumber>(draw(14));
    }
  }
  return {std::move(before), std::move(after)};
}

}  // namespace pssp::test
