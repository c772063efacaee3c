// Switches first, then adapters, each in ascending order of GUID, in the notation of ibnetdiscover,
// which carries everything that a Fabric knows of a cabled port; what it knows of one that has a
// LID and no cable stands in a comment (topology_lines.h). ibsim has limits of its own: it reads
// lines of at most 255 bytes, identifiers of at most 64 without
// '#' and '@', and descriptions of at most 64. A name beyond these limits is replaced by the one
// that ibnetdiscover would give
// ("S-<guid>"), a description is cut.

#include "fabric/formats/net_file_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/shown.h"

namespace pssp {
namespace {

constexpr std::size_t max_name = 64;
constexpr std::size_t max_description = 64;  // size of the NodeDescription attribute

std::string one_line(std::string_view description) {
  return printable(description.substr(0, max_description));
}

class NetFileWriter {
 public:
  explicit NetFileWriter(const Fabric& fabric);
  std::string run();

 private:
  std::string unique_id(const std::string& name, std::string_view prefix, Guid guid);
  void write_switch(SwitchId s);
  void write_adapter(std::uint32_t first, std::uint32_t last);
  void write_rate(LinkRate rate);

  const Fabric& fabric_;
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

NetFileWriter::NetFileWriter(const Fabric& fabric) : fabric_(fabric) {
  for (const Switch& s : fabric.switches()) switch_ids_.push_back(unique_id(s.name, "S", s.guid));
  for (const EndPort& e : fabric.end_ports()) {
    const bool same_host =
        !end_port_ids_.empty() && fabric.end_ports()[end_port_ids_.size() - 1].host == e.host;
    end_port_ids_.push_back(same_host ? end_port_ids_.back() : unique_id(e.name, "H", e.node_guid));
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
    const PortTarget target = fabric_.behind(s, static_cast<PortNumber>(port));
    if (target.kind == PortTarget::Kind::channel) {
      const SwitchId far_id(fabric_.channel_head()[target.index]);
      const Switch& far = fabric_.switch_at(far_id);
      fmt::format_to(end, "[{}]\t\"{}\"[{}]\t\t# \"{}\" lid {}", port, switch_ids_[far_id.value()],
                     fabric_.channel_in_port()[target.index], one_line(far.description), far.lid);
      write_rate(fabric_.channel_rate()[target.index]);
    } else if (target.kind == PortTarget::Kind::end_port) {
      const EndPort& far = fabric_.end_port(EndPortId(target.index));
      fmt::format_to(end, "[{}]\t\"{}\"[{}]({:x}) \t\t# \"{}\" lid {}", port,
                     end_port_ids_[target.index], far.port, far.port_guid,
                     one_line(far.description), far.lid);
      write_rate(far.rate);
    }
  }
}

void NetFileWriter::write_adapter(std::uint32_t first, std::uint32_t last) {
  const auto end = std::back_inserter(text_);
  const EndPort& node = fabric_.end_port(EndPortId(first));
  const bool is_router = node.kind == EndPortKind::router;
  fmt::format_to(end, "\n{}guid=0x{:x}\n{}\t{} \"{}\"\t\t# \"{}\"\n", is_router ? "rt" : "ca",
                 node.node_guid, is_router ? "Rt" : "Ca", last - first, end_port_ids_[first],
                 one_line(node.description));
  for (std::uint32_t index = first; index < last; ++index) {
    const EndPort& port = fabric_.end_port(EndPortId(index));
    if (!port.attached.valid()) {
      if (port.lid == no_lid) continue;
      fmt::format_to(end, "# port {} ({:x}) lid {} lmc {} without a cable\n", port.port,
                     port.port_guid, port.lid, port.lmc);
      continue;
    }
    const Switch& far = fabric_.switch_at(port.attached);
    fmt::format_to(end, "[{}]({:x}) \t\"{}\"[{}]\t\t# lid {} lmc {} \"{}\" lid {}", port.port,
                   port.port_guid, switch_ids_[port.attached.value()], port.switch_port, port.lid,
                   port.lmc, one_line(far.description), far.lid);
    write_rate(port.rate);
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

std::string to_net_file(const Fabric& fabric) { return NetFileWriter(fabric).run(); }

}  // namespace pssp
