#include "fake_opensm.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

// The part of the opensm binary that the adapter calls, with the behaviour that the installed
// headers document.
extern "C" {

boolean_t osm_link_is_healthy(const osm_physp_t* p_physp) {
  const osm_physp_t* const far = p_physp->p_remote_physp;
  return far != nullptr && p_physp->healthy != 0 && far->healthy != 0 ? 1 : 0;
}

osm_port_t* osm_get_port_by_lid_ho(const osm_subn_t* subnet, std::uint16_t lid) {
  if (lid == 0 || lid >= cl_ptr_vector_get_size(&subnet->port_lid_tbl)) return nullptr;
  return static_cast<osm_port_t*>(cl_ptr_vector_get(&subnet->port_lid_tbl, lid));
}

void osm_port_get_lid_range_ho(const osm_port_t* p_port, std::uint16_t* p_min_lid,
                               std::uint16_t* p_max_lid) {
  const unsigned base = cl_ntoh16(osm_port_get_base_lid(p_port));
  *p_min_lid = static_cast<std::uint16_t>(base);
  *p_max_lid = static_cast<std::uint16_t>(base + (1U << osm_port_get_lmc(p_port)) - 1);
}

cl_status_t osm_switch_set_hops(osm_switch_t* sw, std::uint16_t lid, std::uint8_t port,
                                std::uint8_t hops) {
  if (lid == 0 || lid > sw->max_lid_ho || port >= sw->num_ports) return CL_INVALID_PARAMETER;
  std::uint8_t*& row = sw->hops[lid];
  if (row == nullptr) {
    row = static_cast<std::uint8_t*>(std::malloc(sw->num_ports));
    std::memset(row, OSM_NO_PATH, sw->num_ports);
  }
  row[port] = hops;
  row[0] = std::min(row[0], hops);
  return CL_SUCCESS;
}

int osm_switch_prepare_path_rebuild(osm_switch_t* sw, std::uint16_t max_lid) {
  const std::size_t lids = std::size_t{max_lid} + 1;
  const std::size_t blocks = max_lid / std::size_t{IB_SMP_DATA_SIZE} + 1;
  sw->lft_size = static_cast<std::uint16_t>(blocks * IB_SMP_DATA_SIZE);
  sw->new_lft = static_cast<std::uint8_t*>(std::realloc(sw->new_lft, sw->lft_size));
  std::memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
  std::memset(sw->p_prof, 0, sizeof(*sw->p_prof) * sw->num_ports);
  if (sw->hops == nullptr) {
    sw->hops = static_cast<std::uint8_t**>(std::calloc(lids, sizeof(std::uint8_t*)));
    sw->num_hops = static_cast<std::uint16_t>(lids);
  }
  for (unsigned lid = 0; lid < sw->num_hops; ++lid) {
    if (sw->hops[lid] != nullptr) std::memset(sw->hops[lid], OSM_NO_PATH, sw->num_ports);
  }
  sw->max_lid_ho = max_lid;
  return 0;
}

}  // extern "C"

FakeOpensm::FakeOpensm() : subnet_(new osm_subn_t()) {
  cl_qmap_init(&subnet_->node_guid_tbl);
  cl_qmap_init(&subnet_->port_guid_tbl);
  cl_qmap_init(&subnet_->sw_guid_tbl);
  cl_ptr_vector_construct(&subnet_->port_lid_tbl);
  REQUIRE(cl_ptr_vector_init(&subnet_->port_lid_tbl, 0, 64) == CL_SUCCESS);
  log_path_ = (std::filesystem::temp_directory_path() / "pssp-opensm-log-XXXXXX").string();
  const int descriptor = mkstemp(log_path_.data());
  REQUIRE(descriptor >= 0);
  close(descriptor);
  osm_log_construct(&log_);
  REQUIRE(osm_log_init_v2(&log_, 1, OSM_LOG_ALL, log_path_.c_str(), 0, 0) == IB_SUCCESS);
}

FakeOpensm::~FakeOpensm() {
  osm_log_destroy(&log_);
  std::filesystem::remove(log_path_);
  for (osm_switch_t* const sw : switches_) {
    for (unsigned lid = 0; lid < sw->num_hops; ++lid) std::free(sw->hops[lid]);
    std::free(sw->hops);
    std::free(sw->new_lft);
    std::free(sw->p_prof);
    delete sw;
  }
  for (osm_node_t* const node : nodes_) {
    std::free(node->print_desc);
    std::free(node);
  }
  for (const osm_port_t* const port : ports_) delete port;
  cl_ptr_vector_destroy(&subnet_->port_lid_tbl);
  delete subnet_;
}

