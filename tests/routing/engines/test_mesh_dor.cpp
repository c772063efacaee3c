// Compares dimension-order routing with an independent oracle: the true coordinates of the plan, a
// check of every entry, and closed formulas for loads.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <set>

#include "base/error.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/mesh_dor.h"
#include "routing/mesh/damaged_mesh.h"
#include "routing/verify/verify.h"
#include "tests/routing/mesh/mesh_plan.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using namespace test;

ForwardingTables route(const Fabric& fabric, std::string_view options = "") {
  return mesh_dor_engine.make(EngineOptions::parse(options))->route(fabric).tables;
}

double index_of(const Fabric& fabric, std::string_view options = "") {
  return edge_forwarding_index(fabric, channel_loads(fabric, route(fabric, options)));
}

/// A ring of four is routed as two dimensions of two: 0, 1, 2, 3 become 00, 01, 11, 10.
Box split_rings_of_four(const Box& box) {
  Box split;
  for (std::size_t d = 0; d < box.sizes.size(); ++d) {
    const bool four = box.ring[d] && box.sizes[d] == 4;
    split.sizes.insert(split.sizes.end(), four ? 2 : 1, four ? 2 : box.sizes[d]);
    split.ring.insert(split.ring.end(), four ? 2 : 1, !four && box.ring[d] && box.sizes[d] > 2);
  }
  return split;
}

std::vector<unsigned> split_position(const Box& box, std::size_t index) {
  std::vector<unsigned> place;
  const std::vector<unsigned> at = box.place(index);
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (box.ring[d] && box.sizes[d] == 4) {
      place.push_back(at[d] / 2);
      place.push_back((at[d] + 1) / 2 % 2);
    } else {
      place.push_back(at[d]);
    }
  }
  return place;
}

