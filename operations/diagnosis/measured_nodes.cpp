// Endpoints are ascending EndPortIds, so a rank is found by binary search.

#include "operations/diagnosis/measured_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {

MeasuredNodes::MeasuredNodes(const Fabric& fabric, NodeRails rails, NodeNameMap switch_names)
    : fabric_(fabric), rails_(std::move(rails)), switch_names_(std::move(switch_names)) {
  for (const NodeRails::Node& node : rails_.nodes()) {
    std::vector<std::uint32_t>& ranks = ranks_.emplace_back();
    for (const NodeRails::Rail& rail : node.rails) ranks.push_back(rank_of(rail.port));
  }
}

std::uint32_t MeasuredNodes::rank_of(EndPortId port) const {
  const auto endpoints = fabric_.endpoints();
  return static_cast<std::uint32_t>(std::ranges::lower_bound(endpoints, port) - endpoints.begin());
}

std::optional<std::uint32_t> MeasuredNodes::rank_of_lid(Lid lid) const {
  if (!fabric_.is_endpoint_lid(lid)) return std::nullopt;
  return rank_of(EndPortId(fabric_.owner(lid).index));
}

std::vector<MeasuredUnit> MeasuredNodes::units(std::span<const std::uint32_t> nodes,
                                               bool together) const {
  std::vector<MeasuredUnit> units;
  for (const std::uint32_t n : nodes) {
    if (together) units.push_back({.ports = {}, .node = n});
    const std::vector<NodeRails::Rail>& rails = rails_.nodes()[n].rails;
    for (std::size_t i = 0; i < rails.size(); ++i) {
      if (!together) {
        units.push_back({.ports = {{0, ranks_[n][i]}}, .node = n});
      } else if (i == 0 || rails[i].number != rails[i - 1].number) {
        units.back().ports.push_back({rails[i].number, ranks_[n][i]});
      }
    }
  }
  return units;
}

std::string MeasuredNodes::label(std::uint32_t rank) const {
  return rails_.label(fabric_.endpoints()[rank]);
}

std::string MeasuredNodes::switch_text(SwitchId s) const {
  const auto name = switch_names_.find(fabric_.switch_at(s).guid);
  return name == switch_names_.end() ? fabric_.label(s) : name->second;
}

std::string MeasuredNodes::link_text(const FlowAlternatives& alternatives, std::uint32_t link,
                                     std::string_view arrow) const {
  if (link < alternatives.channel_count()) {
    const auto end = [&](std::uint32_t s, PortNumber port) {
      return fmt::format("{}[{}]", switch_text(SwitchId(s)), port);
    };
    return fmt::format("{} {} {}",
                       end(fabric_.channel_tail()[link], fabric_.channel_out_port()[link]), arrow,
                       end(fabric_.channel_head()[link], fabric_.channel_in_port()[link]));
  }
  const std::uint32_t rank = (link - alternatives.channel_count()) / 2;
  const EndPort& port = fabric_.end_port(fabric_.endpoints()[rank]);
  const std::string host = label(rank);
  const std::string at = fmt::format("{}[{}]", switch_text(port.attached), port.switch_port);
  return link == alternatives.link_from(rank) ? fmt::format("{} {} {}", host, arrow, at)
                                              : fmt::format("{} {} {}", at, arrow, host);
}

std::string MeasuredNodes::text(const FlowAlternatives& alternatives, SuspectObject object) const {
  switch (object.kind) {
    case SuspectObject::Kind::direction:
      return link_text(alternatives, object.index, "->");
    case SuspectObject::Kind::cable:
      return link_text(alternatives, object.index, "-");
    case SuspectObject::Kind::node:
      break;
  }
  const NodeRails::Node& node = rails_.nodes()[object.index];
  return fmt::format("node {} ({} adapters)", node.name, node.rails.size());
}

SuspectObject MeasuredNodes::find_object(const FlowAlternatives& alternatives,
                                         std::string_view text) const {
  using Kind = SuspectObject::Kind;
  std::string_view rest = trimmed(text);
  const bool is_direction = rest.ends_with("->");
  if (is_direction) rest = trimmed(rest.substr(0, rest.size() - 2));
  const auto of_link = [&](std::uint32_t link) -> SuspectObject {
    if (is_direction) return {Kind::direction, link};
    return {Kind::cable, std::min(link, alternatives.reverse(link))};
  };
  if (const auto port = rails_.find_port(rest))
    return of_link(alternatives.link_from(rank_of(*port)));
  if (const auto node = rails_.find(rest); node && !is_direction) return {Kind::node, *node};
  const std::size_t bracket = rest.rfind('[');
  if (bracket != std::string_view::npos && rest.ends_with(']')) {
    const std::string_view name = trimmed(rest.substr(0, bracket));
    std::string_view digits = rest.substr(bracket + 1, rest.size() - bracket - 2);
    const auto port = take_number(digits);
    for (std::uint32_t s = 0; port && digits.empty() && s < fabric_.switch_count(); ++s) {
      const Switch& each = fabric_.switch_at(SwitchId(s));
      if (name != each.name && name != each.description && name != switch_text(SwitchId(s)))
        continue;
      const PortTarget target = *port < no_port
                                    ? fabric_.behind(SwitchId(s), static_cast<PortNumber>(*port))
                                    : PortTarget{};
      if (target.kind == PortTarget::Kind::channel) return of_link(target.index);
      if (target.kind == PortTarget::Kind::end_port && fabric_.is_endpoint(EndPortId(target.index)))
        return of_link(alternatives.link_to(rank_of(EndPortId(target.index))));
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("'{}' is neither a node, nor an adapter (node/mlx5_0), nor a cabled port "
                          "of a switch (SWITCH[PORT])",
                          excerpt(text)));
}

}  // namespace pssp
