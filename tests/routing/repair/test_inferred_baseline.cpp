#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "fabric/fabric_digest.h"
#include "routing/engines/engine.h"
#include "routing/repair/baseline.h"
#include "routing/repair/inferred_baseline.h"
#include "routing/repair/positions.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;

namespace {

/// Every eleventh channel between switches, `count` of them.
std::vector<ChannelId> some_cables(const Fabric& fabric, unsigned count) {
  std::vector<ChannelId> cables;
  for (std::uint32_t c = 5; cables.size() < count; c += 11) cables.emplace_back(c);
  for (const ChannelId each : cables) REQUIRE(each.value() < fabric.channel_count());
  return cables;
}

/// The first switch of rank 1: above the leaves and below the top.
SwitchId middle_switch(const Fabric& fabric) {
  const std::vector<std::uint32_t> ranks = switch_ranks(fabric);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (ranks[s] == 1) return SwitchId(s);
  }
  return {};
}

/// GUID of the next switch on the path from the switch with GUID `at` to a LID; 0 if there is none.
Guid next_of(const Baseline& baseline, Guid at, Lid lid) {
  const std::optional<SwitchId> s = baseline.fabric.find_switch(at);
  if (!s) return 0;
  const PortTarget target = baseline.fabric.behind(*s, baseline.tables.at(*s, lid));
  if (target.kind != PortTarget::Kind::channel) return 0;
  return baseline.fabric.switch_at(SwitchId(baseline.fabric.channel_head()[target.index])).guid;
}

}  // namespace

TEST_CASE("infer_whole infers missing cables of a tree", "[stable]") {
  for (const char* spec : {"k-ary-n-tree 4 3", "xgft 6,6 1,4", "chic"}) {
    INFO(spec);
    const Fabric whole = make_fabric(spec);
    CHECK_FALSE(infer_whole(whole));
    const auto inferred = infer_whole(survivors(whole, {}, some_cables(whole, 3)));
    REQUIRE(inferred);
    CHECK(inferred->links == 3);
    CHECK(inferred->switches == 0);
    CHECK(digest_of(inferred->fabric) == digest_of(whole));
  }
  // A torus is not a tree, so nothing is inferred.
  const Fabric torus = make_fabric("torus 4x4");
  CHECK_FALSE(infer_whole(survivors(torus, {}, some_cables(torus, 2))));
}

TEST_CASE("a new switch takes the position of an inferred switch", "[stable]") {
  for (const char* spec :
       {"k-ary-n-tree 4 3", "k-ary-n-tree 4 3 --permute-ports --shuffle-guids"}) {
    const Fabric whole = make_fabric(spec);
    const std::vector<SwitchId> dead{middle_switch(whole)};
    const Guid lost = whole.switch_at(dead.front()).guid;
    const Fabric damaged = survivors(whole, dead, some_cables(whole, 2));
    const auto inferred = infer_whole(damaged);
    REQUIRE(inferred);
    INFO(fmt::format("{}: {} links", spec, inferred->links));
    CHECK(inferred->switches == 1);
    const Baseline baseline =
        make_baseline(inferred->fabric, make_engine("pssp", {})->route(inferred->fabric).tables);
    const Fabric& meant = baseline.fabric;
    const Guid stand_in =
        meant.switch_at(SwitchId(static_cast<std::uint32_t>(meant.switch_count() - 1))).guid;
    CHECK_FALSE(whole.find_switch(stand_in));
    const Positions positions = find_positions(meant, whole);
    CHECK(positions.holders.back() == lost);

    const std::optional<Baseline> now =
        grown(baseline, whole, {.keep_long_management_paths = true}, {});
    REQUIRE(now);
    CHECK(digest_of_cables(now->fabric) == digest_of_cables(whole));
    CHECK(verify(now->fabric, now->tables).usable());
    std::size_t elsewhere = 0, all = 0;
    for (std::uint32_t s = 0; s < meant.switch_count(); ++s) {
      const Guid at = meant.switch_at(SwitchId(s)).guid;
      for (const Lid lid : damaged.lids()) {
        Guid before = next_of(baseline, at, lid);
        if (before == stand_in) before = lost;
        ++all;
        if (next_of(*now, at == stand_in ? lost : at, lid) != before) ++elsewhere;
      }
    }
    CHECK(all > 1000);
    CHECK(elsewhere == 0);
    CHECK_FALSE(grown(*now, whole, {}, {}));
  }
}

TEST_CASE("find_positions recognizes a cable that moved to other ports, but not a new cable",
          "[stable]") {
  const Fabric whole = make_fabric("xgft 4,4 1,4");
  const Fabric less = survivors(whole, {}, some_cables(whole, 1));
  const Positions of_part = find_positions(whole, less);
  CHECK(std::ranges::count(of_part.is_meant, 1) ==
        static_cast<std::ptrdiff_t>(less.channel_count()));
  const Positions of_more = find_positions(less, whole);
  CHECK(std::ranges::count(of_more.is_meant, 0) == 2);
  // With the same switches and other ports, all cables are recognized, and entries move with them.
  const Fabric permuted = make_fabric("xgft 4,4 1,4 --permute-ports");
  const Positions moved = find_positions(whole, permuted);
  CHECK(std::ranges::count(moved.is_meant, 0) == 0);
  const Baseline baseline = make_baseline(whole, make_engine("pssp", {})->route(whole).tables);
  const ForwardingTables tables = with_ports_now(moved, baseline.tables);
  for (std::uint32_t c = 0; c < whole.channel_count(); ++c) {
    const std::uint32_t tail = whole.channel_tail()[c];
    const PortTarget target =
        permuted.behind(SwitchId(tail), moved.port_now(tail, whole.channel_out_port()[c]));
    REQUIRE(target.kind == PortTarget::Kind::channel);
    CHECK(permuted.channel_head()[target.index] == whole.channel_head()[c]);
  }
  CHECK(tables.entries().size() == baseline.tables.entries().size());
}
