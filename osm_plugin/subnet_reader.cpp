// From OpenSM's subnet to a Fabric.
//
// OpenSM keeps nodes in a map by GUID, each with an array of physical ports that point at each
// other across a link; LIDs belong to port objects in a second map. Two passes over the nodes
// (nodes, then links, because a link needs both) and one over the ports (LIDs) fill the builder.
//
// The plugin must not give up on a whole fabric because one node is in a strange state during a
// sweep. So whatever the builder would refuse is left out here, with a warning: OpenSM sweeps again
// when the node has recovered.

#include "osm_plugin/subnet_reader.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "fabric/adapter_kind.h"
#include "fabric/builder.h"
#include "osm_plugin/capacity_source.h"
#include "osm_plugin/port_rate.h"

namespace pssp {
namespace {

/// Calls visit(T&) for each entry of one of OpenSM's maps; T begins with the map's link.
template <class T, class Visit>
void for_each_in(const cl_qmap_t& map, Visit visit) {
  for (cl_map_item_t* item = cl_qmap_head(&map); item != cl_qmap_end(&map);
       item = cl_qmap_next(item)) {
    visit(*reinterpret_cast<T*>(item));
  }
}

class SubnetReader {
 public:
  explicit SubnetReader(const osm_subn_t& subnet) : subnet_(subnet) {}

  Subnet read(const CapacityFile* capacities, const ConfiguredNodeTypes* node_types) {
    for_each_in<osm_node_t>(subnet_.node_guid_tbl, [this](osm_node_t& node) { add_node(node); });
    for_each_in<osm_node_t>(subnet_.node_guid_tbl, [this](osm_node_t& node) { add_links(node); });
    for_each_in<osm_port_t>(subnet_.port_guid_tbl, [this](osm_port_t& port) { add_lids(port); });
    std::string lowered;
    if (capacities != nullptr) lowered = lower_capacities(*capacities);
    std::string reported;
    if (node_types != nullptr) reported = set_node_types(*node_types);
    Fabric fabric = std::move(builder_).build();
    std::vector<osm_switch_t*> switches;
    switches.reserve(fabric.switch_count());
    for (const Switch& each : fabric.switches()) switches.push_back(switch_by_guid_.at(each.guid));
    return {std::move(fabric), std::move(switches), std::move(warnings_), std::move(lowered),
            std::move(reported)};
  }

 private:
  std::string lower_capacities(const CapacityFile& capacities);
  std::string set_node_types(const ConfiguredNodeTypes& node_types);
  void add_node(osm_node_t& node);
  void add_links(osm_node_t& node);
  void add_lids(osm_port_t& port);
  void warn(const osm_node_t& node, const std::string& what) {
    warnings_.push_back(
        {LogCode::unusable_node,
         fmt::format("node \"{}\" (guid 0x{:016x}) {}; the node is unreachable, other traffic is "
                     "not affected; check or restart the node",
                     node.print_desc, cl_ntoh64(osm_node_get_node_guid(&node)), what)});
  }

