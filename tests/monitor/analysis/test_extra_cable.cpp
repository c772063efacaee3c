// The effect of an extra cable, calculated by hand on a line of switches. On other fabrics, the
// tests build the fabric with the cable and change the tables as the advice says.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "base/random.h"
#include "fabric/builder.h"
#include "monitor/analysis/extra_cable.h"
#include "monitor/analysis/flow_routes.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr LinkRate cable_rate{4, 2500};
constexpr unsigned cable_test_ports = 8;

/// Three switches a - b - c: hosts 0 and 1 at a, host 2 at b, hosts 3 and 4 at c. GUIDs ascend, so
/// ranks equal these numbers.
Fabric line_of_switches() {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (Guid guid = 0x200; guid < 0x203; ++guid) {
    switches.push_back(builder.add_switch(guid, cable_test_ports, "", ""));
  }
  builder.connect(switches[0], 1, switches[1], 1, cable_rate);
  builder.connect(switches[1], 2, switches[2], 1, cable_rate);
  const std::size_t at[] = {0, 0, 1, 2, 2};
  for (unsigned host = 0; host < 5; ++host) {
    const NodeId node =
        builder.add_adapter(0x100 + 2 * host, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(node, 1, switches[at[host]], static_cast<PortNumber>(3 + host), cable_rate);
  }
  builder.assign_lids();
  return std::move(builder).build();
}

ForwardingTables tables_by(const Fabric& fabric, std::string_view engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

ChannelId channel_between(const Fabric& fabric, std::uint32_t tail, std::uint32_t head) {
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (fabric.channel_tail()[c] == tail && fabric.channel_head()[c] == head) return ChannelId(c);
  }
  FAIL("no such channel");
  return {};
}

/// The fabric with an additional cable between new last ports of the two switches.
Fabric with_cable(const Fabric& fabric, SwitchId a, SwitchId b, LinkRate rate) {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (const Switch& each : fabric.switches()) {
    switches.push_back(builder.add_switch(each.guid, each.ports + 1U, each.name, ""));
    builder.set_lid(switches.back(), management_port, each.lid, each.lmc);
  }
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    builder.connect(switches[fabric.channel_tail()[c]], fabric.channel_out_port()[c],
                    switches[fabric.channel_head()[c]], fabric.channel_in_port()[c],
                    fabric.channel_rate()[c]);
  }
  for (const EndPort& each : fabric.end_ports()) {
    const NodeId node = builder.add_adapter(each.node_guid, each.port, each.kind, "", "");
    builder.set_lid(node, each.port, each.lid, each.lmc);
    builder.connect(node, each.port, switches[each.attached.value()], each.switch_port, rate);
  }
  const auto last = [&](SwitchId s) {
    return static_cast<PortNumber>(fabric.switch_at(s).ports + 1U);
  };
  builder.connect(switches[a.value()], last(a), switches[b.value()], last(b), rate);
  return std::move(builder).build();
}

struct Carried {
  CarryTimes times;
  double mean = 0;  // of the requested flows, weighted by bytes
};

Carried carried(const Fabric& fabric, const ForwardingTables& tables, const TrafficMatrix& matrix,
                const std::vector<std::size_t>& asked) {
  const FlowRoutes routes(fabric, tables, matrix.flows);
  REQUIRE(routes.lost() == 0);
  std::vector<double> bytes;
  for (const WeightedFlow& flow : matrix.flows) bytes.push_back(flow.bytes);
  Carried all{carry_times(fabric, matrix.flows, routes, bytes)};
  double sum = 0;
  for (const std::size_t i : asked) {
    const WeightedFlow& flow = matrix.flows[i];
    double longest = std::max(all.times.sent[flow.source], all.times.received[flow.destination]);
    for (const std::uint32_t hop : routes.path(i)) {
      longest = std::max(longest, all.times.channels[hop]);
    }
    all.mean += longest * flow.bytes;
    sum += flow.bytes;
  }
  all.mean /= sum;
  return all;
}

std::vector<std::size_t> flows_on(const Fabric& fabric, const ForwardingTables& tables,
                                  const TrafficMatrix& matrix, ChannelId channel) {
  const FlowRoutes routes(fabric, tables, matrix.flows);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < matrix.flows.size(); ++i) {
    if (std::ranges::count(routes.path(i), channel.value()) != 0) found.push_back(i);
  }
  return found;
}

/// Adds the cable and compares the result with the predicted figures.
void check_by_laying(const Fabric& fabric, const ForwardingTables& tables,
                     const TrafficMatrix& matrix, ChannelId channel, const ExtraCable& cable) {
  const LinkRate rate = fabric.channel_rate()[channel.value()];
  const Fabric more = with_cable(fabric, cable.from, cable.to, rate);
  ForwardingTables changed = tables;
  const auto port = static_cast<PortNumber>(fabric.switch_at(cable.from).ports + 1U);
  for (const std::uint32_t rank : cable.destinations) {
    changed.set(cable.from, fabric.end_port(fabric.endpoints()[rank]).lid, port);
  }
  const std::vector<std::size_t> asked = flows_on(fabric, tables, matrix, channel);
  const Carried before = carried(fabric, tables, matrix, asked);
  const Carried after = carried(more, changed, matrix, asked);
  const auto same = more.behind(SwitchId(fabric.channel_tail()[channel.value()]),
                                fabric.channel_out_port()[channel.value()]);
  CHECK(after.times.channels[same.index] / before.times.channels[channel.value()] ==
        Approx(cable.busy).margin(1e-9));
  CHECK(after.times.channels[more.behind(cable.from, port).index] == Approx(cable.seconds));
  CHECK(1 - after.mean / before.mean == Approx(cable.gain).margin(1e-9));
}

}  // namespace

