#include "tests/campaign/cabling.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace pssp::campaign {

Cabling::Cabling(const Fabric& fabric) : fabric_(&fabric), dark_(fabric.switch_count(), false) {
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (c > fabric.channel_reverse()[c]) continue;
    cables_.push_back({.a = {fabric.channel_tail()[c], fabric.channel_out_port()[c]},
                       .b = {fabric.channel_head()[c], fabric.channel_in_port()[c]}});
  }
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& end_port = fabric.end_port(EndPortId(e));
    if (!end_port.attached.valid()) continue;
    const auto node = static_cast<std::uint32_t>(fabric.switch_count()) + e;
    cables_.push_back(
        {.a = {node, end_port.port}, .b = {end_port.attached.value(), end_port.switch_port}});
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const unsigned ports = fabric.switch_at(SwitchId(s)).ports;
    used_.emplace_back(ports + 1U, false);
    for (unsigned port = 1; port <= ports; ++port) {
      const PortTarget target = fabric.behind(SwitchId(s), static_cast<PortNumber>(port));
      used_[s][port] = target.kind != PortTarget::Kind::none;
    }
  }
}

bool Cabling::is_up(std::size_t cable) const noexcept {
  const Cable& c = cables_[cable];
  return !c.cut && !is_dark(c.a.node) && !is_dark(c.b.node);
}

bool Cabling::joins_switches(std::size_t cable) const noexcept {
  return cables_[cable].a.node < dark_.size();
}

bool Cabling::is_host(std::size_t cable) const noexcept {
  if (joins_switches(cable)) return false;
  const auto end_port = static_cast<std::uint32_t>(cables_[cable].a.node - dark_.size());
  return fabric_->end_port(EndPortId(end_port)).kind == EndPortKind::channel_adapter;
}

std::vector<Plug> Cabling::free_ports() const {
  std::set<Plug> taken;
  for (const Cable& cable : cables_) taken.insert(cable.b);
  std::vector<Plug> free;
  for (std::uint32_t s = 0; s < dark_.size(); ++s) {
    for (std::size_t port = 1; !dark_[s] && port < used_[s].size(); ++port) {
      const Plug plug{s, static_cast<PortNumber>(port)};
      if (!used_[s][port] && !taken.contains(plug)) free.push_back(plug);
    }
  }
  return free;
}

std::size_t Cabling::cut_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(cables_, [](const Cable& cable) { return cable.cut; }));
}

std::size_t Cabling::dark_count() const {
  return static_cast<std::size_t>(std::ranges::count(dark_, true));
}

std::size_t Cabling::moved_count(const Cabling& original) const {
  std::size_t moved = 0;
  for (std::size_t c = 0; c < cables_.size(); ++c) moved += cables_[c].b != original.cables_[c].b;
  return moved;
}

std::vector<bool> Cabling::island_of(std::uint32_t start) const {
  std::vector<std::vector<std::uint32_t>> neighbours(fabric_->switch_count() +
                                                     fabric_->end_port_count());
  for (std::size_t c = 0; c < cables_.size(); ++c) {
    if (!is_up(c)) continue;
    neighbours[cables_[c].a.node].push_back(cables_[c].b.node);
    neighbours[cables_[c].b.node].push_back(cables_[c].a.node);
  }
  std::vector<bool> reached(neighbours.size(), false);
  std::vector<std::uint32_t> open{start};
  reached[start] = true;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t next : neighbours[node]) {
      if (reached[next]) continue;
      reached[next] = true;
      open.push_back(next);
    }
  }
  return reached;
}

std::vector<std::string> Cabling::commands_from(const Cabling& from) const {
  std::vector<std::string> commands;
  const auto stays = [&](std::size_t c) {
    return from.is_up(c) && is_up(c) && from.cables_[c].b == cables_[c].b;
  };
  for (std::size_t c = 0; c < cables_.size(); ++c) {
    if (from.is_up(c) && !stays(c)) commands.push_back(from.unlink_command(c));
  }
  for (std::size_t c = 0; c < cables_.size(); ++c) {
    if (is_up(c) && !stays(c)) commands.push_back(link_command(c));
  }
  return commands;
}

std::string Cabling::unlink_command(std::size_t cable) const {
  return "Unlink " + quoted(cables_[cable].a);
}

std::string Cabling::link_command(std::size_t cable) const {
  return "Link " + quoted(cables_[cable].a) + " " + quoted(cables_[cable].b);
}

const std::string& Cabling::name(std::uint32_t node) const {
  if (node < dark_.size()) return fabric_->switch_at(SwitchId(node)).name;
  return fabric_->end_port(EndPortId(static_cast<std::uint32_t>(node - dark_.size()))).name;
}

std::string Cabling::quoted(Plug plug) const {
  return fmt::format("\"{}\"[{}]", name(plug.node), unsigned{plug.port});
}

std::string Cabling::label(std::size_t cable) const {
  const auto [a, b, cut] = cables_[cable];
  return fmt::format("{}[{}] - {}[{}]", name(a.node), unsigned{a.port}, name(b.node),
                     unsigned{b.port});
}

namespace {

// Both ends of a cable as node GUID and port number, the smaller end first.
using End = std::pair<Guid, PortNumber>;
using Ends = std::pair<End, End>;

End end_of(const Fabric& fabric, Plug plug) {
  if (plug.node < fabric.switch_count()) {
    return {fabric.switch_at(SwitchId(plug.node)).guid, plug.port};
  }
  const EndPortId id(static_cast<std::uint32_t>(plug.node - fabric.switch_count()));
  return {fabric.end_port(id).node_guid, plug.port};
}

std::set<Ends> ends_of(const Fabric& names, const Cabling& cabling, std::uint32_t start) {
  const std::vector<bool> reached = cabling.island_of(start);
  std::set<Ends> all;
  for (std::size_t c = 0; c < cabling.cables().size(); ++c) {
    const Cable& cable = cabling.cables()[c];
    if (cabling.is_up(c) && reached[cable.a.node]) {
      all.insert(std::minmax(end_of(names, cable.a), end_of(names, cable.b)));
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> differences(const Fabric& original, const Cabling& expected,
                                     std::uint32_t start, const Fabric& found) {
  const std::set<Ends> wanted = ends_of(original, expected, start);
  std::set<Ends> there;
  const Cabling found_cabling(found);
  for (const Cable& cable : found_cabling.cables()) {
    there.insert(std::minmax(end_of(found, cable.a), end_of(found, cable.b)));
  }
  std::vector<std::string> lines;
  const auto report = [&](const char* what, const std::set<Ends>& in,
                          const std::set<Ends>& not_in) {
    std::vector<Ends> odd;
    std::ranges::set_difference(in, not_in, std::back_inserter(odd));
    for (const auto& [a, b] : odd) {
      lines.push_back(fmt::format("{}: {:#018x}[{}] - {:#018x}[{}]", what, a.first,
                                  unsigned{a.second}, b.first, unsigned{b.second}));
    }
  };
  report("lost", wanted, there);
  report("surplus", there, wanted);
  return lines;
}

}  // namespace pssp::campaign
