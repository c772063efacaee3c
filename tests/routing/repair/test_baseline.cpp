#include <catch2/catch.hpp>
#include <vector>

#include "base/error.h"
#include "fabric/fabric_digest.h"
#include "routing/engines/engine.h"
#include "routing/repair/baseline.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;

namespace {

Baseline baseline_of(const Fabric& fabric) {
  return make_baseline(fabric, make_engine("pssp", {})->route(fabric).tables);
}

/// Number of entries of the smaller baseline that are different in the grown baseline.
std::size_t moved(const Baseline& before, const Baseline& after) {
  const ForwardingTables was = transfer_tables(before.fabric, before.tables, after.fabric);
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < after.fabric.switch_count(); ++s) {
    for (const Lid lid : before.fabric.lids()) {
      const PortNumber port = was.at(SwitchId(s), lid);
      if (port != no_port && port != after.tables.at(SwitchId(s), lid)) ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("missing parts of the fabric stay in the baseline", "[stable]") {
  for (const char* spec : {"k-ary-n-tree 4 2", "torus 3x4 --hosts 2", "xgft 4,4,4 1,2,2 --lmc 1"}) {
    INFO(spec);
    const Fabric whole = make_fabric(spec);
    const std::vector<SwitchId> dead{SwitchId(3)};
    const std::vector<ChannelId> cut{ChannelId(0), ChannelId(7)};
    const Fabric less = survivors(whole, dead, cut);
    CHECK(is_part_of(whole, whole));
    CHECK(is_part_of(less, whole));
    CHECK_FALSE(is_part_of(whole, less));
    CHECK(digest_of_cables(united(whole, less)) == digest_of_cables(whole));
    CHECK(digest_of_cables(united(less, whole)) == digest_of_cables(whole));
    CHECK(digest_of(united(less, whole)) == digest_of(whole));
    CHECK_FALSE(grown(baseline_of(whole), less, {}, {}));
  }
}

TEST_CASE("new parts of the fabric are added to the baseline", "[stable]") {
  const Fabric whole = make_fabric("xgft 6,6 1,4");
  // The first fabric lacks a leaf with its hosts, or a spine.
  for (const std::uint32_t late : {2U, 8U}) {
    const std::vector<SwitchId> dead{SwitchId(late)};
    const Fabric before = survivors(whole, dead, {});
    const Baseline first = baseline_of(before);
    const std::optional<Baseline> larger = grown(first, whole, {}, {});
    REQUIRE(larger);
    CHECK(is_part_of(whole, larger->fabric));
    CHECK(verify(larger->fabric, larger->tables).usable());
    CHECK_FALSE(grown(*larger, whole, {}, {}));
    CHECK(known_part(first, whole, larger->tables) < 1);
    CHECK(known_part(*larger, whole, larger->tables) == 1);
    // A new leaf changes no known entry; a new spine takes over part of the traffic.
    if (late == 2) {
      CHECK(moved(first, *larger) == 0);
    } else {
      CHECK(moved(first, *larger) > 0);
    }
  }
}

TEST_CASE("in united fabrics, a LID or port belongs to its present owner", "[stable]") {
  const Fabric tree = make_fabric("k-ary-n-tree 2 2");
  const Fabric other = make_fabric("k-ary-n-tree 2 2 --lids=hosts-first");
  const Fabric both = united(tree, other);
  CHECK(is_part_of(other, both));
  for (const EndPort& each : other.end_ports()) {
    const auto found = both.find_end_port(each.port_guid);
    REQUIRE(found);
    CHECK(both.end_port(*found).lid == each.lid);
  }
}

TEST_CASE("united() rejects a fabric that contradicts the first fabric", "[stable]") {
  // Switches of the second fabric have GUIDs of adapters in the first.
  const Fabric other = make_fabric("k-ary-n-tree 2 2 --shuffle-guids");
  CHECK_THROWS_AS(united(make_fabric("k-ary-n-tree 2 2"), other), Error);
}