  const osm_subn_t& subnet_;
  FabricBuilder builder_;
  std::unordered_map<const osm_node_t*, NodeId> ids_;
  std::unordered_map<Guid, osm_switch_t*> switch_by_guid_;
  std::vector<LogMessage> warnings_;
};

std::string SubnetReader::lower_capacities(const CapacityFile& capacities) {
  try {
    const CapacityEffect effect = apply_capacities(capacities, AtZero::left_out, builder_);
    return fmt::format("capacity_file {}: {}", capacities.name, to_string(effect));
  } catch (const Error& error) {
    warnings_.push_back({LogCode::input_file, nominal_capacities(error.what())});
    return "";
  }
}

std::string SubnetReader::set_node_types(const ConfiguredNodeTypes& node_types) {
  try {
    return fmt::format(
        "{}: {}", node_types.files,
        to_string(apply_node_types(node_types.hosts, UnknownHosts::counted, builder_)));
  } catch (const Error& error) {
    warnings_.push_back(
        {LogCode::input_file, node_types_by_name(node_types.reader.redacted(error).what())});
    return "";
  }
}

void SubnetReader::add_node(osm_node_t& node) {
  const Guid guid = cl_ntoh64(osm_node_get_node_guid(&node));
  const unsigned ports = node.node_info.num_ports;
  const bool is_switch = osm_node_get_type(&node) == IB_NODE_TYPE_SWITCH;
  if (is_switch && node.sw == nullptr) {
    return warn(node,
                "is left out: it did not reply with its SwitchInfo, so OpenSM cannot program it");
  }
  if (ports == 0 || ports > max_port_number || guid == 0) {
    return warn(node, fmt::format("is left out: it reports {} ports; expected 1 to {}", ports,
                                  max_port_number));
  }
  if (is_switch) {
    ids_.emplace(&node, builder_.add_switch(guid, ports, {}, node.print_desc));
    switch_by_guid_.emplace(guid, node.sw);
    return;
  }
  const bool is_router = osm_node_get_type(&node) == IB_NODE_TYPE_ROUTER;
  const EndPortKind kind = is_router ? EndPortKind::router : adapter_kind(node.print_desc);
  const NodeId id = builder_.add_adapter(guid, ports, kind, {}, node.print_desc);
  ids_.emplace(&node, id);
  for (unsigned p = 1; p < osm_node_get_num_physp(&node); ++p) {
    const osm_physp_t* const port = osm_node_get_physp_ptr(&node, p);
    if (port == nullptr) continue;
    builder_.set_port_guid(id, static_cast<PortNumber>(p),
                           cl_ntoh64(osm_physp_get_port_guid(port)));
  }
}

/// The links of a switch. Links between two adapters carry no routed traffic.
void SubnetReader::add_links(osm_node_t& node) {
  const auto here = ids_.find(&node);
  if (here == ids_.end() || !builder_.is_switch(here->second)) return;
  for (unsigned p = 1; p < osm_node_get_num_physp(&node); ++p) {
    const osm_physp_t* const port = osm_node_get_physp_ptr(&node, p);
    if (port == nullptr) continue;
    const osm_physp_t* const far = osm_physp_get_remote(port);
    if (far == nullptr || far->p_remote_physp != port || osm_link_is_healthy(port) == 0) continue;
    const auto there = ids_.find(osm_physp_get_node_ptr(far));
    if (there == ids_.end()) continue;
    builder_.connect(here->second, static_cast<PortNumber>(p), there->second,
                     osm_physp_get_port_num(far),
                     active_rate(port->port_info, port->ext_port_info));
  }
}

void SubnetReader::add_lids(osm_port_t& port) {
  const auto owner = ids_.find(port.p_node);
  if (owner == ids_.end()) return;
  std::uint16_t lowest = 0;
  std::uint16_t highest = 0;
  osm_port_get_lid_range_ho(&port, &lowest, &highest);
  if (lowest == no_lid) {
    return warn(*port.p_node, "has no LID: it did not acknowledge the LID that OpenSM assigned");
  }
  // A port that did not acknowledge a change still reports LIDs that may belong to another one by
  // now.
  for (unsigned lid = lowest; lid <= highest; ++lid) {
    if (lid > last_unicast_lid ||
        osm_get_port_by_lid_ho(&subnet_, static_cast<std::uint16_t>(lid)) != &port) {
      return warn(*port.p_node,
                  fmt::format("reports LID {}, which OpenSM did not assign to it", lid));
    }
  }
  const PortNumber number =
      builder_.is_switch(owner->second) ? management_port : osm_physp_get_port_num(port.p_physp);
  builder_.set_lid(owner->second, number, lowest, osm_port_get_lmc(&port));
}

}  // namespace

Subnet read_subnet(const osm_subn_t& subnet, const CapacityFile* capacities,
                   const ConfiguredNodeTypes* node_types) {
  return SubnetReader(subnet).read(capacities, node_types);
}

}  // namespace pssp