osm_node_t& FakeOpensm::add_node(std::uint64_t guid, std::uint8_t ports, std::uint8_t type,
                                 const std::string& description) {
  // physp_table has one element in the declaration and ports + 1 in use.
  auto* const node =
      static_cast<osm_node_t*>(std::calloc(1, sizeof(osm_node_t) + ports * sizeof(osm_physp_t)));
  nodes_.push_back(node);
  node->node_info.node_guid = cl_hton64(guid);
  node->node_info.node_type = type;
  node->node_info.num_ports = ports;
  node->physp_tbl_size = ports + 1U;
  node->print_desc = strdup(description.c_str());
  for (unsigned p = 0; p <= ports; ++p) {
    osm_physp_t& port = node->physp_table[p];
    port.port_num = static_cast<std::uint8_t>(p);
    port.p_node = node;
    port.healthy = 1;
    if (type == IB_NODE_TYPE_SWITCH) {
      port.port_guid = cl_hton64(guid);
    } else if (p != 0) {
      port.port_guid = cl_hton64(guid + p);
    }
  }
  cl_qmap_insert(&subnet_->node_guid_tbl, node->node_info.node_guid, &node->map_item);
  return *node;
}

/// OpenSM has a port object only for what its sweep came to: port 0 of a switch, adapter ports that
/// are in the subnet.
osm_port_t& FakeOpensm::port_object(osm_node_t& node, std::uint8_t number) {
  for (osm_port_t* const each : ports_) {
    if (each->p_physp == &node.physp_table[number]) return *each;
  }
  auto* const port = new osm_port_t();
  ports_.push_back(port);
  port->p_node = &node;
  port->p_physp = &node.physp_table[number];
  port->guid = port->p_physp->port_guid;
  cl_qmap_insert(&subnet_->port_guid_tbl, port->guid, &port->map_item);
  return *port;
}

osm_node_t& FakeOpensm::add_switch(std::uint64_t guid, std::uint8_t ports, std::uint16_t lid,
                                   const std::string& description) {
  osm_node_t& node = add_node(guid, ports, IB_NODE_TYPE_SWITCH, description);
  auto* const sw = new osm_switch_t();
  switches_.push_back(sw);
  sw->p_node = &node;
  sw->num_ports = static_cast<std::uint8_t>(ports + 1);
  sw->p_prof =
      static_cast<osm_port_profile_t*>(std::calloc(sw->num_ports, sizeof(osm_port_profile_t)));
  node.sw = sw;
  cl_qmap_insert(&subnet_->sw_guid_tbl, node.node_info.node_guid, &sw->map_item);
  port_object(node, 0);
  if (lid != 0) set_lid(node, 0, lid);
  return node;
}

osm_node_t& FakeOpensm::add_adapter(std::uint64_t guid, std::uint8_t ports,
                                    const std::string& description, std::uint8_t type) {
  return add_node(guid, ports, type, description);
}

void FakeOpensm::set_lid(osm_node_t& node, std::uint8_t port, std::uint16_t lid, std::uint8_t lmc) {
  osm_physp_t& physical = node.physp_table[port];
  physical.port_info.base_lid = cl_hton16(lid);
  physical.port_info.mkey_lmc = lmc;
  const unsigned last = lid + (1U << lmc) - 1;
  osm_port_t& object = port_object(node, port);
  for (unsigned l = lid; l <= last; ++l) cl_ptr_vector_set(&subnet_->port_lid_tbl, l, &object);
  max_lid_ = std::max(max_lid_, static_cast<std::uint16_t>(last));
}

void FakeOpensm::connect(osm_node_t& a, std::uint8_t port_a, osm_node_t& b, std::uint8_t port_b) {
  osm_physp_t& end_a = a.physp_table[port_a];
  osm_physp_t& end_b = b.physp_table[port_b];
  end_a.p_remote_physp = &end_b;
  end_b.p_remote_physp = &end_a;
  for (osm_physp_t* const end : {&end_a, &end_b}) {
    end->port_info.link_width_active = IB_LINK_WIDTH_ACTIVE_4X;
    end->port_info.link_speed = IB_LINK_SPEED_ACTIVE_10 << 4;
  }
}

void FakeOpensm::prepare_switches() {
  for (osm_switch_t* const sw : switches_) osm_switch_prepare_path_rebuild(sw, max_lid_);
}

std::string FakeOpensm::log_text() const {
  std::ifstream file(log_path_);
  return {std::istreambuf_iterator<char>(file), {}};
}
