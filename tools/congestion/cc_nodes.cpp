#include "tools/congestion/cc_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace pssp {
namespace {

PortRole role_of(PortTarget target) {
  switch (target.kind) {
    case PortTarget::Kind::channel:
      return PortRole::switch_facing;
    case PortTarget::Kind::end_port:
      return PortRole::host_facing;
    case PortTarget::Kind::none:
    case PortTarget::Kind::management:
      break;
  }
  return PortRole::unconnected;
}

CcNode switch_node(const Fabric& fabric, SwitchId id) {
  const Switch& from = fabric.switch_at(id);
  CcNode node{true, from.guid, from.lid, from.name, from.description, {}};
  for (unsigned port = 0; port <= from.ports; ++port) {
    node.roles.push_back(role_of(fabric.behind(id, static_cast<PortNumber>(port))));
  }
  return node;
}

std::optional<Guid> guid_of(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  Guid guid = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), guid, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return guid;
}

bool is_called(const CcNode& node, const std::string& text) {
  return node.name == text || node.description == text || guid_of(text) == node.guid;
}

}  // namespace

std::string label(const CcNode& node) {
  const bool reports_more = !node.description.empty() && node.description != node.name;
  return fmt::format("{} {}{}, LID {}", node.is_switch ? "switch" : "adapter", node.name,
                     reports_more ? " (" + node.description + ")" : "", node.lid);
}

std::string count_text(std::span<const CcNode> nodes) {
  const auto switches = std::ranges::count_if(nodes, &CcNode::is_switch);
  const auto adapters = std::ssize(nodes) - switches;
  return fmt::format("{} {} and {} adapter {}", switches, switches == 1 ? "switch" : "switches",
                     adapters, adapters == 1 ? "port" : "ports");
}

CcNodes congestion_nodes(const Fabric& fabric) {
  CcNodes found;
  const auto add = [&found](CcNode node) {
    if (node.lid == no_lid) {
      ++found.without_lid;
    } else {
      found.nodes.push_back(std::move(node));
    }
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) add(switch_node(fabric, SwitchId(s)));
  for (const EndPort& port : fabric.end_ports()) {
    if (port.kind == EndPortKind::router) continue;
    add({false, port.port_guid, port.lid, port.name, port.description, {}});
  }
  return found;
}

std::vector<CcNode> select_nodes(std::vector<CcNode> nodes, std::span<const std::string> wanted) {
  if (wanted.empty()) return nodes;
  for (const std::string& text : wanted) {
    if (std::ranges::none_of(nodes, [&](const CcNode& node) { return is_called(node, text); })) {
      throw Error(ErrorKind::usage,
                  fmt::format("--node {}: the topology has no switch or adapter with this GUID, "
                              "name or description, or it has no LID",
                              text));
    }
  }
  std::erase_if(nodes, [&](const CcNode& node) {
    return std::ranges::none_of(wanted,
                                [&](const std::string& text) { return is_called(node, text); });
  });
  return nodes;
}

}  // namespace pssp
