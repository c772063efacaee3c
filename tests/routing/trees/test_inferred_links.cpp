#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::vector<InferredLink> links_of(const Fabric& fabric) {
  std::vector<InferredLink> links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (fabric.channel_reverse()[c] < c) continue;
    links.push_back({{SwitchId(fabric.channel_tail()[c]), fabric.channel_out_port()[c]},
                     {SwitchId(fabric.channel_head()[c]), fabric.channel_in_port()[c]}});
  }
  std::sort(links.begin(), links.end());
  return links;
}

/// Links of the complete fabric that the damaged fabric lacks.
std::vector<InferredLink> links_taken_out(const std::string& family, const std::string& damage) {
  const std::vector<InferredLink> before = links_of(make_fabric(family));
  const std::vector<InferredLink> after = links_of(make_fabric(family + damage));
  std::vector<InferredLink> gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(gone));
  return gone;
}

std::string to_text(const std::vector<InferredLink>& links) {
  std::string text;
  for (const InferredLink& link : links) {
    text += std::to_string(link.a.at.value()) + ':' + std::to_string(link.a.port) + '-' +
            std::to_string(link.b.at.value()) + ':' + std::to_string(link.b.port) + ' ';
  }
  return text;
}

/// Pairs of switches that the links connect.
std::multiset<std::pair<std::uint32_t, std::uint32_t>> pairs(
    const std::vector<InferredLink>& links) {
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (const InferredLink& link : links) joined.emplace(link.a.at.value(), link.b.at.value());
  return joined;
}

std::string refusal(const char* spec) {
  try {
    infer_links(make_fabric(spec));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unsuitable_topology);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the inferred links are the removed links") {
  struct Case {
    const char* family;
    const char* damage;
  };
  for (const Case& each :
       {Case{"chic", " --kill-links 1"}, Case{"chic", " --kill-links 20"},
        Case{"chic", " --kill-links 60 --seed 5"}, Case{"chic", " --kill-links 60"},
        Case{"xgft 8,8,8 1,4,4", " --kill-links 20"}, Case{"xgft 8,8,8 1,4,4", " --kill-links 40"},
        Case{"k-ary-n-tree 4 3", " --kill-links 20"}, Case{"k-ary-n-tree 4 2", " --kill-links 3"},
        Case{"k-ary-n-tree 8 2", " --kill-links 8"}, Case{"odin", " --kill-links 5"}}) {
    INFO(each.family << each.damage);
    CHECK(to_text(infer_links(make_fabric(std::string(each.family) + each.damage))) ==
          to_text(links_taken_out(each.family, each.damage)));
  }
}

TEST_CASE("nearly all links are inferred in 200 damaged trees with permuted ports") {
  // Ports were permuted after the damage, so the test compares the switches that a link connects.
  std::size_t missing = 0;
  std::size_t right = 0;
  std::size_t wrong = 0;
  const std::vector<std::string> families{
      "chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 4 3", "k-ary-n-tree 5 3",
      "odin", "xgft 24,20 1,16",  "xgft 6,6,4 1,3,3", "xgft 12,12 1,6 --parallel 2"};
  for (unsigned seed = 1; seed <= 25; ++seed) {
    for (const std::string& family : families) {
      const std::string damage =
          " --kill-links " + std::to_string(1 + seed % 12) + " --seed " + std::to_string(seed);
      const auto gone = pairs(links_taken_out(family, damage));
      const auto found = pairs(infer_links(make_fabric(family + damage + " --permute-ports")));
      std::multiset<std::pair<std::uint32_t, std::uint32_t>> both;
      std::set_intersection(gone.begin(), gone.end(), found.begin(), found.end(),
                            std::inserter(both, both.end()));
      missing += gone.size();
      right += both.size();
      wrong += found.size() - both.size();
    }
  }
  INFO(right << " right, " << wrong << " wrong of " << missing);
  CHECK(20 * right >= 19 * missing);
  CHECK(100 * wrong <= missing);
}

TEST_CASE("a switch that lost all its uplinks is recognized by its downlinks") {
  for (const std::string damage : {" --kill-links 100 --seed 3", " --kill-links 100"}) {
    CHECK(pairs(infer_links(make_fabric("thunderbird" + damage))) ==
          pairs(links_taken_out("thunderbird", damage)));
  }
}

TEST_CASE("complete trees lack no link") {
  for (const char* spec :
       {"chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 4 3", "k-ary-n-tree 2 2", "odin", "thunderbird",
        "deimos", "director 24 --hosts 3", "xgft 16,16 1,8"}) {
    INFO(spec);
    CHECK(infer_links(make_fabric(spec)).empty());
  }
}

TEST_CASE("a fabric that is not a tree is refused, and the message names a link that proves it") {
  for (const char* spec :
       {"torus 6x6x4", "mesh 5x5 --hosts 2", "random-regular 64 --degree 8", "hypercube 4",
        "full-mesh 6", "dragonfly --switches 4 --global-links 2"}) {
    INFO(spec);
    CHECK_THAT(refusal(spec),
               Catch::Contains("not a tree") && Catch::Contains("[") && Catch::Contains("best"));
  }
}

TEST_CASE("if switches are missing, only their links are inferred") {
  for (const char* damage : {" --kill-switches 1", " --kill-switches 4 --seed 2"}) {
    const Fabric fabric = make_fabric(std::string("chic") + damage);
    for (const InferredLink& link : infer_links(fabric)) {
      CHECK(link.b.at.value() >= fabric.switch_count());
    }
  }
}

TEST_CASE("with_links() keeps the numbering and adds exactly the given links") {
  for (const char* spec : {"chic --kill-links 20", "k-ary-n-tree 4 3 --kill-links 20 --lmc 1",
                           "thunderbird --kill-switches 9 --kill-links 3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const std::vector<InferredLink> links = infer_links(fabric);
    const Fabric complete = with_links(fabric, links);
    REQUIRE(complete.switch_count() >= fabric.switch_count());
    REQUIRE(complete.end_port_count() == fabric.end_port_count());
    CHECK(std::equal(complete.lids().begin(), complete.lids().end(), fabric.lids().begin(),
                     fabric.lids().end()));
    bool same = true;
    for (const Lid lid : fabric.lids()) {
      same &= complete.delivery(lid).at == fabric.delivery(lid).at &&
              complete.delivery(lid).port == fabric.delivery(lid).port &&
              complete.owner(lid).index == fabric.owner(lid).index;
    }
    CHECK(same);
    std::vector<InferredLink> expected = links_of(fabric);
    expected.insert(expected.end(), links.begin(), links.end());
    std::sort(expected.begin(), expected.end());
    CHECK(links_of(complete) == expected);
  }
}
