// Oracles for entire networks: cuts, permutations, max-min shares, deadlocks and symmetry.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>

#include "base/random.h"
#include "congestion/profiles.h"
#include "routing/bounds/cuts.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/verify/verify.h"
#include "tests/simulator/oracles/simulated.h"

namespace pssp {
namespace {

using namespace test;

UniformTraffic uniform_of(std::size_t hosts) {
  UniformTraffic uniform;
  uniform.senders.resize(hosts);
  std::iota(uniform.senders.begin(), uniform.senders.end(), 0U);
  uniform.destinations = uniform.senders;
  return uniform;
}

/// Links of a flow, by their indices in Outcome::ports.
std::vector<std::uint32_t> links_of(const RoutedNetwork& routed, Flow flow) {
  const Fabric& fabric = routed.fabric;
  const auto channels = static_cast<std::uint32_t>(fabric.channel_count());
  const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
  const Lid lid = fabric.end_port(fabric.endpoints()[flow.destination]).lid;
  std::vector<std::uint32_t> links{channels + hosts + flow.source};
  SwitchId at = fabric.end_port(fabric.endpoints()[flow.source]).attached;
  while (at != fabric.delivery(lid).at) {
    const std::uint32_t channel = fabric.behind(at, routed.tables.at(at, lid)).index;
    links.push_back(channel);
    at = SwitchId(fabric.channel_head()[channel]);
  }
  links.push_back(channels + flow.destination);
  return links;
}

/// Max-min fair shares on links of capacity 1. Each round fills the link with the smallest share
/// and fixes the shares of its flows.
std::vector<double> water_filling(const std::vector<std::vector<std::uint32_t>>& paths,
                                  std::size_t links) {
  std::vector<double> share(paths.size(), -1);
  std::vector<double> left(links, 1);
  for (;;) {
    std::vector<std::size_t> open(links, 0);
    for (std::size_t f = 0; f < paths.size(); ++f) {
      for (const std::uint32_t link : paths[f]) open[link] += share[f] < 0 ? 1 : 0;
    }
    std::size_t tightest = links;
    for (std::size_t l = 0; l < links; ++l) {
      if (open[l] == 0) continue;
      if (tightest == links || left[l] * static_cast<double>(open[tightest]) <
                                   left[tightest] * static_cast<double>(open[l])) {
        tightest = l;
      }
    }
    if (tightest == links) return share;
    const double each = left[tightest] / static_cast<double>(open[tightest]);
    for (std::size_t f = 0; f < paths.size(); ++f) {
      if (share[f] >= 0 || std::ranges::count(paths[f], tightest) == 0) continue;
      share[f] = each;
      for (const std::uint32_t link : paths[f]) left[link] -= each;
    }
  }
}

/// A ring of four switches with one host each. All routes go clockwise.
RoutedNetwork clockwise_ring() {
  RoutedNetwork ring = routed("torus 4 --hosts 1", "pssp");
  const Fabric& fabric = ring.fabric;
  const auto next_of = [&](std::uint32_t s, std::uint32_t not_to) {
    const std::uint32_t first = fabric.first_channel()[s];
    return fabric.channel_head()[first] == not_to ? first + 1 : first;
  };
  std::uint32_t at = 0;
  std::uint32_t before = fabric.channel_head()[fabric.first_channel()[0] + 1];
  for (int step = 0; step < 4; ++step) {
    const std::uint32_t channel = next_of(at, before);
    for (const EndPortId host : fabric.endpoints()) {
      const EndPort& port = fabric.end_port(host);
      if (port.attached == SwitchId(at)) continue;
      ring.tables.set(SwitchId(at), port.lid, fabric.channel_out_port()[channel]);
    }
    before = at;
    at = fabric.channel_head()[channel];
  }
  return ring;
}

void require_cycle(const RoutedNetwork& routed, const Outcome& outcome) {
  REQUIRE(outcome.end == RunEnd::deadlock);
  const Fabric& fabric = routed.fabric;
  REQUIRE(outcome.deadlock.size() >= 3);
  for (std::size_t i = 0; i < outcome.deadlock.size(); ++i) {
    const std::uint32_t link = outcome.deadlock[i];
    const std::uint32_t next = outcome.deadlock[(i + 1) % outcome.deadlock.size()];
    REQUIRE(link < fabric.channel_count());
    CHECK(fabric.channel_head()[link] == fabric.channel_tail()[next]);
  }
}

/// Checks that two means over ten seeds differ by at most two standard deviations of their
/// difference.
template <class Total>
void check_same_in_the_mean(Total total) {
  double sum[2] = {};
  double squares[2] = {};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const int side : {0, 1}) {
      const double found = total(side == 1, seed);
      sum[side] += found;
      squares[side] += found * found;
    }
  }
  double variance = 0;
  for (const int side : {0, 1}) variance += (squares[side] - sum[side] * sum[side] / 10) / 9 / 10;
  CAPTURE(sum[0] / 10, sum[1] / 10, std::sqrt(variance));
  CHECK(std::abs(sum[0] - sum[1]) / 10 <= 2 * std::sqrt(variance));
}

}  // namespace