TEST_CASE("the best extra cables for a channel of a line match a calculation by hand",
          "[monitor]") {
  const Fabric fabric = line_of_switches();
  const ForwardingTables tables = tables_by(fabric, "pssp");
  // 200 bytes use a -> b, and 160 of these continue to c. Host 0 sends 140 bytes.
  const TrafficMatrix matrix{{{0, 3, 100}, {1, 4, 60}, {0, 2, 40}}};
  const ChannelId channel = channel_between(fabric, 0, 1);
  const CableAdvice advice = helpful_cables(fabric, tables, matrix, channel);
  CHECK(advice.without_ports == 0);
  REQUIRE(advice.cables.size() == 2);
  // With a cable from a to c, 100 bytes use it, 100 use the channel, and only 60 use b -> c. Then
  // host 0 is the busiest link of its own flows (140), and the channel that of the other flow
  // (100):
  // (100 * 140 + 60 * 100 + 40 * 140) / 200 = 128, compared with 200 before.
  const ExtraCable& direct = advice.cables[0];
  CHECK(direct.from == SwitchId(0));
  CHECK(direct.to == SwitchId(2));
  CHECK(direct.destinations == std::vector<std::uint32_t>{3});
  CHECK(direct.flows == 1);
  CHECK(direct.bytes == 100);
  CHECK(direct.busy == Approx(.5));
  CHECK(direct.gain == Approx(1 - 128. / 200));
  // With a cable parallel to the channel, each carries 100 bytes, but b -> c still carries 160:
  // (100 * 160 + 60 * 160 + 40 * 140) / 200 = 156.
  const ExtraCable& parallel = advice.cables[1];
  CHECK(parallel.to == SwitchId(1));
  CHECK(parallel.destinations == std::vector<std::uint32_t>{2, 4});
  CHECK(parallel.busy == Approx(.5));
  CHECK(parallel.gain == Approx(1 - 156. / 200));
  for (const ExtraCable& each : advice.cables) {
    check_by_laying(fabric, tables, matrix, channel, each);
  }

  CableOptions options;
  options.free_ports = {1, 1, 0};
  const CableAdvice possible = helpful_cables(fabric, tables, matrix, channel, options);
  CHECK(possible.without_ports == 1);
  REQUIRE(possible.cables.size() == 1);
  CHECK(possible.cables[0].to == SwitchId(1));
}

TEST_CASE("an extra cable helps neither flows limited by their hosts nor an unused channel",
          "[monitor]") {
  const Fabric fabric = line_of_switches();
  const ForwardingTables tables = tables_by(fabric, "pssp");
  // One host sends all bytes on the channel.
  const TrafficMatrix matrix{{{0, 3, 100}, {0, 4, 60}}};
  CHECK(helpful_cables(fabric, tables, matrix, channel_between(fabric, 0, 1)).cables.empty());
  CHECK(helpful_cables(fabric, tables, matrix, channel_between(fabric, 2, 1)).cables.empty());
}

TEST_CASE("an extra cable has the predicted effect when it is added", "[monitor]") {
  std::size_t looked_at = 0;
  const std::vector<std::string> topologies{"xgft 4,4 1,2 --rate 4xEDR",
                                            "mesh 4x4 --hosts 2 --rate 4xEDR",
                                            "random-regular 10 --degree 4 --hosts 2 --rate 4xEDR"};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string& name = topologies[seed % topologies.size()];
    const Fabric fabric = make_fabric(name);
    const ForwardingTables tables = tables_by(fabric, "pssp");
    RandomGenerator random = random_stream(seed, 0x6361, 0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> flows;
    const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
    for (int i = 0; i < 150; ++i) {
      const std::uint32_t from = random.below(hosts), to = random.below(hosts);
      if (from != to) flows[{from, to}] += 1 + random.below(1000);
    }
    TrafficMatrix matrix;
    for (const auto& [ends, bytes] : flows)
      matrix.flows.push_back({ends.first, ends.second, bytes});
    CAPTURE(name, seed);
    for (std::uint32_t c = 0; c < fabric.channel_count(); c += 3) {
      const CableAdvice advice = helpful_cables(fabric, tables, matrix, ChannelId(c));
      for (const ExtraCable& each : advice.cables) {
        check_by_laying(fabric, tables, matrix, ChannelId(c), each);
        ++looked_at;
      }
    }
  }
  CHECK(looked_at > 50);
}
