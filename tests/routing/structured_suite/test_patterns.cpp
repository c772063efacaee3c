#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/patterns.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

using Flows = std::vector<HostFlow>;

/// `count` hosts at a row of switches, `at_a_switch` of them at each. The description of host i is
/// describe(i).
template <class Describe>
Fabric row_of_switches(std::size_t count, std::size_t at_a_switch, Describe describe) {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % at_a_switch == 0) {
      switches.push_back(builder.add_switch(0x100 + switches.size(), 254, "", ""));
      if (switches.size() > 1) {
        builder.connect(switches[switches.size() - 2], 254, switches.back(), 253, LinkRate{});
      }
    }
    const NodeId host =
        builder.add_adapter(0x100000 + 16 * i, 1, EndPortKind::channel_adapter, "", describe(i));
    builder.connect(switches.back(), static_cast<PortNumber>(i % at_a_switch + 1), host, 1,
                    LinkRate{});
  }
  builder.assign_lids();
  return std::move(builder).build();
}

Fabric plain(std::size_t count) {
  return row_of_switches(count, 200, [](std::size_t i) { return "h" + std::to_string(i); });
}

std::vector<TrafficPattern> patterns_of(const Fabric& fabric, bool all_phases = false) {
  return make_patterns(fabric, order_hosts(fabric, HostOrderRule::name).hosts, all_phases);
}

const TrafficPattern* find(const std::vector<TrafficPattern>& patterns, std::string_view name) {
  for (const TrafficPattern& each : patterns) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::vector<Flows> phases(const TrafficPattern& pattern) {
  std::vector<Flows> all;
  pattern.visit(
      [&](std::span<const HostFlow> flows) { all.emplace_back(flows.begin(), flows.end()); });
  return all;
}

std::vector<Flows> phases(const Fabric& fabric, std::string_view name) {
  const auto patterns = patterns_of(fabric);
  const TrafficPattern* pattern = find(patterns, name);
  return pattern == nullptr ? std::vector<Flows>{} : phases(*pattern);
}

}  // namespace

TEST_CASE("patterns have the stated number of phases, and no host sends to itself or twice") {
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 8, 17, 64, 65, 130, 528}) {
    const Fabric fabric = row_of_switches(n, 12, [](std::size_t i) {
      return "n" + std::to_string(i / 2) + " a" + std::to_string(i % 2);
    });
    for (const TrafficPattern& pattern : patterns_of(fabric)) {
      INFO(n << ' ' << pattern.name);
      CHECK(pattern.phases > 0);
      const std::vector<Flows> all = phases(pattern);
      CHECK(all.size() == pattern.phases);
      bool proper = true;
      for (const Flows& flows : all) {
        std::set<std::uint32_t> senders;
        std::set<std::uint32_t> receivers;
        for (const HostFlow& flow : flows) {
          proper &= flow.from != flow.to && flow.from < n && flow.to < n;
          if (pattern.name == "servers_job" || pattern.name == "servers_all") continue;
          proper &= senders.insert(flow.from).second && receivers.insert(flow.to).second;
        }
      }
      CHECK(proper);
    }
  }
}

TEST_CASE("small fabrics have few patterns") {
  CHECK(patterns_of(plain(0)).empty());
  CHECK(patterns_of(plain(1)).empty());
  CHECK(patterns_of(plain(2)).size() == 6);  // shifts, doubling, stencils in a row, to a server
  CHECK(find(patterns_of(plain(3)), "jobs") == nullptr);
  CHECK(find(patterns_of(plain(3)), "transpose") == nullptr);
  CHECK(find(patterns_of(plain(8)), "jobs")->phases == 1);
}

TEST_CASE("in each phase of shifts, all hosts send to the k-th next host") {
  CHECK(phases(plain(3), "shifts") ==
        std::vector<Flows>{{{0, 1}, {1, 2}, {2, 0}}, {{0, 2}, {1, 0}, {2, 1}}});
}

TEST_CASE("recursive doubling leaves out hosts beyond a power of two") {
  CHECK(phases(plain(5), "recursive_doubling") ==
        std::vector<Flows>{{{0, 1}, {1, 0}, {2, 3}, {3, 2}}, {{0, 2}, {1, 3}, {2, 0}, {3, 1}}});
}

TEST_CASE("stencils send to the neighbors on a torus of hosts") {
  // 3 x 2: a = 2, b = 3.
  CHECK(phases(plain(7), "stencil_2d") ==
        std::vector<Flows>{{{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 5}, {5, 4}},
                           {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 5}, {5, 4}},
                           {{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 0}, {5, 1}},
                           {{0, 4}, {1, 5}, {2, 0}, {3, 1}, {4, 2}, {5, 3}}});
  // 64 is 4 x 4 x 4, whatever the rounding error of the cube root; 6 is 6 x 1 x 1.
  const auto cube = phases(plain(64), "stencil_3d");
  REQUIRE(cube.size() == 6);
  CHECK(cube[4].front() == HostFlow{0, 16});
  CHECK(cube[2].front() == HostFlow{0, 4});
  CHECK(cube[3].front() == HostFlow{0, 12});
  CHECK(phases(plain(6), "stencil_3d").size() == 2);
}