TEST_CASE("oracle 7: no cut carries more than the capacity of its links") {
  for (const char* topology : {"random-regular 8 --degree 3 --hosts 3 --seed 3",
                               "mesh 3x3 --hosts 2", "k-ary-n-tree 3 2"}) {
    const RoutedNetwork each = routed(topology, "pssp");
    const Fabric& fabric = each.fabric;
    Traffic traffic = traffic_of(milliseconds(2));
    traffic.uniform = {uniform_of(fabric.endpoints().size())};
    Model model = equal_links();
    model.lanes = 1;
    const Outcome outcome = simulate_run(each, traffic, model);
    const std::uint64_t most = 2'000'000 + traffic.packet_bytes;
    for (const PortOutcome& port : outcome.ports) CHECK(port.sent_bytes <= most);
    const Cut cut = find_tight_cut(fabric, 100'000);
    std::vector<bool> inside(fabric.switch_count());
    for (const SwitchId s : cut.inside) inside[s.value()] = true;
    std::uint64_t capacity = 0;
    std::uint64_t arrived = 0;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      if (!inside[fabric.channel_tail()[c]] || inside[fabric.channel_head()[c]]) continue;
      capacity += most;
      arrived += outcome.ports[c].sent_bytes;
    }
    CHECK(arrived <= capacity);
  }
}

TEST_CASE("oracle 8: flows that share no link get the full rate of their links") {
  const RoutedNetwork tree = routed("k-ary-n-tree 4 3", "pssp");
  const auto hosts = static_cast<std::uint32_t>(tree.fabric.endpoints().size());
  MersenneRandom random(8);
  const std::vector<std::uint32_t> to = random_permutation(hosts, random);
  std::vector<bool> used(tree.fabric.channel_count() + 2 * hosts);
  Traffic traffic = traffic_of(milliseconds(3), milliseconds(1));
  for (std::uint32_t rank = 0; rank < hosts; ++rank) {
    if (to[rank] == rank) continue;
    const auto links = links_of(tree, {rank, to[rank]});
    if (std::ranges::any_of(links, [&](std::uint32_t link) { return used[link]; })) continue;
    for (const std::uint32_t link : links) used[link] = true;
    traffic.flows.push_back(flow_of(rank, to[rank]));
  }
  REQUIRE(traffic.flows.size() > hosts / 4);
  for (const double share : shares(simulate_run(tree, traffic, equal_links()), traffic)) {
    CHECK(share == Approx(1).epsilon(.005));
  }
}

TEST_CASE("oracle 8: with deep buffers, a bisection gets the throughput of max-min shares") {
  const RoutedNetwork tree = routed("k-ary-n-tree 4 2", "pssp");
  const auto hosts = static_cast<std::uint32_t>(tree.fabric.endpoints().size());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    MersenneRandom random(seed);
    const std::vector<std::uint32_t> order = random_permutation(hosts, random);
    Traffic traffic = traffic_of(milliseconds(6), milliseconds(2));
    std::vector<std::vector<std::uint32_t>> paths;
    for (std::uint32_t i = 0; i < hosts / 2; ++i) {
      traffic.flows.push_back(flow_of(order[i], order[i + hosts / 2]));
      paths.push_back(links_of(tree, traffic.flows.back().hosts));
    }
    const auto fair = water_filling(paths, tree.fabric.channel_count() + 2 * hosts);
    Model model = equal_links();
    model.buffer_credits = 200'000;
    model.speedup = model.host_speedup = 0;
    const auto found = shares(simulate_run(tree, traffic, model), traffic);
    const double mean = std::accumulate(found.begin(), found.end(), 0.);
    const double expected = std::accumulate(fair.begin(), fair.end(), 0.);
    CAPTURE(seed, mean / expected);
    CHECK(mean <= 1.01 * expected);
    CHECK(mean >= .97 * expected);
    // The largest number of flows on any link bounds all shares from below.
    std::vector<unsigned> load(tree.fabric.channel_count() + 2 * hosts);
    for (const auto& path : paths) {
      for (const std::uint32_t link : path) ++load[link];
    }
    CHECK(*std::ranges::min_element(fair) >= 1. / *std::ranges::max_element(load) - 1e-9);
  }
}

