#include "tools/play_traffic/host_names.h"

#include <algorithm>

#include "fabric/adapter_kind.h"
#include "fabric/nodes/node_description.h"
#include "fabric/nodes/node_name_rule.h"

namespace pssp {
namespace {

bool begins_adapter(std::string_view line) {
  return line.starts_with("Hca\t") || line.starts_with("Hca ") || line.starts_with("Ca\t") ||
         line.starts_with("Ca ");
}

std::string in_one_word(std::string_view line) {
  std::string result(line);
  const std::size_t mark = result.find("# \""), end = result.rfind('"');
  if (!begins_adapter(line) || mark == std::string::npos || end <= mark + 2) return result;
  // Jobs do not name these, and they are recognized by their description.
  if (adapter_kind(line.substr(mark)) != EndPortKind::channel_adapter) return result;
  for (std::size_t i = mark + 3; i < end; ++i) {
    const char c = result[i];
    if (c == ' ' || c == '\t' || c == '.' || c == ',') result[i] = '-';
  }
  return result;
}

}  // namespace

std::map<std::string, std::vector<std::uint32_t>> hosts_by_name(const Fabric& fabric) {
  const NodeNameRule rule;
  std::map<std::string, std::vector<std::uint32_t>> hosts;
  for (const EndPortId host : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(host);
    hosts[rule.name_of(description_or_name(port))].push_back(host.value());
  }
  return hosts;
}

bool have_own_names(const Fabric& fabric) {
  return std::ranges::all_of(hosts_by_name(fabric), [&](const auto& each) {
    const std::vector<std::uint32_t>& ports = each.second;
    const std::uint32_t node = fabric.end_port(EndPortId(ports.front())).host;
    return !each.first.empty() && std::ranges::all_of(ports, [&](std::uint32_t port) {
      return fabric.end_port(EndPortId(port)).host == node;
    });
  });
}

std::string with_plain_names(std::string_view net_file) {
  std::string result;
  result.reserve(net_file.size());
  while (!net_file.empty()) {
    const std::size_t end = std::min(net_file.find('\n'), net_file.size());
    result += in_one_word(net_file.substr(0, end)) + "\n";
    net_file.remove_prefix(std::min(end + 1, net_file.size()));
  }
  return result;
}

}  // namespace pssp