/// The documented order of dimensions, from the true coordinates: descending size, then the lowest
/// neighbor of the first switch.
std::vector<std::size_t> documented_order(const Fabric& fabric, const Box& box,
                                          const std::vector<std::vector<unsigned>>& place) {
  std::vector<std::size_t> order(box.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::uint32_t> lowest(box.sizes.size(), 0xFFFFFFFF);
  for (std::uint32_t c = 0; c < fabric.first_channel()[1]; ++c) {
    const std::uint32_t head = fabric.channel_head()[c];
    for (std::size_t d = 0; d < box.sizes.size(); ++d) {
      if (place[0][d] != place[head][d]) lowest[d] = std::min(lowest[d], head);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(box.sizes[b], lowest[a]) < std::pair(box.sizes[a], lowest[b]);
  });
  return order;
}

/// Every entry must lead one step nearer in the first dimension, in the documented order, in which
/// the positions differ.
void require_dimension_order(const Box& drawn, const Fabric& fabric,
                             const ForwardingTables& tables) {
  const Box box = split_rings_of_four(drawn);
  std::vector<std::vector<unsigned>> place;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    place.push_back(split_position(drawn, plan_index(fabric, SwitchId(s))));
  }
  const std::vector<std::size_t> order = documented_order(fabric, box, place);
  std::size_t wrong = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      const Delivery delivery = fabric.delivery(lid);
      const PortNumber port = tables.at(SwitchId(s), lid);
      const auto& target = place[delivery.at.value()];
      const auto first = std::find_if(order.begin(), order.end(),
                                      [&](std::size_t d) { return place[s][d] != target[d]; });
      if (first == order.end()) {
        wrong += port == delivery.port ? 0 : 1;
        continue;
      }
      const PortTarget behind = fabric.behind(SwitchId(s), port);
      if (behind.kind != PortTarget::Kind::channel) {
        ++wrong;
        continue;
      }
      const auto& next = place[fabric.channel_head()[behind.index]];
      for (std::size_t d = 0; d < box.sizes.size(); ++d) {
        const unsigned before = box.distance(place[s][d], target[d], d);
        const unsigned after = box.distance(next[d], target[d], d);
        wrong += after == before - (d == *first ? 1 : 0) ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every meshdor entry follows the order of dimensions whatever the numbering is") {
  const std::vector<Box> boxes{
      mesh_box({}),
      mesh_box({2}),
      mesh_box({9}),
      torus_box({3}),
      torus_box({4}),
      torus_box({5}),
      torus_box({8}),
      mesh_box({2, 2}),
      mesh_box({3, 2}),
      mesh_box({5, 5}),
      mesh_box({7, 3, 2}),
      mesh_box({4, 4, 4}),
      mesh_box({2, 2, 2, 2, 2}),
      torus_box({3, 3}),
      torus_box({4, 4}),
      torus_box({6, 5}),
      torus_box({2, 6}),
      torus_box({6, 6, 4}),
      torus_box({5, 4, 3}),
      torus_box({3, 3, 3}),
      {{5, 4, 3}, {true, false, true}},
      {{3, 6, 2}, {false, true, true}},
      {{4, 4, 2, 3}, {true, false, false, true}},
  };
  for (const Box& box : boxes) {
    for (const unsigned seed : {0U, 1U, 2U, 3U}) {
      const unsigned parallel = seed == 3 ? 2 : 1;
      const Fabric fabric = make_fabric(draw(box, parallel),
                                        {.hosts = seed, .lmc = seed == 2 ? 1U : 0, .seed = seed});
      CAPTURE(box.sizes, box.ring, seed);
      const ForwardingTables tables = route(fabric);
      require_dimension_order(box, fabric, tables);
      CHECK(verify(fabric, tables).usable());
      CHECK(tables == route(fabric));
    }
  }
}

TEST_CASE("meshdor entries follow the order of dimensions in random boxes") {
  const unsigned seed_of_boxes = GENERATE(1U, 2U);
  std::mt19937 random(seed_of_boxes);
  for (int round = 0; round < 40; ++round) {
    Box box;
    while (box.sizes.size() < 1 + random() % 5) {
      box.sizes.push_back(2 + static_cast<unsigned>(random() % 6));
      box.ring.push_back(random() % 2 == 0);
    }
    if (box.switches() > 700) continue;
    CAPTURE(box.sizes, box.ring, round);
    const Fabric fabric = make_fabric(draw(box, 1 + static_cast<unsigned>(random() % 2)),
                                      {.hosts = 1, .seed = 1 + static_cast<unsigned>(round)});
    require_dimension_order(box, fabric, route(fabric));
  }
}

TEST_CASE("meshdor has no credit loop on meshes and rings of four, but one on a ring of six") {
  for (const Box& box : {mesh_box({5, 5}), mesh_box({4, 3, 2}), mesh_box({2, 2, 2, 2, 2, 2}),
                         torus_box({4, 4}), mesh_box({3, 3, 3, 3})}) {
    const Fabric fabric = make_fabric(draw(box, 2), {.hosts = 2, .seed = 5});
    const VerifyReport report = verify(fabric, route(fabric));
    CHECK(report.usable());
    CHECK_FALSE(report.has_credit_loop());
  }
  const Fabric torus = make_fabric(draw(torus_box({6, 3})));
  const VerifyReport report = verify(torus, route(torus));
  CHECK(report.usable());
  CHECK(report.has_credit_loop());
}

TEST_CASE("meshdor reaches the cut bound of the edge forwarding index") {
  // A mesh of N switches with h hosts each: floor(n/2) * ceil(n/2) * (N/n)^2 * h^2 routes cross the
  // middle of a dimension of size n, over N/n channels.
  CHECK(index_of(make_fabric(draw(mesh_box({5, 5})), {.hosts = 2, .seed = 1})) == 2 * 3 * 5 * 4);
  CHECK(index_of(make_fabric(draw(mesh_box({4, 4, 4})), {.hosts = 2, .seed = 2})) == 4 * 16 * 4);
  CHECK(index_of(make_fabric(draw(mesh_box({2, 2, 2, 2, 2, 2})), {.hosts = 2, .seed = 3})) ==
        1 * 32 * 4);
  // A ring of n = 6 switches has 6 * (1 + 1 + 2 + 2 + 3) hops over 12 channels. Each hop stands for
  // N/n * h^2 = 24 routes.
  for (const unsigned seed : {0U, 1U, 2U, 3U, 4U}) {
    CHECK(index_of(make_fabric(draw(torus_box({6, 6, 4})), {.seed = seed})) == 108);
    CHECK(index_of(make_fabric(draw(torus_box({6, 6})), {.hosts = 2, .seed = seed})) == 108);
  }
}

TEST_CASE("meshdor splits the routes to opposite switches of a ring evenly") {
  // A ring of n switches with h hosts each: a channel carries (1 + ... + (n/2 - 1)) * h^2 routes to
  // nearer switches, and half of the routes from the n/2 switches behind it to their opposite
  // switches. If h is odd, one half is larger; larger and smaller halves alternate along the ring.
  for (const unsigned n : {6U, 8U, 10U, 12U}) {
    for (const unsigned hosts : {1U, 2U, 3U, 4U}) {
      const Fabric fabric = make_fabric(draw(torus_box({n})), {.hosts = hosts, .seed = n + hosts});
      const unsigned near = (n / 2) * (n / 2 - 1) / 2 * hosts * hosts;
      const unsigned behind = n / 2;
      const unsigned larger = (hosts + 1) / 2;
      const unsigned smaller = hosts / 2;
      const unsigned opposite = hosts * ((behind + 1) / 2 * larger + behind / 2 * smaller);
      CAPTURE(n, hosts);
      CHECK(index_of(fabric) == near + opposite);
    }
  }
}

TEST_CASE("meshdor distributes the load evenly over parallel links of a mesh") {
  const Fabric fabric = make_fabric(draw(mesh_box({4, 4, 4}), 2), {.hosts = 2, .seed = 7});
  const auto loads = channel_loads(fabric, route(fabric));
  CHECK(edge_forwarding_index(fabric, loads) == 128);
  for (std::uint32_t c = 0; c + 1 < fabric.channel_count(); ++c) {
    for (std::uint32_t other = c + 1; other < fabric.channel_count(); ++other) {
      if (fabric.channel_tail()[other] != fabric.channel_tail()[c]) break;
      if (fabric.channel_head()[other] == fabric.channel_head()[c]) CHECK(loads[c] == loads[other]);
    }
  }
}

TEST_CASE("meshdor balances parallel links of a ring although destinations differ in load") {
  // Rings of seven switches: 3, 2 and 1 switches send over a channel to the destinations 1, 2 and 3
  // hops ahead, with 5 destinations of each kind. Two parallel links share these 30 routes. The
  // difference never exceeds one destination with 3 routes, so a link carries at most 16. Rings of
  // five: 2 and 1 switches send to one destination of each kind, each for the 7 switches of its
  // row. Two links cannot share this better than 14 to 7.
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Box box = torus_box({7, 5});
    const Fabric fabric = make_fabric(draw(box, 2), {.seed = seed});
    const auto loads = channel_loads(fabric, route(fabric));
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const auto from = box.place(plan_index(fabric, SwitchId(fabric.channel_tail()[c])));
      const auto to = box.place(plan_index(fabric, SwitchId(fabric.channel_head()[c])));
      CHECK(loads[c] <= (from[0] != to[0] ? 16U : 14U));
    }
  }
}