TEST_CASE("oracle 11: a ring with clockwise routes deadlocks, and the cycle is reported") {
  const RoutedNetwork ring = clockwise_ring();
  for (const std::uint32_t credits : {68U, 102U, 340U}) {
    Model model = equal_links();
    model.buffer_credits = credits;
    Traffic traffic = traffic_of(milliseconds(100));
    traffic.uniform = {uniform_of(4)};
    const Outcome outcome = simulate_run(ring, traffic, model);
    require_cycle(ring, outcome);
    std::vector<std::uint32_t> cycle = outcome.deadlock;
    std::ranges::sort(cycle);
    std::vector<std::uint32_t> loop;
    for (const ChannelId c : verify(ring.fabric, ring.tables).credit_loop) {
      loop.push_back(c.value());
    }
    std::ranges::sort(loop);
    CHECK(cycle == loop);
  }
}

TEST_CASE("oracle 11: a torus deadlocks on one lane but not on the lanes that it needs") {
  const RoutedNetwork torus = routed("torus 4x4 --hosts 2", "pssp");
  REQUIRE(verify(torus.fabric, torus.tables).has_credit_loop());
  const LaneAssignment lanes = assign_lanes(torus.fabric, torus.tables);
  Traffic traffic = traffic_of(milliseconds(20));
  traffic.uniform = {uniform_of(32)};
  traffic.uniform[0].message_packets = 4;
  for (const std::uint32_t credits : {68U, 102U}) {
    Model model = equal_links();
    model.buffer_credits = credits;
    require_cycle(torus, simulate_run(torus, traffic, model));
    model.lanes = lanes.lanes;
    // With PSSP_LONG_TESTS set, the test simulates about a hundred million packets in some minutes.
    const bool long_run = std::getenv("PSSP_LONG_TESTS") != nullptr;
    Traffic safe_traffic = traffic;
    safe_traffic.duration = long_run ? milliseconds(10'000) : milliseconds(4);
    safe_traffic.sample = safe_traffic.duration / 10;
    const Outcome safe =
        simulate_run(torus, safe_traffic, model, nullptr, 1, &lanes.service_levels);
    CHECK(safe.end == RunEnd::duration);
    CHECK(safe.deadlock.empty());
    CHECK(safe.delivered > (long_run ? 50'000'000U : 4'000U));
  }
}

TEST_CASE("oracle 18: a mirrored mesh with mirrored traffic has the same mean throughput") {
  const RoutedNetwork mesh = thesis_mesh(3);
  check_same_in_the_mean([&](bool mirrored, std::uint64_t seed) {
    // H112 is host 2 at row 1, column 1. The mirror image swaps columns 1 and 3.
    const auto name = [&](std::string text) {
      if (mirrored) text[2] = static_cast<char>('1' + '3' - text[2]);
      return text;
    };
    Traffic traffic = traffic_of(milliseconds(5), milliseconds(1));
    for (const char* from : {"H111", "H212", "H311"}) {
      traffic.flows.push_back(mesh.flow(name(from), name("H231")));
    }
    UniformTraffic others;
    for (const char* from : {"H112", "H121", "H122", "H222", "H312", "H322"}) {
      others.senders.push_back(mesh.rank(name(from)));
    }
    std::ranges::sort(others.senders);
    others.destinations = uniform_of(18).destinations;
    traffic.uniform = {others};
    return static_cast<double>(
        simulate_run(mesh, traffic, thesis_model(), nullptr, seed).delivered_bytes);
  });
}

TEST_CASE("oracle 18: in a symmetric fabric the throughput does not depend on which hosts send") {
  constexpr std::uint32_t switches = 4;
  constexpr std::uint32_t hosts = 3;
  const RoutedNetwork mesh = routed("full-mesh 4 --hosts 3", "pssp");
  // Ranks by switch. Each switch has a cable to each other switch, so all orders are equivalent.
  std::vector<std::vector<std::uint32_t>> at(switches);
  for (std::uint32_t rank = 0; rank < switches * hosts; ++rank) {
    at[mesh.fabric.end_port(mesh.fabric.endpoints()[rank]).attached.value()].push_back(rank);
  }
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  for (const CongestionParameters* congestion :
       {static_cast<const CongestionParameters*>(nullptr), &set}) {
    check_same_in_the_mean([&](bool relabelled, std::uint64_t seed) {
      const auto rank = [&](std::uint32_t place, std::uint32_t host) {
        return relabelled ? at[(3 * place + 1) % switches][(host + place) % hosts]
                          : at[place][host];
      };
      Traffic traffic = traffic_of(milliseconds(5), milliseconds(1));
      for (std::uint32_t place = 1; place < switches; ++place) {
        traffic.flows.push_back(flow_of(rank(place, 0), rank(0, 0)));
      }
      UniformTraffic others;
      for (std::uint32_t place = 0; place < switches; ++place) {
        others.senders.push_back(rank(place, 1));
        if (place % 2 == 0) others.senders.push_back(rank(place, 2));
      }
      std::ranges::sort(others.senders);
      others.destinations = uniform_of(std::size_t{switches} * hosts).destinations;
      traffic.uniform = {others};
      return static_cast<double>(
          simulate_run(mesh, traffic, thesis_model(), congestion, seed).delivered_bytes);
    });
  }
}

}  // namespace pssp
