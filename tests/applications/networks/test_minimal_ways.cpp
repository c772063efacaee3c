// All ways are walked one by one, which the class never does, and each carries its part.

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "applications/networks/minimal_ways.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

std::map<std::uint32_t, double> walked(const Fabric& fabric, SwitchId from, SwitchId to,
                                       std::uint32_t hops) {
  std::map<std::uint32_t, double> crossed;
  double ways = 0;
  std::vector<std::uint32_t> way;
  const std::function<void(std::uint32_t)> walk = [&](std::uint32_t at) {
    if (at == to.value() && way.size() == hops) {
      ++ways;
      for (const std::uint32_t channel : way) ++crossed[channel];
      return;
    }
    if (way.size() == hops) return;
    for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
      way.push_back(c);
      walk(fabric.channel_head()[c]);
      way.pop_back();
    }
  };
  walk(from.value());
  for (auto& [channel, count] : crossed) count /= ways;
  return crossed;
}

TEST_CASE("minimal ways: each link carries the share of the ways that cross it") {
  for (const char* const name : {"k-ary-n-tree 3 3", "random-regular 12 --degree 4 --seed 3"}) {
    const Fabric fabric = make_fabric(name);
    MinimalWays minimal(fabric);
    for (std::uint32_t from = 0; from < fabric.switch_count(); from += 2) {
      for (std::uint32_t to = 0; to < fabric.switch_count(); to += 3) {
        CAPTURE(name, from, to);
        const MinimalWays::Ways* ways = minimal.between(SwitchId(from), SwitchId(to));
        REQUIRE(ways != nullptr);
        const auto expected = walked(fabric, SwitchId(from), SwitchId(to), ways->hops);
        REQUIRE(ways->parts.size() == expected.size());
        for (const LinkPart& part : ways->parts) {
          CHECK(part.part / static_cast<double>(LinkPart::whole) ==
                Approx(expected.at(part.link)).margin(1e-9));
        }
      }
    }
  }
}

}  // namespace
}  // namespace pssp
