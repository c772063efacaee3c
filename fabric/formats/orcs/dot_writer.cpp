// One statement per node, then one per edge, grouped by the node that the edges leave, in the order
// of its ports: ORCS's tools number ports by that order, and use the edge's key as the port number.
// Further information (GUIDs, LIDs and port numbers) is in attributes that ORCS ignores, so that
// the graph can be read back as the same fabric.
//
// The lists of destinations are by far the largest part: all hosts once per switch. They are built
// switch by switch, one list per port.

#include "fabric/formats/orcs/dot_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_set>

#include "base/printable.h"

namespace pssp {
namespace {

/// ORCS splits lists of destinations at these characters, and '*' alone means all hosts.
bool may_be_listed(std::string_view name) {
  return !name.empty() && name != "*" && name.find_first_of(", \t\r\n") == std::string_view::npos;
}

class NameGiver {
 public:
  explicit NameGiver(const Fabric& fabric) : fabric_(fabric) {}

  DotNames run() {
    DotNames names;
    for (const Switch& s : fabric_.switches()) {
      names.switches.push_back(unique(s.name, !is_host_name(s.name), "S", s.guid));
    }
    for (std::uint32_t e = 0; e < fabric_.end_port_count(); ++e) {
      const EndPort& port = fabric_.end_port(EndPortId(e));
      const bool is_host =
          port.kind == EndPortKind::channel_adapter || fabric_.is_endpoint(EndPortId(e));
      // Each port of an adapter with several ports is a separate host: the first keeps the name.
      names.end_ports.push_back(unique(port.name, is_host_name(port.name) == is_host,
                                       is_host                            ? "H"
                                       : port.kind == EndPortKind::router ? "R"
                                                                          : "A",
                                       port.port_guid));
    }
    return names;
  }

 private:
  static bool is_host_name(std::string_view name) { return name.starts_with('H'); }

  std::string unique(const std::string& name, bool fits, std::string_view prefix, Guid guid) {
    // A name with unprintable characters could become equal to another.
    const bool may_stay = fits && may_be_listed(name) && printable(name) == name;
    if (may_stay && used_.insert(name).second) return name;
    std::string made = fmt::format("{}-{:016x}", prefix, guid);
    while (!used_.insert(made).second) made += '+';
    return made;
  }

  const Fabric& fabric_;
  std::unordered_set<std::string> used_;
};

class DotWriter {
 public:
  DotWriter(const Fabric& fabric, const ForwardingTables* tables,
            const DotEdgeAttributes& attributes, const ContentSink& sink)
      : fabric_(fabric),
        tables_(tables),
        attributes_(attributes),
        sink_(sink),
        names_(dot_names(fabric)),
        destinations_(std::size_t{max_port_number} + 1) {}

  void run();

 private:
  void write_switch_nodes();
  void write_end_port_nodes();
  void write_edges_of(SwitchId s);
  void write_edge_of(EndPortId e);
  void list_destinations(SwitchId s);
  void write_edge(DotEdge edge, std::string_view from, std::string_view to, PortNumber out_port,
                  PortNumber in_port, LinkRate rate, std::string_view destinations);
  void write_attributes(std::span<const DotAttribute> attributes);
  void quote(std::string_view said);
  void flush() {
    sink_(text_);
    text_.clear();
  }

