// Writes switches, then adapters, each in ascending order of GUID, in the notation of
// ibnetdiscover, which contains all properties of cabled ports; a comment describes ports with a
// LID but without a cable (topology_lines.h). ibsim has limits: it reads lines of at most 255
// bytes, identifiers of at most 64 without '#' and '@', and descriptions of at most 64. A name
// beyond these limits is replaced by ibnetdiscover's ("S-<guid>"), a description is truncated.
//
// ibsim searches whole port lines, including descriptions, for options (`w=`, `s=`, `e=`) and LIDs,
// and reads neither LID nor rate of a router.

#include "fabric/formats/net_file_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/printable.h"

namespace pssp {
namespace {

constexpr std::size_t max_name = 64;
constexpr std::size_t max_description = 64;  // size of the NodeDescription attribute

/// ibsim's masks of a rate; empty if it has none.
std::string ibsim_masks(LinkRate rate) {
  constexpr std::array widths{std::pair(1U, 1U), std::pair(2U, 16U), std::pair(4U, 2U),
                              std::pair(8U, 4U), std::pair(12U, 8U)};
  const auto* const width =
      std::ranges::find(widths, unsigned{rate.lanes}, &std::pair<unsigned, unsigned>::first);
  if (!rate.stated() || width == widths.end()) return {};
  struct Speed {
    unsigned megabits, speeds, extended_speeds;
  };
  constexpr std::array speeds{Speed{50'000, 7, 7}, Speed{25'000, 7, 3}, Speed{13'636, 7, 1},
                              Speed{8'000, 7, 0},  Speed{4'000, 3, 0},  Speed{0, 1, 0}};
  const auto* const speed = std::ranges::find_if(
      speeds, [&](const Speed& each) { return rate.megabits_per_lane >= each.megabits; });
  return fmt::format("w={} s={} e={} ", width->second, speed->speeds, speed->extended_speeds);
}

class NetFileWriter {
 public:
  NetFileWriter(const Fabric& fabric, NetFileDialect dialect);
  std::string run();

 private:
  std::string unique_id(const std::string& name, std::string_view prefix, Guid guid);
  std::string one_line(std::string_view description) const;
  /// Of the node at the far end of a cable.
  std::string far_description(std::string_view description) const {
    return dialect_ == NetFileDialect::ibsim ? std::string() : one_line(description);
  }
  void write_switch(SwitchId s);
  void write_switch_port(SwitchId s, PortNumber port);
  void write_adapter(std::uint32_t first, std::uint32_t last);
  void write_adapter_port(std::uint32_t index);
  void write_rate(LinkRate rate);

  const Fabric& fabric_;
  NetFileDialect dialect_;
  std::map<std::pair<std::uint32_t, PortNumber>, std::pair<PortNumber, LinkRate>> loops_;
  std::map<std::uint32_t, std::pair<std::uint32_t, LinkRate>> back_to_back_;
  std::unordered_set<std::string> used_;
  std::vector<std::string> switch_ids_, end_port_ids_;
  std::string text_;
};

std::string NetFileWriter::unique_id(const std::string& name, std::string_view prefix, Guid guid) {
  const bool fits = !name.empty() && name.size() <= max_name && printable(name) == name &&
                    name.find_first_of("\"#@") == std::string::npos;
  if (fits && used_.insert(name).second) return name;
  std::string id = fmt::format("{}-{:016x}", prefix, guid);
  used_.insert(id);
  return id;
}

std::string NetFileWriter::one_line(std::string_view description) const {
  std::string line = printable(description.substr(0, max_description));
  if (dialect_ != NetFileDialect::ibsim) return line;
  std::ranges::replace(line, '"', '\'');
  // ibsim replaces an empty description by the identifier.
  if (line.empty()) line = " ";
  return line;
}

NetFileWriter::NetFileWriter(const Fabric& fabric, NetFileDialect dialect)
    : fabric_(fabric), dialect_(dialect) {
  for (const Switch& s : fabric.switches()) switch_ids_.push_back(unique_id(s.name, "S", s.guid));
  for (const EndPort& e : fabric.end_ports()) {
    const bool same_host =
        !end_port_ids_.empty() && fabric.end_ports()[end_port_ids_.size() - 1].host == e.host;
    end_port_ids_.push_back(same_host ? end_port_ids_.back() : unique_id(e.name, "H", e.node_guid));
  }
  for (const LoopCable& loop : fabric.loop_cables()) {
    loops_[{loop.at.value(), loop.a}] = {loop.b, loop.rate};
    loops_[{loop.at.value(), loop.b}] = {loop.a, loop.rate};
  }
  for (const BackToBackCable& cable : fabric.back_to_back_cables()) {
    back_to_back_[cable.a.value()] = {cable.b.value(), cable.rate};
    back_to_back_[cable.b.value()] = {cable.a.value(), cable.rate};
  }
}

void NetFileWriter::write_rate(LinkRate rate) {
  const std::string name = to_string(rate);
  text_ += name.empty() ? "\n" : " " + name + "\n";
}

void NetFileWriter::write_switch(SwitchId s) {
  const auto end = std::back_inserter(text_);
  const Switch& node = fabric_.switch_at(s);
  fmt::format_to(
      end, "\nswitchguid=0x{:x}({:x})\nSwitch\t{} \"{}\"\t\t# \"{}\" {} port 0 lid {} lmc {}\n",
      node.guid, node.guid, node.ports, switch_ids_[s.value()], one_line(node.description),
      node.lmc == 0 ? "base" : "enhanced", node.lid, node.lmc);
  for (unsigned port = 1; port <= node.ports; ++port) {
    write_switch_port(s, static_cast<PortNumber>(port));
  }
}

void NetFileWriter::write_switch_port(SwitchId s, PortNumber port) {
  const auto end = std::back_inserter(text_);
  const auto write_far_switch = [&](SwitchId far_id, PortNumber far_port, LinkRate rate) {
    const Switch& far = fabric_.switch_at(far_id);
    fmt::format_to(end, "[{}]\t\"{}\"[{}]\t\t# \"{}\" lid {}", port, switch_ids_[far_id.value()],
                   far_port, far_description(far.description), far.lid);
    write_rate(rate);
  };
  const PortTarget target = fabric_.behind(s, port);
  if (target.kind == PortTarget::Kind::channel) {
    write_far_switch(SwitchId(fabric_.channel_head()[target.index]),
                     fabric_.channel_in_port()[target.index], fabric_.channel_rate()[target.index]);
  } else if (target.kind == PortTarget::Kind::end_port) {
    const EndPort& far = fabric_.end_port(EndPortId(target.index));
    fmt::format_to(end, "[{}]\t\"{}\"[{}]({:x}) \t\t# \"{}\" lid {}", port,
                   end_port_ids_[target.index], far.port, far.port_guid,
                   far_description(far.description), far.lid);
    write_rate(far.rate);
  } else if (const auto loop = loops_.find({s.value(), port}); loop != loops_.end()) {
    write_far_switch(s, loop->second.first, loop->second.second);
  }
}

void NetFileWriter::write_adapter(std::uint32_t first, std::uint32_t last) {
  const auto end = std::back_inserter(text_);
  const EndPort& node = fabric_.end_port(EndPortId(first));
  const bool is_router = node.kind == EndPortKind::router;
  fmt::format_to(end, "\n{}guid=0x{:x}\n{}\t{} \"{}\"\t\t# \"{}\"\n", is_router ? "rt" : "ca",
                 node.node_guid, is_router ? "Rt" : "Ca", last - first, end_port_ids_[first],
                 one_line(node.description));
  for (std::uint32_t index = first; index < last; ++index) write_adapter_port(index);
}

void NetFileWriter::write_adapter_port(std::uint32_t index) {
  const auto end = std::back_inserter(text_);
  const EndPort& port = fabric_.end_port(EndPortId(index));
  const bool states_masks = dialect_ == NetFileDialect::ibsim && port.kind == EndPortKind::router;
  const std::string masks = states_masks ? ibsim_masks(port.rate) : std::string();
  if (port.attached.valid()) {
    const Switch& far = fabric_.switch_at(port.attached);
    fmt::format_to(end, "[{}]({:x}) \t\"{}\"[{}]\t\t{}# lid {} lmc {} \"{}\" lid {}", port.port,
                   port.port_guid, switch_ids_[port.attached.value()], port.switch_port, masks,
                   port.lid, port.lmc, far_description(far.description), far.lid);
    write_rate(port.rate);
  } else if (const auto cable = back_to_back_.find(index); cable != back_to_back_.end()) {
    const auto& [far_index, rate] = cable->second;
    const EndPort& far = fabric_.end_port(EndPortId(far_index));
    fmt::format_to(end, "[{}]({:x}) \t\"{}\"[{}]({:x})\t\t{}# lid {} lmc {} \"{}\" lid {}",
                   port.port, port.port_guid, end_port_ids_[far_index], far.port, far.port_guid,
                   masks, port.lid, port.lmc, far_description(far.description), far.lid);
    write_rate(rate);
  } else if (port.lid != no_lid) {
    fmt::format_to(end, "# port {} ({:x}) lid {} lmc {} without a cable\n", port.port,
                   port.port_guid, port.lid, port.lmc);
  }
}

std::string NetFileWriter::run() {
  fmt::format_to(std::back_inserter(text_), "#\n# Topology file: {} switches, {} adapters\n#\n",
                 fabric_.switch_count(), fabric_.host_count());
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) write_switch(SwitchId(s));
  const auto ports = static_cast<std::uint32_t>(fabric_.end_port_count());
  for (std::uint32_t first = 0, last = 0; first < ports; first = last) {
    while (last < ports && fabric_.end_ports()[last].host == fabric_.end_ports()[first].host)
      ++last;
    write_adapter(first, last);
  }
  return std::move(text_);
}

}  // namespace

std::string to_net_file(const Fabric& fabric, NetFileDialect dialect) {
  return NetFileWriter(fabric, dialect).run();
}

}  // namespace pssp
