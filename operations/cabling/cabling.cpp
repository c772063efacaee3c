// A list names nodes in the fields of its rows, so nodes are identified by their identity; a device
// that is a switch in one row (Port 21) and has only a port number in another one is a switch.

#include "operations/cabling/cabling.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/no_index.h"
#include "base/printable.h"
#include "fabric/formats/chassis_name.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

std::string director_of(std::string_view description) {
  const auto chassis = parse_chassis_name(description);
  return chassis && chassis->board != 0 ? node_identity(chassis->system) : std::string();
}

class FabricCabling {
 public:
  FabricCabling(const Fabric& fabric, const NodeNameMap& names) : fabric_(fabric), names_(names) {
    for (const BackToBackCable& cable : fabric.back_to_back_cables()) {
      back_to_back_.insert({cable.a.value(), cable.b.value()});
    }
  }

  Cabling run() {
    for (const Switch& each : fabric_.switches()) add_switch(each);
    add_adapters();
    add_cables();
    add_unrouted_cables();
    return std::move(cabling_);
  }

 private:
  std::string description_of(Guid guid, const std::string& description) const {
    const auto found = names_.find(guid);
    return found == names_.end() ? description : found->second;
  }

  void add_switch(const Switch& each) {
    const std::string description = description_of(each.guid, description_or_name(each));
    cabling_.nodes.push_back({each.guid, printable(description), node_identity(description),
                              director_of(description), Cabling::NodeKind::switch_chip, false});
  }

  void add_adapters() {
    node_of_port_.assign(fabric_.end_port_count(), no_index);
    const auto ports = fabric_.end_ports();
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const EndPort& port = ports[i];
      if (!has_cable(EndPortId(static_cast<std::uint32_t>(i))) ||
          port.kind == EndPortKind::aggregation_node) {
        continue;
      }
      const bool is_same = !cabling_.nodes.empty() &&
                           cabling_.nodes.back().guid == port.node_guid &&
                           cabling_.nodes.back().kind == Cabling::NodeKind::adapter;
      if (!is_same) add_adapter(port);
      node_of_port_[i] = static_cast<std::uint32_t>(cabling_.nodes.size() - 1);
    }
  }

  bool has_cable(EndPortId e) const {
    return fabric_.end_port(e).attached.valid() || back_to_back_.contains(e.value());
  }

  /// Cables within one switch, or between adapters.
  void add_unrouted_cables() {
    std::size_t plugs = 0;
    std::string example;
    for (const LoopCable& loop : fabric_.loop_cables()) {
      const Cabling::Port a{loop.at.value(), loop.a}, b{loop.at.value(), loop.b};
      if (a != b) {
        cabling_.cables.push_back({a, b, loop.rate.capacity(), to_string(loop.rate)});
      } else if (plugs++ == 0) {
        example = port_label(cabling_.nodes[a.node].name, a.number);
      }
    }
    if (plugs != 0) {
      cabling_.warnings.push_back(
          fmt::format("{} ports are cabled to themselves (loopback plugs) and are not compared, "
                      "e.g. {}",
                      plugs, example));
    }
    for (const BackToBackCable& cable : fabric_.back_to_back_cables()) {
      const std::uint32_t a = node_of_port_[cable.a.value()], b = node_of_port_[cable.b.value()];
      if (a == no_index || b == no_index || cable.a == cable.b) continue;
      cabling_.cables.push_back({{a, fabric_.end_port(cable.a).port},
                                 {b, fabric_.end_port(cable.b).port},
                                 cable.rate.capacity(),
                                 to_string(cable.rate)});
    }
  }

  void add_adapter(const EndPort& port) {
    const std::string description = description_of(port.node_guid, port.description);
    const bool is_unnamed = names_no_node(description);
    const std::string name = is_unnamed ? port.name : description;
    const bool has_factory_name = is_unnamed && !description.empty() && description != port.name;
    cabling_.nodes.push_back({port.node_guid,
                              printable(name),
                              has_factory_name ? std::string() : node_identity(name),
                              {},
                              Cabling::NodeKind::adapter,
                              has_factory_name});
  }

  void add_cables() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      for (unsigned p = 1; p <= fabric_.switch_at(SwitchId(s)).ports; ++p) {
        add_cable({s, static_cast<PortNumber>(p)});
      }
    }
  }

  void add_cable(Cabling::Port at) {
    const PortTarget target = fabric_.behind(SwitchId(at.node), at.number);
    if (target.kind == PortTarget::Kind::end_port) {
      const EndPort& far = fabric_.end_port(EndPortId(target.index));
      const std::uint32_t node = node_of_port_[target.index];
      if (node == no_index) return;
      cabling_.cables.push_back({at, {node, far.port}, far.rate.capacity(), to_string(far.rate)});
    } else if (target.kind == PortTarget::Kind::channel) {
      const std::uint32_t back = fabric_.channel_reverse()[target.index];
      if (back < target.index) return;
      const LinkRate rate = fabric_.channel_rate()[target.index];
      cabling_.cables.push_back(
          {at,
           {fabric_.channel_head()[target.index], fabric_.channel_in_port()[target.index]},
           rate.capacity(),
           to_string(rate)});
    }
  }

  const Fabric& fabric_;
  const NodeNameMap& names_;
  Cabling cabling_;
  std::vector<std::uint32_t> node_of_port_;
  std::unordered_set<std::uint32_t> back_to_back_;  // end ports
};

