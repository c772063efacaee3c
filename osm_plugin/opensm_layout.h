#pragma once

// Whether OpenSM's structures lie in memory as its headers told us when the plugin was built.
//
// OpenSM refuses a plugin that was built for another version string. It does not notice one that
// was built for another layout under the same string: a distribution's patch, or another setting of
// ENABLE_OSM_PERF_MGR, moves everything behind the place where it adds something. Such a plugin
// would read, and write, beside what it means. So addresses that OpenSM has computed by its own
// layout are compared to the same by ours, before anything else is read.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <complib/cl_qmap.h>
#include <opensm/osm_log.h>
#include <opensm/osm_port.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>

#include <cstdint>
#include <type_traits>

namespace pssp {

// What the plugin takes for granted of members that it reads or writes. A header that says
// otherwise does not compile.
static_assert(std::is_same_v<decltype(osm_switch_t::new_lft), std::uint8_t*>);
static_assert(std::is_same_v<decltype(osm_switch_t::hops), std::uint8_t**>);
static_assert(std::is_same_v<decltype(osm_switch_t::max_lid_ho), std::uint16_t>);
static_assert(std::is_same_v<decltype(osm_switch_t::p_node), osm_node_t*>);
static_assert(std::is_same_v<decltype(osm_node_t::sw), osm_switch_t*>);
static_assert(std::is_same_v<decltype(osm_subn_opt_t::event_plugin_options), char*>);
static_assert(offsetof(osm_switch_t, map_item) == 0, "switches are found by their map item");
static_assert(offsetof(osm_node_t, map_item) == 0, "nodes are found by their map item");
static_assert(offsetof(osm_port_t, map_item) == 0, "ports are found by their map item");
static_assert(OSM_CCT_ENTRY_MAX == 128);

/// What a struct osm_opensm is not that this layout says it is, null where all is well. `Opensm` is
/// osm_opensm_t; in tests made-up structures with the same members.
template <class Opensm>
const char* opensm_layout_fault(const Opensm& osm) {
  if (osm.subn.p_osm != &osm) return "subn.p_osm";
  if (osm.sm.p_subn != &osm.subn) return "sm.p_subn";
  if (osm.sm.p_log != &osm.log) return "sm.p_log";
  if (osm.sm.p_lock != &osm.lock) return "sm.p_lock";
  if (osm.sa.p_subn != &osm.subn) return "sa.p_subn";
  if (osm.sa.p_log != &osm.log) return "sa.p_log";
  return nullptr;
}

/// A line for the log where some switch is not the switch of its node; null where all are. Asked
/// before switches are read or written. O(switches).
const char* switch_layout_fault(const osm_subn_t& subnet) noexcept;

}  // namespace pssp
