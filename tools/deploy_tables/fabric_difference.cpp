#include "tools/deploy_tables/fabric_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/foreign_text.h"

namespace pssp {
namespace {

constexpr std::size_t most_told = 8;

using PortName = std::pair<Guid, PortNumber>;
using Cable = std::pair<PortName, PortName>;  // the smaller end first

std::string switch_name(const Switch& node) {
  return foreign_text(node.description.empty() ? node.name : node.description);
}
std::string host_name(const EndPort& port) {
  return foreign_text(port.description.empty() ? port.name : port.description);
}

/// Links between switches, with how people call them.
std::map<Cable, std::string> links_of(const Fabric& fabric) {
  std::map<Cable, std::string> links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const Switch& tail = fabric.switch_at(SwitchId(fabric.channel_tail()[c]));
    const Switch& head = fabric.switch_at(SwitchId(fabric.channel_head()[c]));
    const PortName from{tail.guid, fabric.channel_out_port()[c]};
    const PortName to{head.guid, fabric.channel_in_port()[c]};
    if (to < from) continue;
    links[{from, to}] = fmt::format("{}[{}] - {}[{}]", switch_name(tail), from.second,
                                    switch_name(head), to.second);
  }
  return links;
}

/// Switch and port at which a host is; nothing where it has no cable.
std::optional<PortName> place_of(const Fabric& fabric, const EndPort& port) {
  if (!port.attached.valid()) return std::nullopt;
  return PortName{fabric.switch_at(port.attached).guid, port.switch_port};
}

void compare_switches(const Fabric& before, const Fabric& now, FabricDifference& difference) {
  for (const Switch& each : before.switches()) {
    if (now.find_switch(each.guid)) continue;
    difference.harmful.push_back(fmt::format("switch {} is gone", switch_name(each)));
  }
  for (const Switch& each : now.switches()) {
    if (before.find_switch(each.guid)) continue;
    difference.harmful.push_back(fmt::format("switch {} is new", switch_name(each)));
  }
}

void compare_links(const Fabric& before, const Fabric& now, FabricDifference& difference) {
  const std::map<Cable, std::string> old_links = links_of(before), new_links = links_of(now);
  for (const auto& [cable, name] : old_links) {
    if (!new_links.contains(cable)) {
      difference.harmful.push_back(fmt::format("link {} is gone", name));
    }
  }
  for (const auto& [cable, name] : new_links) {
    if (!old_links.contains(cable)) {
      difference.harmless.push_back(fmt::format("link {} is new", name));
    }
  }
}

void compare_hosts(const Fabric& before, const Fabric& now, FabricDifference& difference) {
  for (const EndPort& each : before.end_ports()) {
    if (!place_of(before, each)) continue;
    const std::optional<EndPortId> found = now.find_end_port(each.port_guid);
    if (found && place_of(now, now.end_port(*found))) continue;
    difference.harmless.push_back(fmt::format("host {} is gone", host_name(each)));
  }
  for (const EndPort& each : now.end_ports()) {
    const std::optional<PortName> place = place_of(now, each);
    if (!place) continue;
    const std::optional<EndPortId> found = before.find_end_port(each.port_guid);
    const auto was = found ? place_of(before, before.end_port(*found)) : std::nullopt;
    if (was == place) continue;
    difference.harmful.push_back(
        fmt::format("host {} is {} {}[{}]", host_name(each), was ? "now at" : "new at",
                    switch_name(now.switch_at(each.attached)), place->second));
  }
}

}  // namespace

std::string FabricDifference::text() const {
  std::vector<std::string> all = harmful;
  all.insert(all.end(), harmless.begin(), harmless.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(most_told, all.size()); ++i) {
    text += (i == 0 ? "" : "; ") + all[i];
  }
  if (all.size() > most_told) text += fmt::format("; and {} more", all.size() - most_told);
  return text;
}

FabricDifference difference_of(const Fabric& before, const Fabric& now) {
  FabricDifference difference;
  compare_switches(before, now, difference);
  compare_links(before, now, difference);
  compare_hosts(before, now, difference);
  return difference;
}

}  // namespace pssp
