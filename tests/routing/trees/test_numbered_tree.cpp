#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/trees/numbered_tree.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* untidy = " --permute-ports --shuffle-guids --seed ";

std::vector<std::uint32_t> heads_of(const Fabric& fabric) {
  return {fabric.channel_head().begin(), fabric.channel_head().end()};
}

}  // namespace

TEST_CASE("a complete tree has the same structural numbering whatever its ports and GUIDs are") {
  for (const std::string spec : {"chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 5 3", "odin",
                                 "xgft 24,20 1,16", "xgft 6,4 1,3 --parallel 2"}) {
    const Fabric tidy = number_by_structure(make_fabric(spec)).fabric;
    for (unsigned seed = 1; seed <= 5; ++seed) {
      INFO(spec << " seed " << seed);
      const Fabric other =
          number_by_structure(make_fabric(spec + untidy + std::to_string(seed))).fabric;
      CHECK(heads_of(other) == heads_of(tidy));
      CHECK(std::equal(other.end_ports().begin(), other.end_ports().end(), tidy.end_ports().begin(),
                       tidy.end_ports().end(), [](const EndPort& a, const EndPort& b) {
                         return a.description == b.description && a.attached == b.attached;
                       }));
    }
  }
}

TEST_CASE("a tree with structural numbering is the same fabric") {
  for (const char* spec :
       {"chic --kill-links 20 --lmc 1", "deimos",
        "xgft 12,6 1,4 --rate 4xQDR --mixed-rate 4xDDR --permute-ports --shuffle-guids"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const NumberedTree tree = number_by_structure(fabric);
    CHECK_FALSE(tree.fabric.is_numbered_by_guid());
    REQUIRE(tree.fabric.switch_count() == fabric.switch_count());
    REQUIRE(tree.fabric.channel_count() == fabric.channel_count());
    REQUIRE(tree.fabric.end_port_count() == fabric.end_port_count());
    CHECK(std::ranges::equal(tree.fabric.lids(), fabric.lids()));
    bool same = true;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const SwitchId original = tree.original[s];
      same &= tree.fabric.switch_at(SwitchId(s)).guid == fabric.switch_at(original).guid;
      for (unsigned p = 0; p <= fabric.switch_at(original).ports; ++p) {
        const PortTarget here = tree.fabric.behind(SwitchId(s), static_cast<PortNumber>(p));
        const PortTarget there = fabric.behind(original, static_cast<PortNumber>(p));
        same &= here.kind == there.kind;
        if (here.kind != there.kind || here.kind != PortTarget::Kind::channel) continue;
        same &= tree.original[tree.fabric.channel_head()[here.index]].value() ==
                fabric.channel_head()[there.index];
        same &= tree.fabric.channel_in_port()[here.index] == fabric.channel_in_port()[there.index];
        same &= tree.fabric.channel_rate()[here.index] == fabric.channel_rate()[there.index];
      }
    }
    CHECK(same);
  }
}

TEST_CASE("with_original_numbers() returns tables and links in the numbering of the fabric") {
  const Fabric fabric =
      make_fabric("chic --kill-links 20 --permute-ports --shuffle-guids --seed 4");
  const NumberedTree tree = number_by_structure(fabric);
  const ForwardingTables numbered = make_engine("pssp", {})->route(tree.fabric).tables;
  REQUIRE(verify(tree.fabric, numbered).usable());
  CHECK(verify(fabric, with_original_numbers(tree, numbered)).usable());
  CHECK(make_engine("pssp", {})->route(fabric).tables == with_original_numbers(tree, numbered));

  const std::vector<InferredLink> links = with_original_numbers(tree, infer_links(tree.fabric));
  CHECK(links.size() == 20);
  CHECK(std::is_sorted(links.begin(), links.end()));
  for (const InferredLink& link : links) {
    CHECK(link.a.at < link.b.at);
    CHECK(fabric.behind(link.a.at, link.a.port).kind == PortTarget::Kind::none);
    CHECK(fabric.behind(link.b.at, link.b.port).kind == PortTarget::Kind::none);
  }
}