class ListCabling {
 public:
  explicit ListCabling(const CableList& list) : list_(list) {}

  Cabling run() {
    cabling_.is_list = true;
    cabling_.warnings = list_.warnings;
    for (const CableListRow& row : list_.rows) {
      const Cabling::Port a = port_of(row.start), b = port_of(row.end);
      cabling_.cables.push_back({a, b, row.megabits, {}});
    }
    return std::move(cabling_);
  }

 private:
  Cabling::Port port_of(const CableListEnd& end) {
    const std::string key = end.guid != 0 ? "0x" + std::to_string(end.guid) : end.identity;
    const auto [found, is_new] =
        by_key_.emplace(key, static_cast<std::uint32_t>(cabling_.nodes.size()));
    if (is_new) cabling_.nodes.push_back(node_of(end));
    Cabling::Node& node = cabling_.nodes[found->second];
    if (end.kind == CableListEnd::Kind::switch_chip) node.kind = Cabling::NodeKind::switch_chip;
    return {found->second, static_cast<PortNumber>(end.port)};
  }

  static Cabling::Node node_of(const CableListEnd& end) {
    Cabling::Node node;
    node.guid = end.guid;
    node.identity = end.identity;
    const bool is_blade =
        end.identity.size() > end.device.size() && end.kind == CableListEnd::Kind::switch_chip;
    if (is_blade) {
      node.system = node_identity(end.device);
      node.name = printable(end.device + end.identity.substr(node.system.size()));
    } else if (end.kind == CableListEnd::Kind::adapter && end.guid == 0) {
      node.name = printable(end.identity);
    } else {
      node.name = printable(end.device);
    }
    if (end.kind == CableListEnd::Kind::adapter) node.kind = Cabling::NodeKind::adapter;
    return node;
  }

  const CableList& list_;
  Cabling cabling_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
};

}  // namespace

Cabling cabling_of(const Fabric& fabric, const NodeNameMap& names) {
  return FabricCabling(fabric, names).run();
}

Cabling cabling_of(const CableList& list) { return ListCabling(list).run(); }

CableIndex::CableIndex(const Cabling& cabling)
    : by_port_(cabling.nodes.size()), of_node_(cabling.nodes.size()) {
  for (std::uint32_t c = 0; c < cabling.cables.size(); ++c) {
    for (const Cabling::Port port : {cabling.cables[c].a, cabling.cables[c].b}) {
      std::vector<std::uint32_t>& ports = by_port_[port.node];
      if (ports.size() <= port.number) ports.resize(port.number + std::size_t{1}, no_index);
      ports[port.number] = c;
    }
  }
  for (std::size_t node = 0; node < by_port_.size(); ++node) {
    for (const std::uint32_t c : by_port_[node]) {
      if (c != no_index) of_node_[node].push_back(c);
    }
  }
}

std::uint32_t CableIndex::at(Cabling::Port port) const {
  const std::vector<std::uint32_t>& ports = by_port_[port.node];
  return port.number < ports.size() ? ports[port.number] : no_index;
}

}  // namespace pssp
