#include "osm_plugin/port_lanes.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/tables/service_levels.h"

namespace pssp {
namespace {

/// PortInfo's coding of a number of data lanes: 1, 2, 4, 8, 15 (InfiniBand architecture 1.3,
/// section 14.2.5.6). What is not defined counts as one.
unsigned lanes_of_code(unsigned code) {
  if (code < 1 || code > 5) return 1;
  return std::min(1U << (code - 1), max_data_lanes);
}

/// Lanes that both ends of a port's link are capable of.
unsigned capable_lanes(const osm_physp_t& port) {
  const unsigned here = lanes_of_code(ib_port_info_get_vl_cap(&port.port_info));
  const osm_physp_t* const far = osm_physp_get_remote(&port);
  if (far == nullptr) return here;
  return std::min(here, lanes_of_code(ib_port_info_get_vl_cap(&far->port_info)));
}

unsigned operational_lanes(const osm_physp_t& port) {
  return lanes_of_code(ib_port_info_get_op_vls(&port.port_info));
}

/// Operational lanes that OpenSM sets after routing.
unsigned lanes_after_sweep(const osm_subn_t& opensm, const osm_physp_t& port) {
  return std::min(capable_lanes(port), lanes_of_code(opensm.opt.max_op_vls));
}

class LaneCounter {
 public:
  LaneCounter(const osm_subn_t& opensm, const Subnet& subnet) : opensm_(opensm), subnet_(subnet) {
    supply_.qos = opensm.opt.qos != 0;
    supply_.lanes = supply_.lanes_after_sweep = lanes_of_code(opensm.opt.max_op_vls);
    supply_.limit = fmt::format("max_op_vls is {} in opensm.conf", opensm.opt.max_op_vls);
  }

  LaneSupply count() && {
    const Fabric& fabric = subnet_.fabric;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      osm_switch_t& sw = *subnet_.switches[fabric.channel_tail()[c]];
      const osm_physp_t* const port =
          osm_node_get_physp_ptr(sw.p_node, fabric.channel_out_port()[c]);
      if (port != nullptr) count_port(ChannelId(c), sw, *port);
    }
    return std::move(supply_);
  }

 private:
  void count_port(ChannelId channel, osm_switch_t& sw, const osm_physp_t& port) {
    const osm_physp_t* const port0 = osm_node_get_physp_ptr(sw.p_node, 0);
    const bool has_sl2vl =
        port0 != nullptr && (port0->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP) != 0;
    const unsigned soon = has_sl2vl ? lanes_after_sweep(opensm_, port) : 1;
    const unsigned now = std::min(soon, operational_lanes(port));
    supply_.lanes_after_sweep = std::min(supply_.lanes_after_sweep, soon);
    if (now >= supply_.lanes) return;
    supply_.lanes = now;
    supply_.limit = limit_of(channel, port, has_sl2vl);
  }

  /// What keeps this port from having more lanes.
  std::string limit_of(ChannelId channel, const osm_physp_t& port, bool has_sl2vl) const {
    const Fabric& fabric = subnet_.fabric;
    if (!has_sl2vl) {
      return fmt::format("switch {} has no SL2VL tables",
                         fabric.label(SwitchId(fabric.channel_tail()[channel.value()])));
    }
    if (operational_lanes(port) < lanes_after_sweep(opensm_, port)) {
      return fmt::format("link {} has {} of {} lanes operational now",
                         fabric.channel_label(channel), operational_lanes(port),
                         lanes_after_sweep(opensm_, port));
    }
    return fmt::format("link {} is capable of {} lanes (VLCap)", fabric.channel_label(channel),
                       capable_lanes(port));
  }

  const osm_subn_t& opensm_;
  const Subnet& subnet_;
  LaneSupply supply_;
};

/// The first entries of a block as OpenSM's defaults have them, all of one weight but the first.
bool is_default(const ib_vl_arb_table_t& block, unsigned entries, unsigned first, unsigned others) {
  for (unsigned i = 0; i < entries; ++i) {
    const ib_vl_arb_element_t& entry = block.vl_entry[i];
    const bool listed = i < max_data_lanes;
    const unsigned weight = !listed ? 0 : i == 0 ? first : others;
    if (entry.vl != (listed ? i : 0) || entry.weight != weight) return false;
  }
  return true;
}

}  // namespace

LaneSupply count_lanes(const osm_subn_t& opensm, const Subnet& subnet) {
  return LaneCounter(opensm, subnet).count();
}

void write_sl2vl(const osm_subn_t& opensm, const osm_physp_t& port, ib_slvl_table_t& table) {
  const unsigned lanes = lanes_after_sweep(opensm, port);
  for (unsigned level = 0; level < service_level_count; ++level) {
    ib_slvl_table_set(&table, static_cast<std::uint8_t>(level),
                      static_cast<std::uint8_t>(level % lanes));
  }
}

void even_out_arbitration(const osm_subn_t& opensm, const osm_physp_t& port, unsigned entries,
                          unsigned number, ib_vl_arb_table_t& block) {
  constexpr unsigned weight = 4;  // units of 64 bytes; what OpenSM's defaults give where not 0
  const bool is_low = number == 0;
  const bool is_high = number == 2;
  if (!(is_low && is_default(block, entries, 0, weight)) &&
      !(is_high && is_default(block, entries, weight, 0))) {
    return;
  }
  const unsigned lanes = lanes_after_sweep(opensm, port);
  for (unsigned i = 0; i < entries; ++i) {
    block.vl_entry[i].vl = static_cast<std::uint8_t>(i < lanes ? i : 0);
    block.vl_entry[i].weight = static_cast<std::uint8_t>(i < lanes ? weight : 0);
  }
}

}  // namespace pssp