TEST_CASE("meshdor sends more routes over a wider parallel link") {
  FabricBuilder builder;
  const NodeId left = builder.add_switch(1, 20, "left", "");
  const NodeId right = builder.add_switch(2, 20, "right", "");
  const LinkRate rate = *parse_link_rate("4xQDR");
  for (const NodeId side : {left, right}) {
    for (unsigned h = 1; h <= 16; ++h) {
      const NodeId host = builder.add_adapter(0x100 * (side.value() + 1) + 2 * h, 1,
                                              EndPortKind::channel_adapter, "", "");
      builder.connect(side, static_cast<PortNumber>(h), host, 1, rate);
    }
  }
  builder.connect(left, 17, right, 17, rate);
  builder.connect(left, 18, right, 18, *parse_link_rate("12xQDR"));
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const auto loads = channel_loads(fabric, route(fabric));
  CHECK(loads == std::vector<std::uint64_t>{64, 192, 64, 192});
}

TEST_CASE("meshdor routes to switches, aggregation nodes, routers and all LIDs of a port") {
  FabricBuilder line;
  const NodeId a = line.add_switch(1, 4, "a", "");
  const NodeId b = line.add_switch(2, 4, "b", "");
  const NodeId host = line.add_adapter(0x10, 1, EndPortKind::channel_adapter, "host", "");
  const NodeId sharp = line.add_adapter(0x20, 1, EndPortKind::aggregation_node, "sharp", "");
  const NodeId router = line.add_adapter(0x30, 1, EndPortKind::router, "router", "");
  const NodeId loose = line.add_adapter(0x40, 1, EndPortKind::channel_adapter, "loose", "");
  line.connect(a, 1, host, 1, {});
  line.connect(b, 1, sharp, 1, {});
  line.connect(b, 2, router, 1, {});
  line.connect(a, 3, b, 4, {});
  line.set_lid(host, 1, 8, 2);
  line.set_lid(sharp, 1, 16, 3);
  line.set_lid(router, 1, 5, 0);
  line.set_lid(loose, 1, 6, 0);
  line.set_lid(a, 0, 1, 0);
  line.set_lid(b, 0, 2, 0);
  const Fabric fabric = std::move(line).build();
  const ForwardingTables tables = route(fabric);
  const auto row = [&](std::uint32_t s, std::initializer_list<Lid> lids) {
    std::set<PortNumber> ports;
    for (const Lid lid : lids) ports.insert(tables.at(SwitchId(s), lid));
    return ports;
  };
  using Ports = std::set<PortNumber>;
  CHECK(row(0, {8, 9, 10, 11}) == Ports{1});
  CHECK(row(1, {8, 9, 10, 11}) == Ports{4});
  CHECK(row(0, {16, 17, 18, 19, 20, 21, 22, 23, 5, 2}) == Ports{3});
  CHECK(row(1, {16, 17, 18, 19, 20, 21, 22, 23}) == Ports{1});
  CHECK(row(1, {5}) == Ports{2});
  CHECK(row(0, {1}) == Ports{management_port});
  CHECK(row(1, {2}) == Ports{management_port});
  CHECK(row(1, {1}) == Ports{4});
  for (const Lid unused : {Lid{0}, Lid{3}, Lid{4}, Lid{6}, Lid{7}, Lid{12}}) {
    CHECK(row(0, {unused}) == Ports{no_port});
  }
}

