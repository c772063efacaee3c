// Compares the choice of a port with a naive choice that sorts all ports of the group by load and
// then by distance in port numbers from the port of the tables.

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "routing/engines/engine.h"
#include "simulator/adaptive/port_choice.h"
#include "simulator/network/network_builder.h"
#include "simulator/run/simulated_messages.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

constexpr std::uint32_t packet_bytes = 2176;

/// A fabric, its tables and the groups of all minimal ports.
struct AllPaths {
  explicit AllPaths(const char* spec) : fabric(make_fabric(spec)) {}
  Fabric fabric;
  ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  AdaptiveGroups groups = minimal_groups(fabric, tables);
};

/// The parts of a run that a port choice uses, with random loads.
struct LoadedSwitches {
  LoadedSwitches(const Fabric& fabric, const ForwardingTables& tables, RandomGenerator& random)
      : network(build_network(fabric, tables, Model{}, packet_bytes)) {
    for (std::size_t link = 0; link < network.links.size(); ++link) {
      // Few different sizes, so that loads are often equal.
      network.records[link].queue_bytes = packet_bytes * random.below(4);
      network.links[link].busy = random.below(2) == 1;
    }
  }
  Network network;
  SimulatedMessages messages;
};

unsigned chosen_again(const AdaptiveGroups& groups, const Network& network, std::uint32_t node,
                      Lid lid, std::uint64_t allowed) {
  const Fabric& fabric = groups.fabric();
  const auto load = [&](std::uint32_t channel) {
    return network.records[channel].queue_bytes + (network.links[channel].busy ? packet_bytes : 0U);
  };
  const std::uint32_t entry = groups.channel_of_tables(node, lid);
  const unsigned entry_port = fabric.channel_out_port()[entry];
  if (load(entry) <= allowed) return entry_port;
  std::vector<std::tuple<std::uint64_t, unsigned, unsigned>> ports;
  ports.emplace_back(load(entry), 0, entry_port);
  for (const std::uint32_t channel : groups.channels(node, lid)) {
    const unsigned port = fabric.channel_out_port()[channel];
    ports.emplace_back(load(channel), (port + 256 - entry_port) % 256, port);
  }
  return std::get<2>(*std::ranges::min_element(ports));
}

std::uint32_t link_of(const Network& network, std::uint32_t node, const Packet& packet) {
  return network.out_link[network.switches[node].first_port + packet.out];
}

TEST_CASE("the least loaded port of a group is chosen once the port of the tables is busy") {
  RandomGenerator random(7, 0);
  std::size_t others = 0;
  for (const char* const text : {"k-ary-n-tree 4 2 --permute-ports", "hyperx 4x4 --shuffle-guids",
                                 "xgft 4,4 1,2 --parallel 3"}) {
    const AllPaths paths(text);
    const auto& [fabric, tables, groups] = paths;
    for (const std::uint32_t busy : {0U, 1U, 3U, 100U}) {
      LoadedSwitches run(fabric, tables, random);
      const AdaptiveRouting routing{&groups, false, busy};
      const AdaptivePorts ports(&routing, run.network);
      for (const Lid lid : fabric.lids()) {
        if (!fabric.is_endpoint_lid(lid)) continue;
        for (std::uint32_t node = 0; node < fabric.switch_count(); ++node) {
          if (fabric.delivery(lid).at == SwitchId(node)) continue;
          Packet packet{};
          packet.lid = lid;
          packet.out = run.network.route(node, lid);
          const std::uint8_t of_tables = packet.out;
          ports.choose(run, node, packet);
          CHECK(fabric.channel_out_port()[link_of(run.network, node, packet)] ==
                chosen_again(groups, run.network, node, lid, std::uint64_t{busy} * packet_bytes));
          others += packet.out != of_tables ? 1 : 0;
          if (busy == 100) CHECK(packet.out == of_tables);
        }
      }
    }
  }
  CHECK(others > 100);
}

TEST_CASE("all packets of a message take the port of its first packet, but messages may differ") {
  const AllPaths paths("k-ary-n-tree 4 2");
  const auto& [fabric, tables, groups] = paths;
  RandomGenerator random(1, 0);
  LoadedSwitches run(fabric, tables, random);
  for (LinkRecord& record : run.network.records) record.queue_bytes = 10 * packet_bytes;
  const AdaptiveRouting routing{&groups, true, 1};
  const AdaptivePorts ports(&routing, run.network);
  const std::uint32_t node = fabric.end_port(fabric.endpoints().front()).attached.value();
  const Lid lid = fabric.end_port(fabric.endpoints().back()).lid;
  const auto group = groups.channels(node, lid);
  REQUIRE(group.size() == 4);
  // Three packets each.
  const std::uint32_t first = run.messages.begun(0, 1, 3 * packet_bytes, packet_bytes);
  const std::uint32_t second = run.messages.begun(0, 2, 3 * packet_bytes, packet_bytes);
  const auto choose = [&](std::uint32_t sequence, std::uint32_t least) {
    for (const std::uint32_t link : group)
      run.network.records[link].queue_bytes = 10 * packet_bytes;
    run.network.records[least].queue_bytes = 0;
    Packet packet{};
    packet.lid = lid;
    packet.flow = 0;
    packet.sequence = sequence;
    packet.out = run.network.route(node, lid);
    ports.choose(run, node, packet);
    return link_of(run.network, node, packet);
  };
  run.network.links[group[0]].busy = run.network.links[group[3]].busy = false;
  CHECK(choose(first, group[3]) == group[3]);
  CHECK(choose(second, group[0]) == group[0]);
  CHECK(choose(first + 1, group[0]) == group[3]);
  CHECK(choose(second + 2, group[3]) == group[0]);
  CHECK(choose(first + 2, group[0]) == group[3]);
  // A packet that belongs to no message follows the tables.
  Packet notice{};
  notice.lid = lid;
  notice.flow = no_index;
  notice.out = run.network.route(node, lid);
  const std::uint8_t of_tables = notice.out;
  ports.choose(run, node, notice);
  CHECK(notice.out == of_tables);
}

TEST_CASE("the highest possible output rate of a packet is that of the fastest port in its group") {
  const AllPaths paths("xgft 4,4 1,4 --rate 4xQDR");
  const auto& [fabric, tables, groups] = paths;
  RandomGenerator random(1, 0);
  LoadedSwitches run(fabric, tables, random);
  const std::uint32_t node = fabric.end_port(fabric.endpoints().front()).attached.value();
  Packet packet{};
  packet.lid = fabric.end_port(fabric.endpoints().back()).lid;
  packet.out = run.network.route(node, packet.lid);
  const AdaptiveRouting routing{&groups, false, 1};
  CHECK(AdaptivePorts(&routing, run.network).most_megabits(run.network, node, packet) == 32'000);
  const auto group = groups.channels(node, packet.lid);
  const std::uint32_t other = group[0] == link_of(run.network, node, packet) ? group[1] : group[0];
  run.network.links[other].megabits = 100'000;
  CHECK(AdaptivePorts(&routing, run.network).most_megabits(run.network, node, packet) == 100'000);
  CHECK(TablePorts::most_megabits(run.network, node, packet) == 32'000);
}

}  // namespace
}  // namespace pssp
