#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "osm_plugin/port_lanes.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// The codes of PortInfo for 1, 2, 4, 8 and 15 lanes.
enum VlCode : std::uint8_t { one = 1, two, four, eight, fifteen };

osm_physp_t make_port(unsigned vl_cap, unsigned operational) {
  osm_physp_t port{};
  port.port_guid = 1;
  port.port_info.vl_cap = static_cast<std::uint8_t>(vl_cap << 4);
  port.port_info.vl_enforce = static_cast<std::uint8_t>(operational << 4);
  port.port_info.capability_mask = IB_PORT_CAP_HAS_SL_MAP;
  return port;
}

std::unique_ptr<osm_subn_t> make_subnet(unsigned max_op_vls) {
  auto subnet = std::make_unique<osm_subn_t>();
  subnet->opt.max_op_vls = static_cast<std::uint8_t>(max_op_vls);
  subnet->opt.qos = TRUE;
  return subnet;
}

/// OpenSM's objects for the switches of a fabric. All ports have the same lanes and are cabled as
/// in the fabric.
class OpensmSwitches {
 public:
  OpensmSwitches(Fabric fabric, unsigned vl_cap, unsigned operational)
      : subnet{std::move(fabric), {}, {}, {}, {}} {
    for (const Switch& each : subnet.fabric.switches()) {
      // The port table of a node continues beyond the end of the structure.
      const std::size_t size = sizeof(osm_node_t) + each.ports * sizeof(osm_physp_t);
      memory_.emplace_back(size / sizeof(std::max_align_t) + 1);
      nodes_.push_back(new (memory_.back().data()) osm_node_t{});
      nodes_.back()->physp_tbl_size = each.ports + 1U;
      for (unsigned p = 0; p <= each.ports; ++p) {
        new (&port(nodes_.size() - 1, p)) osm_physp_t(make_port(vl_cap, operational));
      }
    }
    switches_.resize(nodes_.size());
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      switches_[s].p_node = nodes_[s];
      subnet.switches.push_back(&switches_[s]);
    }
    const Fabric& cabled = subnet.fabric;
    for (std::uint32_t c = 0; c < cabled.channel_count(); ++c) {
      port(cabled.channel_tail()[c], cabled.channel_out_port()[c]).p_remote_physp =
          &port(cabled.channel_head()[c], cabled.channel_in_port()[c]);
    }
  }

  osm_physp_t& port(std::size_t s, unsigned number) { return (&nodes_[s]->physp_table[0])[number]; }
  /// The output port of channel `c`.
  osm_physp_t& port_of_channel(std::uint32_t c) {
    return port(subnet.fabric.channel_tail()[c], subnet.fabric.channel_out_port()[c]);
  }

  Subnet subnet;

 private:
  std::vector<std::vector<std::max_align_t>> memory_;
  std::vector<osm_node_t*> nodes_;
  std::vector<osm_switch_t> switches_;
};

std::vector<unsigned> lanes_by_level(const ib_slvl_table_t& table) {
  std::vector<unsigned> lanes;
  for (unsigned level = 0; level < 16; ++level) {
    lanes.push_back(ib_slvl_table_get(&table, static_cast<std::uint8_t>(level)));
  }
  return lanes;
}

/// The arbitration table that OpenSM builds from its default text, before it calls the plugin.
ib_vl_arb_table_t opensm_default(unsigned first, unsigned others) {
  ib_vl_arb_table_t block{};
  for (unsigned lane = 0; lane < 15; ++lane) {
    block.vl_entry[lane].vl = static_cast<std::uint8_t>(lane);
    block.vl_entry[lane].weight = static_cast<std::uint8_t>(lane == 0 ? first : others);
  }
  return block;
}

}  // namespace

TEST_CASE("the lane count is that of the link between switches with the fewest lanes") {
  const auto opensm = make_subnet(fifteen);
  OpensmSwitches switches(make_fabric("mesh 3x3"), eight, eight);
  LaneSupply supply = count_lanes(*opensm, switches.subnet);
  CHECK(supply.qos);
  CHECK(supply.lanes == 8);
  CHECK(supply.lanes_after_sweep == 8);
  CHECK_THAT(supply.limit, Contains("VLCap") && Contains("8 lanes"));

  // One end supports fewer lanes, so both directions of the link have fewer.
  switches.port_of_channel(7).port_info.vl_cap = four << 4;
  supply = count_lanes(*opensm, switches.subnet);
  CHECK(supply.lanes == 4);
  CHECK(supply.lanes_after_sweep == 4);
  CHECK_THAT(supply.limit, Contains("VLCap") && Contains("4 lanes"));

  // Ports to adapters and port 0 do not limit the lanes.
  for (std::uint32_t s = 0; s < switches.subnet.fabric.switch_count(); ++s) {
    switches.port(s, 0).port_info.vl_cap = one << 4;
    for (const EndPortId e : switches.subnet.fabric.end_ports_of(SwitchId(s))) {
      switches.port(s, switches.subnet.fabric.end_port(e).switch_port).port_info.vl_cap = one << 4;
    }
  }
  CHECK(count_lanes(*opensm, switches.subnet).lanes == 4);
}

