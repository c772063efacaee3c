#include "routing/structured_suite/servers.h"

#include <algorithm>
#include <cstddef>

#include "routing/structured_suite/node_type_source.h"

namespace pssp {
namespace {

/// The kind of most hosts; of equals that of the first host.
std::uint32_t usual_kind(const KindsOfHosts& kinds, const std::vector<EndPortId>& hosts) {
  std::vector<std::size_t> hosts_of(kinds.count, 0);
  for (const EndPortId e : hosts) ++hosts_of[kinds.of[e.value()]];
  std::uint32_t usual = kinds.of[hosts.front().value()];
  for (const EndPortId e : hosts) {
    const std::uint32_t kind = kinds.of[e.value()];
    if (hosts_of[kind] > hosts_of[usual]) usual = kind;
  }
  return usual;
}

/// By position, whether the host is of a kind that serves.
std::vector<std::uint8_t> serving_by_kind(const Fabric& fabric,
                                          const std::vector<EndPortId>& hosts) {
  const KindsOfHosts kinds = tell_kinds(fabric, NodeTypeSource::by_name);
  const std::uint32_t usual = usual_kind(kinds, hosts);
  std::vector<std::uint8_t> has_usual(fabric.switch_count(), 0);
  for (const EndPortId e : hosts) {
    if (kinds.of[e.value()] == usual) has_usual[fabric.end_port(e).attached.value()] = 1;
  }
  std::vector<std::uint8_t> serves(kinds.count, 0);
  for (const EndPortId e : hosts) {
    if (has_usual[fabric.end_port(e).attached.value()] != 0) serves[kinds.of[e.value()]] = 1;
  }
  for (std::uint32_t kind = 0; kind < kinds.count; ++kind)
    serves[kind] |= kinds.is_configured[kind];
  serves[usual] = 0;
  std::vector<std::uint8_t> serving(hosts.size());
  std::ranges::transform(hosts, serving.begin(),
                         [&](EndPortId e) { return serves[kinds.of[e.value()]]; });
  return serving;
}

/// By position, whether the host is the last of several on its switch.
std::vector<std::uint8_t> serving_by_position(const Fabric& fabric,
                                              const std::vector<EndPortId>& hosts) {
  std::vector<std::size_t> left(fabric.switch_count(), 0);
  for (const EndPortId e : hosts) ++left[fabric.end_port(e).attached.value()];
  const std::vector<std::size_t> all = left;
  std::vector<std::uint8_t> serving;
  for (const EndPortId e : hosts) {
    const std::uint32_t s = fabric.end_port(e).attached.value();
    serving.push_back(--left[s] == 0 && all[s] > 1 ? 1 : 0);
  }
  return serving;
}

}  // namespace

ServersAndNodes find_servers(const Fabric& fabric, const std::vector<EndPortId>& hosts) {
  ServersAndNodes found;
  if (hosts.empty()) return found;
  std::vector<std::uint8_t> serving = serving_by_kind(fabric, hosts);
  found.by_kind = std::ranges::any_of(serving, [](auto each) { return each != 0; });
  if (!found.by_kind) serving = serving_by_position(fabric, hosts);
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    (serving[i] != 0 ? found.servers : found.nodes).push_back(i);
  }
  return found;
}

}  // namespace pssp
