// Counts the nodes and cables of the fabric for which the writer of the notation has no line. The
// conditions are the writers' (orcs/dot_writer.cpp, omnet/omnet_writer.cpp, net_file_writer.cpp);
// for a cabling list, its rows are counted, because its names determine what is inside a director.

#include "fabric/input/conversion_losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/formats/cable_list.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::size_t longest_description = 64;  // of a net file

class LossCounter {
 public:
  LossCounter(const Fabric& fabric, OutputNotation notation, const ForwardingTables* tables)
      : fabric_(fabric), notation_(notation), tables_(tables) {}

  ConversionLosses run() {
    if (tables_ != nullptr) count_entries();
    if (notation_ == OutputNotation::omnet_tables) return losses_;
    count_adapters();
    count_cables();
    count_lids();
    for (const Switch& each : fabric_.switches()) count_name(each.description, each.name);
    if (notation_ == OutputNotation::cable_list) count_rows();
    return losses_;
  }

 private:
  bool is_written(EndPortId e) const {
    switch (notation_) {
      case OutputNotation::net:
        return true;
      case OutputNotation::dot:
        return fabric_.end_port(e).attached.valid();
      case OutputNotation::ned:
      case OutputNotation::omnet_tables:
        return fabric_.is_endpoint(e);
      case OutputNotation::cable_list:
        return fabric_.end_port(e).kind != EndPortKind::aggregation_node;
    }
    return true;
  }

  /// An adapter is present if one of its ports is.
  void count_adapters() {
    const auto ports = static_cast<std::uint32_t>(fabric_.end_port_count());
    for (std::uint32_t first = 0, last = 0; first < ports; first = last) {
      bool is_there = false;
      const EndPort& adapter = fabric_.end_port(EndPortId(first));
      while (last < ports && fabric_.end_port(EndPortId(last)).host == adapter.host) {
        is_there = is_written(EndPortId(last++)) || is_there;
      }
      if (is_there) {
        count_name(adapter.description, adapter.name);
      } else {
        lose(losses_.nodes, losses_.node, excerpt(adapter.name));
      }
    }
  }

  void count_cables() {
    for (std::uint32_t e = 0; e < fabric_.end_port_count(); ++e) {
      const EndPort& port = fabric_.end_port(EndPortId(e));
      if (!port.attached.valid() || is_written(EndPortId(e))) continue;
      lose_cable(fmt::format("{} - {}[{}]", excerpt(port.name),
                             excerpt(fabric_.switch_at(port.attached).name), port.switch_port));
    }
    const bool keeps_all = notation_ == OutputNotation::net;
    for (const LoopCable& loop : fabric_.loop_cables()) {
      const bool is_row = notation_ == OutputNotation::cable_list && loop.a != loop.b;
      if (keeps_all || is_row) continue;
      const std::string name = excerpt(fabric_.switch_at(loop.at).name);
      lose_cable(fmt::format("{}[{}] - {}[{}]", name, loop.a, name, loop.b));
    }
    for (const BackToBackCable& cable : fabric_.back_to_back_cables()) {
      const bool is_row = notation_ == OutputNotation::cable_list && cable.a != cable.b &&
                          is_written(cable.a) && is_written(cable.b);
      if (keeps_all || is_row) continue;
      lose_cable(fmt::format("{} - {}", excerpt(fabric_.end_port(cable.a).name),
                             excerpt(fabric_.end_port(cable.b).name)));
    }
  }

  void count_lids() {
    if (notation_ == OutputNotation::net) return;
    losses_.lids = fabric_.lids().size();
    if (notation_ != OutputNotation::dot || tables_ == nullptr) return;
    for (const EndPort& port : fabric_.end_ports()) {
      if (port.attached.valid() && port.lid != no_lid) --losses_.lids;
    }
  }

  void count_name(const std::string& description, const std::string& name) {
    const bool is_printable = printable(description) == description;
    switch (notation_) {
      case OutputNotation::net:
        if (!is_printable || description.size() > longest_description) ++losses_.names;
        return;
      case OutputNotation::dot:
        // A label with a backslash would be read as one with escapes.
        if (!is_printable || description.find('\\') != std::string::npos) ++losses_.names;
        return;
      case OutputNotation::ned:
        if (!description.empty() && description != name) ++losses_.names;
        return;
      case OutputNotation::cable_list:
      case OutputNotation::omnet_tables:
        return;
    }
  }

