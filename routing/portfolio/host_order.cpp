// Applications see hosts as ranks, and most batch systems give out ranks in the order of host
// names. So the order of names, not that of GUIDs or of cabling, is what "neighbouring hosts" means
// to them. Descriptions are free text of up to 64 bytes in InfiniBand, but a file may say anything;
// nothing here depends on their length or on the size of the numbers in them.

#include "routing/portfolio/host_order.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/no_index.h"
#include "base/text_lines.h"
#include "fabric/paths/islands.h"

namespace pssp {
namespace {

/// Takes the digits at the front, without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (!digits.empty() && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

std::string_view next_word(std::string_view& text) {
  text = without_indent(text);
  return take_word(text);
}

/// "MT4123", "ConnectX6", "Mellanox" ...
bool is_product_word(std::string_view word) {
  constexpr std::array<std::string_view, 12> beginnings{
      "ConnectX", "InfiniHost", "InfiniBand", "Infiniband",  "Mellanox", "Technologies",
      "NVIDIA",   "QLogic",     "Intel",      "Aggregation", "HCA",      "Node"};
  if (word.size() > 2 && word.substr(0, 2) == "MT" && is_digit(word[2])) return true;
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    return word.substr(0, beginning.size()) == beginning;
  });
}

/// The word that names the node in "NODE ADAPTER".
std::optional<std::string_view> node_word(std::string_view name) {
  const std::string_view node = next_word(name);
  const std::string_view adapter = next_word(name);
  if (adapter.empty() || !next_word(name).empty()) return std::nullopt;
  return node;
}

/// Switches of all islands, each breadth first from its lowest SwitchId.
std::vector<std::uint32_t> breadth_first(const Fabric& fabric) {
  std::vector<std::uint8_t> seen(fabric.switch_count(), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (seen[s] != 0) continue;
    seen[s] = 1;
    order.push_back(s);
    for (std::size_t i = order.size() - 1; i < order.size(); ++i) {
      const std::uint32_t at = order[i];
      for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
        const std::uint32_t next = fabric.channel_head()[c];
        if (seen[next] != 0) continue;
        seen[next] = 1;
        order.push_back(next);
      }
    }
  }
  return order;
}

std::vector<EndPortId> endpoints_by_leaf(const Fabric& fabric) {
  std::vector<EndPortId> hosts;
  for (const std::uint32_t s : breadth_first(fabric)) {
    for (const EndPortId e : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(e)) hosts.push_back(e);
    }
  }
  return hosts;
}

std::vector<EndPortId> all_hosts(const Fabric& fabric, HostOrderRule rule) {
  if (rule == HostOrderRule::leaf) return endpoints_by_leaf(fabric);
  std::vector<EndPortId> hosts(fabric.endpoints().begin(), fabric.endpoints().end());
  std::vector<std::string_view> names(fabric.end_port_count());
  if (rule == HostOrderRule::name) {
    for (const EndPortId e : hosts) names[e.value()] = telling_name(fabric.end_port(e));
  }
  std::sort(hosts.begin(), hosts.end(), [&](EndPortId a, EndPortId b) {
    const int order = compare_with_numbers(names[a.value()], names[b.value()]);
    if (order != 0) return order < 0;
    return fabric.end_port(a).port_guid < fabric.end_port(b).port_guid;
  });
  return hosts;
}

}  // namespace

int compare_with_numbers(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view number_a = take_digits(a);
      const std::string_view number_b = take_digits(b);
      if (number_a.size() != number_b.size()) return number_a.size() < number_b.size() ? -1 : 1;
      if (const int order = number_a.compare(number_b); order != 0) return order;
      continue;
    }
    const auto byte_a = static_cast<unsigned char>(a.front());
    const auto byte_b = static_cast<unsigned char>(b.front());
    if (byte_a != byte_b) return byte_a < byte_b ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

bool names_only_the_product(std::string_view description) {
  for (std::string_view word = next_word(description); !word.empty();
       word = next_word(description)) {
    if (!is_product_word(word)) return false;
  }
  return true;
}

std::string_view telling_name(const EndPort& port) {
  return names_only_the_product(port.description) ? port.name : port.description;
}

OrderedHosts order_hosts(const Fabric& fabric, const std::vector<EndPortId>& chosen) {
  OrderedHosts ordered;
  const std::vector<std::uint32_t> island = islands(fabric);
  const auto island_of = [&](EndPortId e) { return island[fabric.end_port(e).attached.value()]; };
  std::vector<std::size_t> hosts_on(fabric.switch_count() + 1, 0);
  std::vector<EndPortId> routable;
  for (const EndPortId e : chosen) {
    if (fabric.end_port(e).lid == no_lid) {
      ++ordered.without_lid;
      continue;
    }
    routable.push_back(e);
    ++hosts_on[island_of(e)];
  }
  const auto largest = static_cast<std::size_t>(std::max_element(hosts_on.begin(), hosts_on.end()) -
                                                hosts_on.begin());
  for (const EndPortId e : routable) {
    if (island_of(e) == largest) {
      ordered.hosts.push_back(e);
    } else {
      ++ordered.on_other_islands;
    }
  }
  return ordered;
}

OrderedHosts order_hosts(const Fabric& fabric, HostOrderRule rule) {
  OrderedHosts ordered = order_hosts(fabric, all_hosts(fabric, rule));
  // Where others have LIDs, those without are no endpoints and have not been seen here.
  ordered.without_lid += fabric.endpoints_without_lid();
  return ordered;
}

std::vector<std::vector<std::uint32_t>> group_by_node(const Fabric& fabric,
                                                      const std::vector<EndPortId>& hosts) {
  std::vector<std::vector<std::uint32_t>> nodes;
  std::unordered_map<std::string_view, std::size_t> node_of_word;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    const auto word = node_word(telling_name(fabric.end_port(hosts[i])));
    const std::size_t node =
        word ? node_of_word.try_emplace(*word, nodes.size()).first->second : nodes.size();
    if (node == nodes.size()) nodes.emplace_back();
    nodes[node].push_back(i);
  }
  return nodes;
}

}  // namespace pssp
