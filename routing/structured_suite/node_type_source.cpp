// Sites often name hosts by their role: node017, oss3, login1. The part of the name before the
// first number is therefore the node type. Rack names (a01n07) are not node types; they can be
// recognized because hosts of different racks never share a switch. A node type from a file takes
// precedence over the name of a host.

#include "routing/structured_suite/node_type_source.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

/// The part of a host name before the first number: "node" for "node017 mlx5_0".
std::string_view stem_of(const EndPort& port) {
  const std::string_view name = telling_name(port);
  return name.substr(0, std::min(name.size(), static_cast<std::size_t>(
                                                  std::find_if(name.begin(), name.end(), is_digit) -
                                                  name.begin())));
}

/// For each node type, whether it shares a switch with another node type.
std::vector<std::uint8_t> types_that_meet(const Fabric& fabric,
                                          const NodeTypesOfHosts& node_types) {
  std::vector<std::uint8_t> meets(node_types.count, 0);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    std::vector<std::uint32_t> here;
    for (const EndPortId e : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(e)) here.push_back(node_types.of[e.value()]);
    }
    const bool is_mixed =
        std::ranges::any_of(here, [&](auto type) { return type != here.front(); });
    for (const std::uint32_t type : here) {
      if (is_mixed) meets[type] = 1;
    }
  }
  return meets;
}

}  // namespace

NodeTypesOfHosts find_node_types(const Fabric& fabric, NodeTypeSource by) {
  NodeTypesOfHosts node_types{std::vector<std::uint32_t>(fabric.end_port_count(), 0), 0, {}};
  std::map<std::pair<bool, std::string_view>, std::uint32_t> numbers;
  for (const EndPortId e : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(e);
    const bool is_configured = by == NodeTypeSource::by_name && !port.configured_type.empty();
    const std::string_view word = by == NodeTypeSource::one ? std::string_view()
                                  : is_configured           ? std::string_view(port.configured_type)
                                                            : stem_of(port);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [found, is_new] = numbers.try_emplace({is_configured, word}, next);
    if (is_new) node_types.is_configured.push_back(is_configured ? 1 : 0);
    node_types.of[e.value()] = found->second;
  }
  node_types.count = numbers.size();
  const std::vector<std::uint8_t> meets = types_that_meet(fabric, node_types);
  const auto no_endpoint = static_cast<std::uint32_t>(node_types.count);
  const std::uint32_t alone = no_endpoint + 1;
  for (std::uint32_t e = 0; e < node_types.of.size(); ++e) {
    std::uint32_t& type = node_types.of[e];
    if (!fabric.is_endpoint(EndPortId(e))) {
      type = no_endpoint;
    } else if (meets[type] == 0 && node_types.is_configured[type] == 0) {
      type = alone;
    }
  }
  node_types.count += 2;
  node_types.is_configured.resize(node_types.count, 0);
  return node_types;
}

}  // namespace pssp