TEST_CASE("four jobs shift at the same time, each within its hosts") {
  const auto jobs = phases(plain(13), "jobs");
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0] == Flows{{0, 1},
                         {1, 2},
                         {2, 0},
                         {3, 4},
                         {4, 5},
                         {5, 3},
                         {6, 7},
                         {7, 8},
                         {8, 6},
                         {9, 10},
                         {10, 11},
                         {11, 9}});
}

TEST_CASE("rails shift adapter by adapter if most hosts belong to nodes with several adapters") {
  const auto describe = [](std::size_t i) {
    return i < 6 ? "n" + std::to_string(i / 2) + " a" + std::to_string(i % 2)
                 : "single" + std::to_string(i);
  };
  // In the order of names: n0 a0, n0 a1, n1 a0, ...
  const auto rails = phases(row_of_switches(8, 8, describe), "rails");
  REQUIRE(rails.size() == 2);
  CHECK(rails[0] == Flows{{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 0}, {5, 1}});
  // Six of twelve hosts are not most.
  CHECK(phases(row_of_switches(12, 12, describe), "rails").empty());
  CHECK(phases(plain(12), "rails").empty());
}

TEST_CASE("bit_reversal reverses the bits of host numbers, and transpose swaps rows and columns") {
  CHECK(phases(plain(9), "bit_reversal") == std::vector<Flows>{{{1, 4}, {3, 6}, {4, 1}, {6, 3}}});
  CHECK(phases(plain(10), "transpose") ==
        std::vector<Flows>{{{1, 3}, {2, 6}, {3, 1}, {5, 7}, {6, 2}, {7, 5}}});
}

TEST_CASE("leaf_pairs exchanges traffic between two leaves host by host, in both directions") {
  // Leaves of 3, 3 and 1 hosts.
  const Fabric fabric =
      row_of_switches(7, 3, [](std::size_t i) { return "h" + std::to_string(i); });
  CHECK(phases(fabric, "leaf_pairs") ==
        std::vector<Flows>{
            {{0, 3}, {1, 4}, {2, 5}, {3, 0}, {4, 1}, {5, 2}}, {{3, 6}, {6, 3}}, {{0, 6}, {6, 0}}});
}

TEST_CASE("nodes send to servers at the same switches") {
  // n0 n1 io2 | n3 n4 io5; in the order of names io2, io5, n0, n1, n3, n4.
  const Fabric fabric = row_of_switches(
      6, 3, [](std::size_t i) { return (i % 3 == 2 ? "io" : "n") + std::to_string(i); });
  CHECK(phases(fabric, "servers_one") == std::vector<Flows>{{{2, 0}, {3, 1}}, {{4, 0}, {5, 1}}});
  CHECK(phases(fabric, "servers_all") ==
        std::vector<Flows>{{{2, 0}, {3, 1}, {4, 0}, {5, 1}}, {{2, 1}, {3, 0}, {4, 1}, {5, 0}}});
  CHECK(phases(fabric, "servers_job").empty());

  // Seven leaves with twenty nodes and a server each: two jobs of 64 nodes; 12 nodes remain.
  const auto jobs = phases(
      row_of_switches(
          147, 21, [](std::size_t i) { return (i % 21 == 20 ? "io" : "n") + std::to_string(i); }),
      "servers_job");
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].size() == 64 * 7);
  CHECK(jobs[0][0] == HostFlow{7, 0});
  CHECK(jobs[0][1] == HostFlow{7, 1});
  CHECK(jobs[0][7] == HostFlow{8, 0});
  CHECK(jobs[1][0] == HostFlow{7 + 64, 0});
}

TEST_CASE("without node types, the last host of each switch is a server") {
  // h0 h1 h2 | h3 h4 h5 | h6: a host alone at its switch is not a server.
  CHECK(phases(plain(3), "servers_one") == std::vector<Flows>{{{0, 2}}, {{1, 2}}});
  const Fabric three = row_of_switches(7, 3, [](std::size_t i) { return "h" + std::to_string(i); });
  CHECK(phases(three, "servers_one") ==
        std::vector<Flows>{{{0, 2}, {1, 5}}, {{3, 2}, {4, 5}}, {{6, 2}}});
}