  const Fabric& fabric_;
  const ForwardingTables* tables_;
  const DotEdgeAttributes& attributes_;
  const ContentSink& sink_;
  DotNames names_;
  std::vector<std::string> destinations_;  // by port of the current switch
  std::vector<DotAttribute> of_edge_;
  std::string text_;
};

/// In quotes; the only escape of the language is for the quote itself. A backslash before a quote
/// would be part of such an escape, so a text cannot end in one, nor have one before a quote.
void DotWriter::quote(std::string_view said) {
  const std::string text = printable(said);
  text_ += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool before_quote = i + 1 == text.size() || text[i + 1] == '"';
    if (c == '"') {
      text_ += "\\\"";
    } else if (c == '\\' && before_quote) {
      text_ += '/';
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void DotWriter::write_attributes(std::span<const DotAttribute> attributes) {
  text_ += '[';
  bool is_first = true;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::string& name = attributes[i].name;
    const auto rest = attributes.subspan(i + 1);
    if (std::any_of(rest.begin(), rest.end(),
                    [&name](const DotAttribute& later) { return later.name == name; }))
      continue;
    if (!is_first) text_ += ", ";
    is_first = false;
    quote(name);
    text_ += '=';
    quote(attributes[i].value);
  }
  text_ += "];\n";
}

void DotWriter::write_switch_nodes() {
  std::vector<DotAttribute> of_node;
  for (std::uint32_t index = 0; index < fabric_.switch_count(); ++index) {
    const Switch& node = fabric_.switch_at(SwitchId(index));
    of_node = {{"shape", "box"},
               {"guid", fmt::format("0x{:x}", node.guid)},
               {"ports", std::to_string(node.ports)}};
    if (node.description != names_.switches[index]) of_node.push_back({"label", node.description});
    quote(names_.switches[index]);
    text_ += ' ';
    write_attributes(of_node);
  }
}

void DotWriter::write_end_port_nodes() {
  std::unordered_set<Guid> used;
  for (const Switch& s : fabric_.switches()) used.insert(s.guid);
  std::vector<DotAttribute> of_node;
  for (std::uint32_t index = 0; index < fabric_.end_port_count(); ++index) {
    const EndPort& node = fabric_.end_port(EndPortId(index));
    if (!node.attached.valid()) continue;
    of_node.clear();
    const Guid guid = used.contains(node.node_guid) ? node.port_guid : node.node_guid;
    if (used.insert(guid).second) of_node.push_back({"guid", fmt::format("0x{:x}", guid)});
    of_node.push_back({"port_guid", fmt::format("0x{:x}", node.port_guid)});
    if (tables_ != nullptr && node.lid != no_lid)
      of_node.push_back({"lid", std::to_string(node.lid)});
    if (node.kind != EndPortKind::channel_adapter) {
      of_node.push_back({"kind", node.kind == EndPortKind::router ? "router" : "aggregation node"});
    }
    if (node.description != names_.end_ports[index]) of_node.push_back({"label", node.description});
    quote(names_.end_ports[index]);
    text_ += ' ';
    write_attributes(of_node);
  }
}

/// Hosts by port of the switch, with their base LIDs and in the order of these, as in lftsdump2dot.
void DotWriter::list_destinations(SwitchId s) {
  for (std::string& list : destinations_) list.clear();
  if (tables_ == nullptr) return;
  const std::span<const PortNumber> row = tables_->row(s);
  for (const Lid lid : fabric_.lids()) {
    const LidOwner owner = fabric_.owner(lid);
    if (owner.kind != LidOwner::Kind::end_port || lid >= row.size() || row[lid] == no_port)
      continue;
    const EndPort& to = fabric_.end_port(EndPortId(owner.index));
    if (!to.attached.valid() || to.lid != lid) continue;
    std::string& list = destinations_[row[lid]];
    if (!list.empty()) list += ", ";
    list += names_.end_ports[owner.index];
  }
}

void DotWriter::write_edge(DotEdge edge, std::string_view from, std::string_view to,
                           PortNumber out_port, PortNumber in_port, LinkRate rate,
                           std::string_view destinations) {
  of_edge_.clear();
  of_edge_.push_back({"key", std::to_string(out_port)});
  of_edge_.push_back({"in_port", std::to_string(in_port)});
  if (std::string name = to_string(rate); !name.empty())
    of_edge_.push_back({"rate", std::move(name)});
  if (tables_ != nullptr) of_edge_.push_back({"comment", std::string(destinations)});
  if (attributes_) attributes_(edge, of_edge_);
  quote(from);
  text_ += " -> ";
  quote(to);
  text_ += ' ';
  write_attributes(of_edge_);
}

void DotWriter::write_edges_of(SwitchId s) {
  list_destinations(s);
  const std::string& from = names_.switches[s.value()];
  for (unsigned p = 1; p <= fabric_.switch_at(s).ports; ++p) {
    const auto port = static_cast<PortNumber>(p);
    const PortTarget target = fabric_.behind(s, port);
    if (target.kind == PortTarget::Kind::channel) {
      const std::uint32_t c = target.index;
      write_edge({DotEdge::Kind::channel, c}, from, names_.switches[fabric_.channel_head()[c]],
                 port, fabric_.channel_in_port()[c], fabric_.channel_rate()[c], destinations_[p]);
    } else if (target.kind == PortTarget::Kind::end_port) {
      const EndPort& to = fabric_.end_port(EndPortId(target.index));
      write_edge({DotEdge::Kind::to_end_port, target.index}, from, names_.end_ports[target.index],
                 port, to.port, to.rate, destinations_[p]);
    }
  }
  flush();
}

void DotWriter::write_edge_of(EndPortId e) {
  const EndPort& from = fabric_.end_port(e);
  if (!from.attached.valid()) return;
  write_edge({DotEdge::Kind::from_end_port, e.value()}, names_.end_ports[e.value()],
             names_.switches[from.attached.value()], from.port, from.switch_port, from.rate, "*");
}

void DotWriter::run() {
  text_ = "digraph network {\n";
  write_switch_nodes();
  write_end_port_nodes();
  flush();
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) write_edges_of(SwitchId(s));
  for (std::uint32_t e = 0; e < fabric_.end_port_count(); ++e) write_edge_of(EndPortId(e));
  text_ += "}\n";
  flush();
}

}  // namespace

DotNames dot_names(const Fabric& fabric) { return NameGiver(fabric).run(); }

void write_dot(const Fabric& fabric, const ForwardingTables* tables,
               const DotEdgeAttributes& attributes, const ContentSink& sink) {
  DotWriter(fabric, tables, attributes, sink).run();
}

std::string to_dot(const Fabric& fabric, const ForwardingTables* tables,
                   const DotEdgeAttributes& attributes) {
  std::string graph;
  write_dot(fabric, tables, attributes, [&graph](std::string_view part) { graph += part; });
  return graph;
}

}  // namespace pssp
