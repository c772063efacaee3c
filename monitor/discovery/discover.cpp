// The one file that knows libibnetdisc. The library walks along directed routes, many requests at a
// time, and leaves lists of nodes with their ports and with the raw bytes of NodeInfo and PortInfo,
// which our own decoders read.

#include "monitor/discovery/discover.h"

#include <fmt/format.h>
#include <infiniband/ibnetdisc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "wire/subnet/node_info.h"

namespace pssp {
namespace {

struct FabricEnd {
  void operator()(ibnd_fabric_t* fabric) const { ibnd_destroy_fabric(fabric); }
};
using FabricHandle = std::unique_ptr<ibnd_fabric_t, FabricEnd>;

MadData data_of(const std::uint8_t (&bytes)[IB_SMP_DATA_SIZE]) {
  MadData data{};
  std::copy(std::begin(bytes), std::end(bytes), data.begin());
  return data;
}

DirectedRoute route_of(const ib_portid_t& path) {
  DirectedRoute route;
  route.hops = static_cast<std::uint8_t>(
      std::clamp<int>(path.drpath.cnt, 0, static_cast<int>(DirectedRoute::most_hops)));
  std::copy_n(path.drpath.p, route.hops + 1U, route.port.begin());
  return route;
}

FoundPort found_port(const ibnd_port_t& port) {
  FoundPort found;
  found.number = static_cast<PortNumber>(port.portnum);
  found.guid = port.guid;
  found.info = decode_port_info(data_of(port.info));
  found.runs_fdr10 = decode_runs_fdr10(data_of(port.ext_info));
  if (port.remoteport != nullptr && port.remoteport->node != nullptr) {
    found.far_node = port.remoteport->node->guid;
    found.far_port = static_cast<PortNumber>(port.remoteport->portnum);
  }
  return found;
}

FoundNode found_node(const ibnd_node_t& node) {
  FoundNode found;
  found.guid = node.guid;
  found.kind = NodeKind(node.type);
  found.ports = static_cast<unsigned>(std::max(node.numports, 0));
  const NodeInfo info = decode_node_info(data_of(node.info));
  found.vendor = info.vendor;
  found.device = info.device;
  found.description.assign(node.nodedesc, ::strnlen(node.nodedesc, IB_SMP_DATA_SIZE));
  const bool is_switch = node.type == static_cast<int>(NodeKind::switch_node);
  found.lid = is_switch ? node.smalid : no_lid;
  found.lmc = is_switch ? node.smalmc : std::uint8_t{0};
  found.route = route_of(node.path_portid);
  if (node.ports == nullptr) return found;
  for (int p = 1; p <= node.numports; ++p) {
    if (node.ports[p] != nullptr) found.found_ports.push_back(found_port(*node.ports[p]));
  }
  return found;
}

ibnd_config_t config_of(const DiscoveryOptions& options) {
  ibnd_config_t config{};
  config.max_smps = options.max_requests;
  config.max_hops = options.max_hops;
  config.timeout_ms = options.timeout_ms;
  config.retries = options.retries;
  config.mkey = options.m_key;
  return config;
}

}  // namespace

DiscoveredFabric discover_fabric(const DiscoveryOptions& options) {
  std::string adapter = options.adapter;
  ibnd_config_t config = config_of(options);
  errno = 0;
  const FabricHandle fabric(ibnd_discover_fabric(adapter.empty() ? nullptr : adapter.data(),
                                                 static_cast<int>(options.port), nullptr, &config));
  if (fabric == nullptr) {
    throw Error(ErrorKind::fabric_access,
                fmt::format("the fabric was not discovered from {}: {}; ibstat shows the adapters "
                            "and ports of this machine, and root may use them",
                            adapter.empty() ? "the first active port" : "'" + adapter + "'",
                            errno == 0 ? "no answer" : std::strerror(errno)));
  }
  std::vector<FoundNode> nodes;
  for (const ibnd_node_t* node = fabric->nodes; node != nullptr; node = node->next) {
    nodes.push_back(found_node(*node));
  }
  return to_fabric_map(nodes);
}

}  // namespace pssp
