// Each host has one link to a switch, so a breadth-first search over the switches finds hosts in
// the same order as a search over all nodes.

#include "evaluator/hosts/host_order.h"

#include <algorithm>
#include <numeric>

namespace pssp {
namespace {

std::vector<std::uint32_t> by_port_guid(const Fabric& fabric) {
  const std::span<const EndPortId> endpoints = fabric.endpoints();
  std::vector<std::uint32_t> order(endpoints.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&fabric, endpoints](std::uint32_t position) {
    return fabric.end_port(endpoints[position]).port_guid;
  });
  return order;
}

/// Appends all switches that can be reached from the first entry of `found`.
void search(const Fabric& fabric, std::vector<std::uint8_t>& seen,
            std::vector<std::uint32_t>& found) {
  seen[found.front()] = 1;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::uint32_t end = fabric.first_channel()[found[next] + 1];
    for (std::uint32_t c = fabric.first_channel()[found[next]]; c < end; ++c) {
      const std::uint32_t head = fabric.channel_head()[c];
      if (seen[head] != 0) continue;
      seen[head] = 1;
      found.push_back(head);
    }
  }
}

std::vector<std::uint32_t> breadth_first(const Fabric& fabric) {
  const std::span<const EndPortId> endpoints = fabric.endpoints();
  std::vector<std::uint32_t> order;
  order.reserve(endpoints.size());
  std::vector<std::uint8_t> seen(fabric.switch_count(), 0);
  for (const std::uint32_t start : by_port_guid(fabric)) {
    const SwitchId attached = fabric.end_port(endpoints[start]).attached;
    if (seen[attached.value()] != 0) continue;
    std::vector<std::uint32_t> island{attached.value()};
    search(fabric, seen, island);
    for (const std::uint32_t s : island) {
      for (const EndPortId port : fabric.end_ports_of(SwitchId(s))) {
        if (!fabric.is_endpoint(port)) continue;
        const auto found = std::ranges::lower_bound(endpoints, port);
        order.push_back(static_cast<std::uint32_t>(found - endpoints.begin()));
      }
    }
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> host_order(const Fabric& fabric, HostSelection selection) {
  if (selection == HostSelection::linear_bfs) return breadth_first(fabric);
  std::vector<std::uint32_t> order = by_port_guid(fabric);
  if (selection == HostSelection::guid_descending) std::ranges::reverse(order);
  return order;
}

}  // namespace pssp