  /// Whether the notation contains routes to the LID.
  bool has_routes_to(Lid lid) const {
    if (notation_ != OutputNotation::dot && notation_ != OutputNotation::omnet_tables) return false;
    const LidOwner owner = fabric_.owner(lid);
    if (owner.kind != LidOwner::Kind::end_port) return false;
    const EndPortId e(owner.index);
    return fabric_.end_port(e).lid == lid && is_written(e);
  }

  /// Whether the notation contains the cable at the port.
  bool has_cable(SwitchId s, PortNumber port) const {
    const PortTarget target = fabric_.behind(s, port);
    return target.kind == PortTarget::Kind::channel ||
           (target.kind == PortTarget::Kind::end_port && is_written(EndPortId(target.index)));
  }

  void count_entries() {
    std::vector<char> is_routed;
    for (unsigned lid = 0; lid <= tables_->max_lid(); ++lid)
      is_routed.push_back(has_routes_to(static_cast<Lid>(lid)) ? 1 : 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const auto row = tables_->row(SwitchId(s));
      for (std::size_t lid = first_unicast_lid; lid < row.size(); ++lid) {
        const PortNumber port = row[lid];
        if (port == no_port || (is_routed[lid] != 0 && has_cable(SwitchId(s), port))) continue;
        if (losses_.entries++ != 0) continue;
        losses_.entry = fmt::format("LID {} at port {} of {}", lid, port,
                                    excerpt(fabric_.switch_at(SwitchId(s)).name));
      }
    }
  }

  /// Nodes that a list identifies by GUID lose their names; nodes without a row, and cables inside
  /// directors, are lost.
  void count_rows() {
    const CableList list = parse_cable_list(to_cable_list(fabric_), "list");
    std::set<std::string> named;
    std::set<Guid> numbered;
    for (const CableListRow& row : list.rows) {
      for (const CableListEnd* end : {&row.start, &row.end}) {
        if (end->guid != 0) {
          numbered.insert(end->guid);
        } else {
          named.insert(end->identity);
        }
      }
    }
    losses_.names = numbered.size();
    std::size_t cables = fabric_.channel_count() / 2 + fabric_.loop_cables().size() +
                         fabric_.back_to_back_cables().size();
    for (const EndPort& port : fabric_.end_ports()) cables += port.attached.valid() ? 1 : 0;
    losses_.cables = cables - std::min(cables, list.rows.size());
    const std::size_t nodes = fabric_.switch_count() + fabric_.host_count();
    losses_.nodes = nodes - std::min(nodes, named.size() + numbered.size());
  }

  static void lose(std::size_t& count, std::string& example, std::string what) {
    if (count++ == 0) example = std::move(what);
  }
  void lose_cable(std::string what) { lose(losses_.cables, losses_.cable, std::move(what)); }

  const Fabric& fabric_;
  OutputNotation notation_;
  const ForwardingTables* tables_;
  ConversionLosses losses_;
};

std::string_view name_of(OutputNotation notation) {
  switch (notation) {
    case OutputNotation::net:
      return "a net file";
    case OutputNotation::dot:
      return "a graph (dot)";
    case OutputNotation::ned:
      return "a network of OMNeT++ (ned)";
    case OutputNotation::cable_list:
      return "a cabling list";
    case OutputNotation::omnet_tables:
      return "a table file of OMNeT++ (fdbs)";
  }
  return {};
}

}  // namespace

ConversionLosses conversion_losses(const Fabric& fabric, OutputNotation notation,
                                   const ForwardingTables* tables) {
  return LossCounter(fabric, notation, tables).run();
}

std::string to_string(const ConversionLosses& losses, OutputNotation notation) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view several,
                       const std::string& example) {
    if (count == 0) return;
    parts.push_back(fmt::format("{} {}{}", count, count == 1 ? one : several,
                                example.empty() ? "" : fmt::format(" (e.g. {})", example)));
  };
  add(losses.nodes, "node", "nodes", losses.node);
  add(losses.cables, "cable", "cables", losses.cable);
  add(losses.lids, "LID", "LIDs", {});
  add(losses.names, "description", "descriptions", {});
  add(losses.entries, "LFT entry", "LFT entries", losses.entry);
  std::string text = fmt::format("{} cannot represent ", name_of(notation));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

}  // namespace pssp