TEST_CASE("leaf_pairs selects 4096 different pairs of many leaves") {
  const Fabric fabric =
      row_of_switches(200, 1, [](std::size_t i) { return "h" + std::to_string(i); });
  const auto pairs = phases(fabric, "leaf_pairs");
  CHECK(pairs.size() == 4096);
  std::set<std::pair<std::uint32_t, std::uint32_t>> different;
  std::set<std::uint32_t> leaves;
  for (const Flows& flows : pairs) {
    different.emplace(flows[0].from, flows[0].to);
    leaves.insert(flows[0].from);
    leaves.insert(flows[0].to);
  }
  CHECK(different.size() == 4096);
  CHECK(leaves.size() == 200);
}

TEST_CASE("jobs of neighboring nodes shift separately") {
  const Fabric fabric = row_of_switches(70, 10, [](std::size_t i) {
    return "n" + std::to_string(i / 2) + " a" + std::to_string(i % 2);
  });
  const auto jobs = phases(fabric, "node_jobs_16");  // 35 nodes: two jobs
  REQUIRE(jobs.size() == 30);
  CHECK(jobs[0].size() == 32);
  CHECK(jobs[0].front() == HostFlow{0, 2});
  CHECK(jobs[0].back() == HostFlow{31, 1});
  CHECK(jobs[16].front() == HostFlow{32, 36});
  CHECK(phases(fabric, "node_jobs_64").empty());
}

TEST_CASE("node_jobs and leaf_pairs equal lists derived from the host names alone") {
  // Nodes with one to three adapters. Element i is the node and the adapter number of host i.
  std::vector<std::pair<int, int>> adapters;
  for (int node = 0; node < 70; ++node) {
    for (int r = 0; r < 1 + node % 3; ++r) adapters.emplace_back(node, r);
  }
  const std::size_t at_a_switch = 9;
  const Fabric fabric = row_of_switches(adapters.size(), at_a_switch, [&](std::size_t i) {
    return "n" + std::to_string(adapters[i].first) + " a" + std::to_string(adapters[i].second);
  });
  using Phase = std::set<std::pair<std::size_t, std::size_t>>;
  const auto found = [&](std::string_view name) {
    std::vector<Phase> all;
    for (const Flows& flows : phases(fabric, name)) {
      Phase& phase = all.emplace_back();
      for (const HostFlow& flow : flows) phase.emplace(flow.from, flow.to);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const int size : {16, 64}) {
    std::vector<Phase> expected;
    for (int job = 0; job < 70 / size; ++job) {
      for (int k = 1; k < size; ++k) {
        Phase& phase = expected.emplace_back();
        for (std::size_t a = 0; a < adapters.size(); ++a) {
          for (std::size_t b = 0; b < adapters.size(); ++b) {
            const int i = adapters[a].first - job * size;
            const int j = adapters[b].first - job * size;
            if (i < 0 || i >= size || j < 0 || j >= size) continue;
            if ((i + k) % size == j && adapters[a].second == adapters[b].second) {
              phase.emplace(a, b);
            }
          }
        }
      }
    }
    std::sort(expected.begin(), expected.end());
    CHECK(found("node_jobs_" + std::to_string(size)) == expected);
  }
  std::vector<Phase> expected;
  for (std::size_t a = 0; a < adapters.size(); a += at_a_switch) {
    for (std::size_t b = a + at_a_switch; b < adapters.size(); b += at_a_switch) {
      Phase& phase = expected.emplace_back();
      for (std::size_t i = 0; i < at_a_switch && b + i < adapters.size(); ++i) {
        phase.emplace(a + i, b + i);
        phase.emplace(b + i, a + i);
      }
    }
  }
  std::sort(expected.begin(), expected.end());
  CHECK(found("leaf_pairs") == expected);
}

TEST_CASE("large fabrics are sampled unless all phases are requested") {
  const Fabric fabric = plain(2049);
  const auto sampled = patterns_of(fabric);
  CHECK(find(sampled, "shifts")->phases == 293);
  CHECK(find(sampled, "shifts")->sampled);
  CHECK(find(sampled, "jobs")->sampled);
  CHECK_FALSE(find(sampled, "stencil_2d")->sampled);
  CHECK_FALSE(find(sampled, "leaf_pairs")->sampled);
  const auto all = patterns_of(fabric, true);
  CHECK(find(all, "shifts")->phases == 2048);
  CHECK_FALSE(find(all, "shifts")->sampled);
  CHECK(find(patterns_of(plain(2048)), "shifts")->phases == 2047);
}

TEST_CASE("larger fabrics are sampled in fewer phases, at prime distances") {
  const PhaseSampling as_reported, to_compare{.above_hosts = 256, .most_flows = 4'000'000};
  CHECK(as_reported.step(3000) == 7);
  CHECK(as_reported.step(49'151) == 7);
  CHECK(to_compare.step(300) == 7);
  CHECK(to_compare.step(5656) == 7);
  CHECK(to_compare.step(5657) == 11);
  CHECK(to_compare.step(46'656) == 547);
}