TEST_CASE("meshdor routes each island separately") {
  Plan plan = draw(mesh_box({4, 3}));
  const Plan ring = draw(torus_box({5}));
  for (const auto& [a, b] : ring.links) plan.links.emplace_back(a + 12, b + 12);
  plan.switches = 12 + 5 + 1;  // and one switch without links
  const Fabric fabric = make_fabric(plan, {.hosts = 2, .seed = 4});
  const ForwardingTables tables = route(fabric);
  const VerifyReport report = verify(fabric, tables);
  CHECK(report.usable());
  // Islands of 24, 10 and 2 hosts.
  CHECK(report.separated_pairs == 24 * (10 + 2) + 10 * (24 + 2) + 2 * (24 + 10));
  const auto island = [&](SwitchId s) {
    const std::size_t index = plan_index(fabric, s);
    return index < 12 ? 0 : index < 17 ? 1 : 2;
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      const bool reachable = island(SwitchId(s)) == island(fabric.delivery(lid).at);
      CHECK((tables.at(SwitchId(s), lid) != no_port) == reachable);
    }
  }
}

namespace {

/// In a mesh without rings: the next switch in the order of dimensions, if there is a link to it.
std::optional<std::uint32_t> next_in_order(const Fabric& fabric, const MeshCoordinates& mesh,
                                           std::uint32_t s, std::uint32_t to) {
  std::vector<std::uint32_t> at(mesh.of(s).begin(), mesh.of(s).end());
  const auto target = mesh.of(to);
  std::size_t d = 0;
  while (at[d] == target[d]) ++d;
  at[d] += at[d] < target[d] ? 1U : -1U;
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    const std::uint32_t head = fabric.channel_head()[c];
    if (std::equal(at.begin(), at.end(), mesh.of(head).begin())) return head;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("meshdor uses minimal paths around gaps, and the order of dimensions elsewhere") {
  std::size_t in_order = 0, repaired = 0;
  for (const std::string spec :
       {"mesh 5x5 --kill-links 3", "mesh 4x4x4 --kill-links 9", "hypercube 5 --kill-switches 2",
        "mesh 6x5 --kill-switches 1 --kill-links 2"}) {
    for (const char* seed : {" --seed 1", " --seed 2", " --seed 3"}) {
      INFO(spec << seed);
      const Fabric fabric = pssp::make_fabric(spec + seed + " --permute-ports --shuffle-guids");
      const Routing made = mesh_dor_engine.make({})->route(fabric);
      CHECK(verify(fabric, made.tables).usable());
      REQUIRE(made.notes.warnings.size() == 1);
      CHECK_THAT(made.notes.warnings.front(), Catch::Contains("lacks"));
      const MeshCoordinates mesh = recognise_damaged_meshes(fabric)->front();
      HopDistances distances(fabric);
      for (const EndPortId e : fabric.endpoints()) {
        const std::uint32_t root = fabric.end_port(e).attached.value();
        distances.search(SwitchId(root));
        for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
          if (s == root) continue;
          const PortNumber port = made.tables.at(SwitchId(s), fabric.end_port(e).lid);
          const std::uint32_t next = fabric.channel_head()[fabric.behind(SwitchId(s), port).index];
          CHECK(distances.distance()[next] + 1 == distances.distance()[s]);
          const std::optional<std::uint32_t> ordered = next_in_order(fabric, mesh, s, root);
          const bool can_stay =
              ordered && distances.distance()[*ordered] + 1 == distances.distance()[s];
          if (can_stay) CHECK(next == *ordered);
          ++(can_stay ? in_order : repaired);
        }
      }
    }
  }
  CHECK(repaired > 100);
  CHECK(in_order > 10 * repaired);
}

TEST_CASE("meshdor routes damaged tori, and hosts with several LIDs", "[meshdor]") {
  for (const char* spec :
       {"torus 6x6x4 --kill-links 12 --lmc 2", "torus 5x5 --hosts 2 --kill-switches 2",
        "torus 3x3x3 --parallel 2 --kill-links 3", "mesh 8x8 --kill-links 9 --lmc 1"}) {
    INFO(spec);
    const Fabric fabric = pssp::make_fabric(spec);
    CHECK(verify(fabric, route(fabric)).usable());
    CHECK(verify(fabric, route_mesh_in_planes(fabric, {}, {})).usable());
  }
}

TEST_CASE("meshdor rejects invalid options and follows the option dimension_order") {
  const auto kind_of = [](const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  for (const char* order : {"0-0", "1-2", "0-2", "a", "0-", "-0", "0--1", "0-1x", "99999999999"}) {
    CAPTURE(order);
    CHECK(kind_of([&] {
            mesh_dor_engine.make(EngineOptions::parse(fmt::format("dimension_order={}", order)));
          }) == ErrorKind::usage);
  }
  CHECK(kind_of([] { mesh_dor_engine.make(EngineOptions::parse("coordinates=/no/such/file")); }) ==
        ErrorKind::unreadable_input);
  const Fabric fabric = make_fabric(draw(mesh_box({4, 3})));
  CHECK(kind_of([&] { route(fabric, "dimension_order=2-1-0"); }) == ErrorKind::unsuitable_topology);
  CHECK(kind_of([&] { route(make_fabric(Plan{0, {}})); }) == ErrorKind::unsuitable_topology);
  CHECK(route(fabric, "dimension_order=0-1") == route(fabric));
  CHECK_FALSE(route(fabric, "dimension_order=1-0") == route(fabric));
}

// A mesh without rings leaves no other choice, so a plane equals the tables of the engine with the
// same order of dimensions.
TEST_CASE("each LID of a host has its own order of dimensions", "[meshdor]") {
  const Fabric fabric = pssp::make_fabric("mesh 4x3x3 --hosts 2 --lmc 2");
  const ForwardingTables planes = route_mesh_in_planes(fabric, {});
  CHECK(verify(fabric, planes).usable());
  const std::array<const char*, 4> orders{"0-1-2", "2-1-0", "1-2-0", "0-2-1"};
  for (Lid plane = 0; plane < orders.size(); ++plane) {
    const ForwardingTables whole = route(fabric, std::string("dimension_order=") + orders[plane]);
    for (const EndPortId e : fabric.endpoints()) {
      const auto lid = static_cast<Lid>(fabric.end_port(e).lid + plane);
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        REQUIRE(planes.at(SwitchId(s), lid) == whole.at(SwitchId(s), lid));
      }
    }
  }
  const Fabric simple = pssp::make_fabric("torus 4x3 --hosts 2");
  CHECK(route_mesh_in_planes(simple, {}) == route(simple));
}

}  // namespace pssp
