// A site names its hosts by what they are: node017, oss3, login1. What stands before the first
// number is taken for the kind. Racks have names of their own, too (a01n07), and are no kinds: what
// tells them apart is that they never share a switch. Where a file says the kind of a host, its
// name does not count.

#include "routing/structured_suite/node_type_source.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/text_lines.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

/// What a host's name says before its first number: "node" of "node017 mlx5_0".
std::string_view stem_of(const EndPort& port) {
  const std::string_view name = telling_name(port);
  return name.substr(0, std::min(name.size(), static_cast<std::size_t>(
                                                  std::find_if(name.begin(), name.end(), is_digit) -
                                                  name.begin())));
}

/// Of each kind whether it shares a switch with another one.
std::vector<std::uint8_t> kinds_that_meet(const Fabric& fabric, const KindsOfHosts& kinds) {
  std::vector<std::uint8_t> meets(kinds.count, 0);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    std::vector<std::uint32_t> here;
    for (const EndPortId e : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(e)) here.push_back(kinds.of[e.value()]);
    }
    const bool is_mixed =
        std::ranges::any_of(here, [&](auto kind) { return kind != here.front(); });
    for (const std::uint32_t kind : here) {
      if (is_mixed) meets[kind] = 1;
    }
  }
  return meets;
}

}  // namespace

KindsOfHosts tell_kinds(const Fabric& fabric, NodeTypeSource by) {
  KindsOfHosts kinds{std::vector<std::uint32_t>(fabric.end_port_count(), 0), 0, {}};
  std::map<std::pair<bool, std::string_view>, std::uint32_t> numbers;
  for (const EndPortId e : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(e);
    const bool is_configured = by == NodeTypeSource::by_name && !port.configured_type.empty();
    const std::string_view word = by == NodeTypeSource::one ? std::string_view()
                                  : is_configured           ? std::string_view(port.configured_type)
                                                            : stem_of(port);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [found, is_new] = numbers.try_emplace({is_configured, word}, next);
    if (is_new) kinds.is_configured.push_back(is_configured ? 1 : 0);
    kinds.of[e.value()] = found->second;
  }
  kinds.count = numbers.size();
  const std::vector<std::uint8_t> meets = kinds_that_meet(fabric, kinds);
  const auto no_endpoint = static_cast<std::uint32_t>(kinds.count);
  const std::uint32_t alone = no_endpoint + 1;
  for (std::uint32_t e = 0; e < kinds.of.size(); ++e) {
    std::uint32_t& kind = kinds.of[e];
    if (!fabric.is_endpoint(EndPortId(e))) {
      kind = no_endpoint;
    } else if (meets[kind] == 0 && kinds.is_configured[kind] == 0) {
      kind = alone;
    }
  }
  kinds.count += 2;
  kinds.is_configured.resize(kinds.count, 0);
  return kinds;
}

}  // namespace pssp
