// The last entry decides, not the comment: dump_fts queries the LID itself, and the adapter answers
// for its virtual ports, opensm does not know them and writes no owner, and other managers write
// the GUID of the virtual port, which is in no topology.

#include "fabric/formats/virtual_ports.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <unordered_set>

namespace pssp {
namespace {

/// Collects by LID where packets leave the network.
class DeliveryCollector {
 public:
  explicit DeliveryCollector(const Fabric& fabric)
      : fabric_(fabric), host_(last_unicast_lid + 1), is_refused_(last_unicast_lid + 1, false) {}

  void add_entries(SwitchId s, const LftEntries& entries) {
    entries.for_each([&](Lid lid, PortNumber port) {
      if (lid > last_unicast_lid || fabric_.owner(lid).kind != LidOwner::Kind::none) return;
      const PortTarget target = fabric_.behind(s, port);
      if (target.kind == PortTarget::Kind::management) {
        is_refused_[lid] = true;
      } else if (target.kind == PortTarget::Kind::end_port) {
        add_delivery(lid, EndPortId(target.index), entries, port);
      }
    });
  }

  /// Excludes LIDs that belong to another node of the topology according to the comments.
  void add_comments(std::span<const LftDestination> destinations) {
    std::unordered_set<std::string_view> descriptions;
    for (const EndPort& port : fabric_.end_ports()) descriptions.insert(port.description);
    for (const LftDestination& to : destinations) {
      if (to.lid > last_unicast_lid || !host_[to.lid].valid()) continue;
      const EndPort& host = fabric_.end_port(host_[to.lid]);
      const bool is_of_host = to.port_guid == host.port_guid ||
                              to.port_guid == host.node_guid + host.port ||
                              (!to.description.empty() && to.description == host.description);
      const bool is_of_other = to.is_switch || fabric_.find_end_port(to.port_guid) ||
                               fabric_.find_switch(to.port_guid) ||
                               (!to.description.empty() && descriptions.contains(to.description));
      if (!is_of_host && is_of_other) is_refused_[to.lid] = true;
    }
  }

  /// By LID.
  std::vector<EndPortId> result() && {
    for (std::size_t lid = 0; lid < host_.size(); ++lid) {
      if (is_refused_[lid]) host_[lid] = EndPortId();
    }
    return std::move(host_);
  }

 private:
  void add_delivery(Lid lid, EndPortId to, const LftEntries& entries, PortNumber port) {
    const EndPort& host = fabric_.end_port(to);
    const bool is_known_host = host.kind == EndPortKind::channel_adapter && host.lid != no_lid &&
                               entries.at(host.lid) == port;
    const bool is_elsewhere = host_[lid].valid() && host_[lid] != to;
    if (!is_known_host || is_elsewhere) is_refused_[lid] = true;
    host_[lid] = to;
  }

  const Fabric& fabric_;
  std::vector<EndPortId> host_;  // by LID
  std::vector<bool> is_refused_;
};

}  // namespace

VirtualPorts::VirtualPorts(const Fabric& fabric, const LftFile& dump,
                           std::span<const SwitchId> switches) {
  DeliveryCollector deliveries(fabric);
  for (std::size_t index = 0; index < switches.size(); ++index) {
    if (switches[index].valid())
      deliveries.add_entries(switches[index], dump.switches[index].entries);
  }
  deliveries.add_comments(dump.destinations);
  host_of_lid_ = std::move(deliveries).result();
  std::set<std::uint32_t> hosts;
  for (std::size_t lid = 0; lid < host_of_lid_.size(); ++lid) {
    const EndPortId host = host_of_lid_[lid];
    if (!host.valid()) continue;
    hosts.insert(host.value());
    if (count_++ == 0) {
      example_ = fmt::format("LID {} at '{}' (LID {})", lid, fabric.label(host),
                             fabric.end_port(host).lid);
    }
  }
  host_count_ = hosts.size();
}

}  // namespace pssp
