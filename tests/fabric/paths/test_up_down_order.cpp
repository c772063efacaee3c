#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "fabric/paths/up_down_order.h"
#include "routing/engines/parts/trees/up_down_search.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;

namespace {

constexpr Growth all_growths[] = {Growth::central_first, Growth::near_first, Growth::deep_first};

constexpr const char* order_specs[] = {"k-ary-n-tree 4 2",
                                       "mesh 4x4 --hosts 2",
                                       "torus 3x3 --parallel 2 --hosts 2",
                                       "random-regular 16 --degree 4 --hosts 3",
                                       "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                                       "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands",
                                       "mesh 1 --hosts 3"};

int island_count(const Fabric& fabric) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(fabric.switch_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    boost::add_edge(fabric.channel_tail()[c], fabric.channel_head()[c], graph);
  }
  std::vector<int> island(fabric.switch_count());
  return boost::connected_components(graph, island.data());
}

int summit_count(const Fabric& fabric, const UpDownOrder& order) {
  int summits = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) summits += is_summit(fabric, order, s);
  return summits;
}

void check_usable(const Fabric& fabric, const UpDownOrder& order) {
  const auto sequence = order.highest_first();
  CHECK(sequence.size() == fabric.switch_count());
  CHECK(std::set(sequence.begin(), sequence.end()).size() == fabric.switch_count());
  CHECK(summit_count(fabric, order) == island_count(fabric));
}

std::vector<std::uint32_t> sequence_of(const UpDownOrder& order) {
  return {order.highest_first().begin(), order.highest_first().end()};
}

}  // namespace

TEST_CASE("move_past moves a switch up or down in the order, directly past another one",
          "[updown]") {
  UpDownOrder order({3, 1, 4, 0, 2});
  CHECK(order.is_above(3, 1));
  CHECK_FALSE(order.is_above(2, 0));
  order.move_past(0, 1);
  CHECK(sequence_of(order) == std::vector<std::uint32_t>{3, 0, 1, 4, 2});
  CHECK(order == UpDownOrder({3, 0, 1, 4, 2}));
  order.move_past(3, 4);
  CHECK(order == UpDownOrder({0, 1, 4, 3, 2}));
  order.move_past(2, 0);
  CHECK(order == UpDownOrder({2, 0, 1, 4, 3}));
}

TEST_CASE("grown and found orders contain each switch once and have one summit per island",
          "[updown]") {
  for (const char* spec : order_specs) {
    const Fabric fabric = make_fabric(spec);
    for (const unsigned roots : {1U, 5U, 64U}) {
      INFO(spec << ", roots " << roots);
      const OrderGrower grower(fabric, roots);
      CHECK(grower.root_count() >= 1);
      CHECK(grower.root_count() <= roots);
      for (std::size_t root = 0; root < grower.root_count(); ++root) {
        for (const Growth growth : all_growths) check_usable(fabric, grower.grow(root, growth));
      }
      check_usable(fabric, find_up_down_order(fabric, {.roots = roots, .max_probes = 1'000'000}));
    }
    check_usable(fabric, find_up_down_order(fabric, {.roots = 1, .max_probes = 0}));
  }
}

TEST_CASE("orders grow from central switches and from distant ones", "[updown]") {
  const Fabric fabric = make_fabric("mesh 5 --hosts 2");
  const OrderGrower grower(fabric, 3);
  REQUIRE(grower.root_count() == 3);
  CHECK(sequence_of(grower.grow(0, Growth::near_first)) ==
        std::vector<std::uint32_t>{2, 1, 3, 0, 4});
  CHECK(sequence_of(grower.grow(0, Growth::deep_first)) ==
        std::vector<std::uint32_t>{2, 1, 0, 3, 4});
  CHECK(sequence_of(grower.grow(1, Growth::central_first)) ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(sequence_of(grower.grow(2, Growth::near_first)) ==
        std::vector<std::uint32_t>{4, 3, 2, 1, 0});
}

TEST_CASE("usable_order does not change a usable order", "[updown]") {
  for (const char* const spec : order_specs) {
    const Fabric fabric = make_fabric(spec);
    for (const Growth growth : all_growths) {
      const UpDownOrder order = OrderGrower(fabric, 2).grow(1, growth);
      const UpDownOrder usable = usable_order(fabric, order.highest_first());
      INFO(spec);
      // Both orders contain the islands one after the other.
      CHECK(sequence_of(usable) == sequence_of(order));
    }
  }
}

TEST_CASE("usable_order repairs an order after the loss of a link", "[updown]") {
  for (const char* const spec : {"k-ary-n-tree 4 3", "xgft 6,6 1,3", "mesh 4x4 --hosts 2",
                                 "random-regular 16 --degree 4 --hosts 3"}) {
    const Fabric whole = make_fabric(spec);
    const UpDownOrder order = OrderGrower(whole, 1).grow(0, Growth::central_first);
    for (std::uint32_t c = 0; c < whole.channel_count(); ++c) {
      INFO(spec << ", channel " << c);
      const Fabric now = survivors(whole, {}, std::vector{ChannelId(c)});
      REQUIRE(now.switch_count() == whole.switch_count());
      const UpDownOrder usable = usable_order(now, order.highest_first());
      check_usable(now, usable);
      const bool was_usable = summit_count(now, order) == island_count(now);
      if (was_usable && island_count(now) == 1) CHECK(usable == order);
    }
  }
}
