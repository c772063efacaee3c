// Compares MinimalPaths with an enumeration of all paths, each of which carries an equal share.

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "applications/networks/minimal_paths.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

std::map<std::uint32_t, double> walked(const Fabric& fabric, SwitchId from, SwitchId to,
                                       std::uint32_t hops) {
  std::map<std::uint32_t, double> crossed;
  double paths = 0;
  std::vector<std::uint32_t> path;
  const std::function<void(std::uint32_t)> walk = [&](std::uint32_t at) {
    if (at == to.value() && path.size() == hops) {
      ++paths;
      for (const std::uint32_t channel : path) ++crossed[channel];
      return;
    }
    if (path.size() == hops) return;
    for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
      path.push_back(c);
      walk(fabric.channel_head()[c]);
      path.pop_back();
    }
  };
  walk(from.value());
  for (auto& [channel, count] : crossed) count /= paths;
  return crossed;
}

TEST_CASE("each link carries the fraction of minimal paths that cross it") {
  for (const char* const name : {"k-ary-n-tree 3 3", "random-regular 12 --degree 4 --seed 3"}) {
    const Fabric fabric = make_fabric(name);
    MinimalPaths minimal(fabric);
    for (std::uint32_t from = 0; from < fabric.switch_count(); from += 2) {
      for (std::uint32_t to = 0; to < fabric.switch_count(); to += 3) {
        CAPTURE(name, from, to);
        const MinimalPaths::AllPaths* paths = minimal.between(SwitchId(from), SwitchId(to));
        REQUIRE(paths != nullptr);
        const auto expected = walked(fabric, SwitchId(from), SwitchId(to), paths->hops);
        REQUIRE(paths->parts.size() == expected.size());
        for (const LinkPart& part : paths->parts) {
          CHECK(part.part / static_cast<double>(LinkPart::whole) ==
                Approx(expected.at(part.link)).margin(1e-9));
        }
      }
    }
  }
}

}  // namespace
}  // namespace pssp
