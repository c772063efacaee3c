#include <catch2/catch.hpp>

#include "monitor/api/recent_sweep.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

TEST_CASE("a packed sweep returns the differences that were stored") {
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  const SnapshotPointer before = fabric.sweep(), after = fabric.sweep();
  std::vector<PortDifference> wanted = differences(*before, *after);
  wanted[3].delta[0] = ~std::uint64_t{0};
  wanted[3].saturated = mask_of(Counter::vl15_dropped);
  const RecentSweep packed(*after, wanted, "{}");
  for (std::uint32_t p = 0; p < wanted.size(); ++p) {
    const auto found = packed.difference(p);
    REQUIRE(found.has_value() == (wanted[p].ns != 0));
    if (!found) continue;
    CHECK(found->ns == wanted[p].ns);
    CHECK(found->known == wanted[p].known);
    CHECK(found->saturated == wanted[p].saturated);
    CHECK(found->delta == wanted[p].delta);
  }
  CHECK_FALSE(packed.difference(static_cast<std::uint32_t>(wanted.size())).has_value());
  std::vector<bool> taken(4);
  taken[3] = true;
  const auto rest = packed.without(taken);
  CHECK_FALSE(rest->difference(3));
  for (std::uint32_t p = 0; p < wanted.size(); ++p) {
    if (p == 3) continue;
    REQUIRE(rest->difference(p).has_value() == packed.difference(p).has_value());
    if (wanted[p].ns != 0) CHECK(rest->difference(p)->delta == wanted[p].delta);
  }
  CHECK(packed.bytes() < 64 * wanted.size());
}
