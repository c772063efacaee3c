// Writing into OpenSM's switches.
//
// OpenSM keeps hop counts as one row of ports a (switch, LID), allocated by the first
// osm_switch_set_hops() for it. Its own computation relaxes all rows of all neighbours until
// nothing changes; here one breadth-first search a switch gives the same numbers. The rows are
// written switch by switch, as they lie in memory: a distance from a neighbour is one byte of a
// matrix, a row that is visited out of turn costs a cache miss.

#include "osm_plugin/switch_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "fabric/paths/distance_matrix.h"

namespace pssp {
namespace {

/// The row of a (switch, LID), made by OpenSM if it is not there.
std::uint8_t* hop_row(osm_switch_t& sw, Lid lid, std::uint8_t least) {
  if (sw.hops[lid] == nullptr && osm_switch_set_hops(&sw, lid, management_port, least) != 0) {
    throw Error(ErrorKind::internal,
                fmt::format("OpenSM does not accept a hop count for LID {}", lid));
  }
  return sw.hops[lid];
}

void write_hops_at(SwitchId here, const DistanceMatrix& distances, const Subnet& subnet) {
  const Fabric& fabric = subnet.fabric;
  const std::uint16_t* const from_here = distances.to(here);
  const auto first_channel = fabric.first_channel();
  const auto head = fabric.channel_head();
  const auto out_port = fabric.channel_out_port();
  for (std::uint32_t d = 0; d < fabric.switch_count(); ++d) {
    const Lid lid = fabric.switch_at(SwitchId(d)).lid;
    // OpenSM counts no farther.
    if (lid == no_lid || from_here[d] >= OSM_NO_PATH) continue;
    const auto least = static_cast<std::uint8_t>(from_here[d]);
    std::uint8_t* const row = hop_row(*subnet.switches[here.value()], lid, least);
    row[management_port] = least;
    for (std::uint32_t c = first_channel[here.value()]; c < first_channel[here.value() + 1]; ++c) {
      const std::uint16_t beyond = distances.to(SwitchId(head[c]))[d];
      if (beyond < OSM_NO_PATH - 1) row[out_port[c]] = static_cast<std::uint8_t>(beyond + 1);
    }
  }
}

/// Which LIDs OpenSM counts as paths through a port: those of adapters, and of switches when it is
/// told so.
std::vector<char> counted_lids(const Fabric& fabric, bool with_switches) {
  std::vector<char> counted(std::size_t{fabric.max_lid()} + 1, 0);
  for (const Lid lid : fabric.lids()) {
    counted[lid] = with_switches || fabric.owner(lid).kind == LidOwner::Kind::end_port ? 1 : 0;
  }
  return counted;
}

void count_paths(osm_switch_t& sw, std::span<const PortNumber> row,
                 const std::vector<char>& counted) {
  for (std::size_t lid = 0; lid < row.size(); ++lid) {
    if (row[lid] < sw.num_ports && counted[lid] != 0) osm_switch_count_path(&sw, row[lid]);
  }
}

}  // namespace

void write_hop_counts(const Subnet& subnet) {
  const DistanceMatrix distances(subnet.fabric);
  for (std::uint32_t s = 0; s < subnet.fabric.switch_count(); ++s) {
    write_hops_at(SwitchId(s), distances, subnet);
  }
}

void write_forwarding_tables(const osm_subn_t& options, const Subnet& subnet,
                             const ForwardingTables& tables) {
  const Fabric& fabric = subnet.fabric;
  const std::vector<char> counted =
      counted_lids(fabric, options.opt.port_profile_switch_nodes != 0);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    osm_switch_t& sw = *subnet.switches[s];
    const auto row = tables.row(SwitchId(s));
    if (row.size() > std::size_t{sw.max_lid_ho} + 1) {
      throw Error(
          ErrorKind::internal,
          fmt::format("the tables reach to LID {}, but OpenSM prepared switch {} for LIDs up to {}",
                      row.size() - 1, fabric.label(SwitchId(s)), sw.max_lid_ho));
    }
    std::memset(sw.new_lft, OSM_NO_PATH, std::size_t{sw.max_lid_ho} + 1);
    std::copy(row.begin(), row.end(), sw.new_lft);
    count_paths(sw, row, counted);
  }
}

void reset_switches(const osm_subn_t& subnet) {
  const cl_qmap_t& all = subnet.sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(&all); item != cl_qmap_end(&all);
       item = cl_qmap_next(item)) {
    auto* const sw = reinterpret_cast<osm_switch_t*>(item);
    // It can only fail to enlarge a table, and it is not asked to.
    static_cast<void>(osm_switch_prepare_path_rebuild(sw, sw->max_lid_ho));
  }
}

}  // namespace pssp