TEST_CASE("the lane count is limited by max_op_vls, QoS and the operational lanes") {
  OpensmSwitches switches(make_fabric("mesh 3x3"), fifteen, fifteen);
  const std::array<unsigned, 6> lanes_of = {1, 1, 2, 4, 8, 15};
  for (unsigned code = 1; code <= 5; ++code) {
    const LaneSupply supply = count_lanes(*make_subnet(code), switches.subnet);
    CHECK(supply.lanes == lanes_of[code]);
    CHECK_THAT(supply.limit, Contains("max_op_vls is " + std::to_string(code)));
  }
  const auto opensm = make_subnet(fifteen);
  opensm->opt.qos = FALSE;
  CHECK_FALSE(count_lanes(*opensm, switches.subnet).qos);

  switches.port_of_channel(3).port_info.vl_enforce = two << 4;
  LaneSupply supply = count_lanes(*opensm, switches.subnet);
  CHECK(supply.lanes == 2);
  CHECK(supply.lanes_after_sweep == 15);
  CHECK_THAT(supply.limit, Contains("2 of 15 lanes operational"));

  // Codes that InfiniBand does not define count as one lane.
  for (const unsigned code : {0U, 6U, 15U}) {
    switches.port_of_channel(3).port_info.vl_enforce = static_cast<std::uint8_t>(code << 4);
    CHECK(count_lanes(*opensm, switches.subnet).lanes == 1);
  }
}

TEST_CASE("a switch without SL2VL tables has one lane") {
  const auto opensm = make_subnet(fifteen);
  OpensmSwitches switches(make_fabric("mesh 3x3"), eight, eight);
  switches.port(4, 0).port_info.capability_mask = 0;
  const LaneSupply supply = count_lanes(*opensm, switches.subnet);
  CHECK(supply.lanes == 1);
  CHECK(supply.lanes_after_sweep == 1);
  CHECK_THAT(supply.limit, Contains("no SL2VL tables"));
}

TEST_CASE("without links between switches, only max_op_vls limits the lanes") {
  OpensmSwitches switches(make_fabric("full-mesh 1 --hosts 2"), one, one);
  CHECK(count_lanes(*make_subnet(four), switches.subnet).lanes == 4);
}

TEST_CASE("SL2VL tables map level n to lane n, and levels without a lane to existing lanes") {
  ib_slvl_table_t table{};
  write_sl2vl(*make_subnet(fifteen), make_port(fifteen, fifteen), table);
  CHECK(lanes_by_level(table) ==
        std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0});
  write_sl2vl(*make_subnet(fifteen), make_port(eight, fifteen), table);
  CHECK(lanes_by_level(table) ==
        std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7});
  // The far end supports two lanes, so only two are operational after the sweep.
  osm_physp_t far = make_port(two, eight);
  osm_physp_t near = make_port(eight, eight);
  near.p_remote_physp = &far;
  write_sl2vl(*make_subnet(fifteen), near, table);
  CHECK(lanes_by_level(table) ==
        std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  write_sl2vl(*make_subnet(one), near, table);
  CHECK(lanes_by_level(table) == std::vector<unsigned>(16, 0));
}

TEST_CASE("OpenSM's default arbitration becomes even, and other arbitration tables stay") {
  const auto opensm = make_subnet(fifteen);
  const osm_physp_t port = make_port(four, four);
  for (const unsigned number : {0U, 2U}) {
    ib_vl_arb_table_t block = number == 0 ? opensm_default(0, 4) : opensm_default(4, 0);
    even_out_arbitration(*opensm, port, 32, number, block);
    for (unsigned i = 0; i < 32; ++i) {
      CHECK(block.vl_entry[i].vl == (i < 4 ? i : 0));
      CHECK(block.vl_entry[i].weight == (i < 4 ? 4 : 0));
    }
    // With eight entries, the rest of the block stays unchanged.
    block = number == 0 ? opensm_default(0, 4) : opensm_default(4, 0);
    const ib_vl_arb_table_t before = block;
    even_out_arbitration(*opensm, port, 8, number, block);
    CHECK(block.vl_entry[0].weight == 4);
    CHECK(block.vl_entry[9].weight == before.vl_entry[9].weight);
  }
  for (const unsigned number : {0U, 1U, 2U, 3U}) {
    ib_vl_arb_table_t block = opensm_default(8, 4);
    even_out_arbitration(*opensm, port, 32, number, block);
    CHECK(block.vl_entry[0].weight == 8);
    CHECK(block.vl_entry[14].weight == 4);
  }
  ib_vl_arb_table_t second{};
  even_out_arbitration(*opensm, port, 32, 1, second);
  even_out_arbitration(*opensm, port, 32, 3, second);
  CHECK(second.vl_entry[0].weight == 0);
}
