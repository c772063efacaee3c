#include "tools/deploy_tables/fabric_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::size_t most_reported = 8;

using PortName = std::pair<Guid, PortNumber>;
using Cable = std::pair<PortName, PortName>;  // the smaller end first

std::string switch_name(const Switch& node) { return untrusted_text(description_or_name(node)); }
std::string host_name(const EndPort& port) { return untrusted_text(description_or_name(port)); }

/// Links between switches, with their names for messages.
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

/// Switch and port of a host; none without a cable.
std::optional<PortName> place_of(const Fabric& fabric, const EndPort& port) {
  if (!port.attached.valid()) return std::nullopt;
  return PortName{fabric.switch_at(port.attached).guid, port.switch_port};
}

/// Differences as text and as numbers for comparing two checks.
class Findings {
 public:
  /// `numbers`: GUIDs and ports in the text.
  void harmful(std::string text, std::initializer_list<std::uint64_t> numbers) {
    add(difference_.harmful, std::move(text), numbers);
  }
  void harmless(std::string text, std::initializer_list<std::uint64_t> numbers) {
    add(difference_.harmless, std::move(text), numbers);
  }
  FabricDifference take() {
    if (!difference_.none()) difference_.identity = digest_.value();
    return std::move(difference_);
  }

 private:
  void add(std::vector<std::string>& list, std::string text,
           std::initializer_list<std::uint64_t> numbers) {
    digest_.add_text(text);
    for (const std::uint64_t number : numbers) digest_.add(number);
    list.push_back(std::move(text));
  }

  FabricDifference difference_;
  Digest digest_;
};

void compare_switches(const Fabric& before, const Fabric& now, Findings& findings) {
  for (const Switch& each : before.switches()) {
    if (now.find_switch(each.guid)) continue;
    findings.harmful(fmt::format("switch {} is gone", switch_name(each)), {each.guid});
  }
  for (const Switch& each : now.switches()) {
    if (before.find_switch(each.guid)) continue;
    findings.harmful(fmt::format("switch {} is new", switch_name(each)), {each.guid});
  }
}

void compare_links(const Fabric& before, const Fabric& now, Findings& findings) {
  const std::map<Cable, std::string> old_links = links_of(before), new_links = links_of(now);
  for (const auto& [cable, name] : old_links) {
    if (new_links.contains(cable)) continue;
    const auto& [from, to] = cable;
    findings.harmful(fmt::format("link {} is gone", name),
                     {from.first, from.second, to.first, to.second});
  }
  for (const auto& [cable, name] : new_links) {
    if (old_links.contains(cable)) continue;
    const auto& [from, to] = cable;
    findings.harmless(fmt::format("link {} is new", name),
                      {from.first, from.second, to.first, to.second});
  }
}

void compare_hosts(const Fabric& before, const Fabric& now, Findings& findings) {
  for (const EndPort& each : before.end_ports()) {
    if (!place_of(before, each)) continue;
    const std::optional<EndPortId> found = now.find_end_port(each.port_guid);
    if (found && place_of(now, now.end_port(*found))) continue;
    findings.harmless(fmt::format("host {} is gone", host_name(each)), {each.port_guid});
  }
  for (const EndPort& each : now.end_ports()) {
    const std::optional<PortName> place = place_of(now, each);
    if (!place) continue;
    const std::optional<EndPortId> found = before.find_end_port(each.port_guid);
    const auto was = found ? place_of(before, before.end_port(*found)) : std::nullopt;
    if (was == place) continue;
    findings.harmful(fmt::format("host {} is {} {}[{}]", host_name(each), was ? "now at" : "new at",
                                 switch_name(now.switch_at(each.attached)), place->second),
                     {each.port_guid, place->first, place->second});
  }
}

}  // namespace

std::string FabricDifference::text() const {
  std::vector<std::string> all = harmful;
  all.insert(all.end(), harmless.begin(), harmless.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(most_reported, all.size()); ++i) {
    text += (i == 0 ? "" : "; ") + all[i];
  }
  if (all.size() > most_reported) text += fmt::format("; and {} more", all.size() - most_reported);
  return text;
}

FabricDifference difference_of(const Fabric& before, const Fabric& now) {
  Findings findings;
  compare_switches(before, now, findings);
  compare_links(before, now, findings);
  compare_hosts(before, now, findings);
  return findings.take();
}

}  // namespace pssp
