// Collects nodes and cables, and converts them to the flat arrays of a Fabric.
//
// While collecting, the builder has one array of ports (the ports of a node are consecutive, port 0
// first) and an index of GUIDs; each addition is O(1). Invalid input is rejected by the addition
// that causes it, so that a reader can report the line. build() sorts nodes, by GUID unless given
// another order, and lays out channels, ports and LIDs in that order.

#include "fabric/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::unreadable_input, printable(message));
}

/// The most frequent rate of links of end ports, the faster one of a tie. Hosts have precedence
/// over routers and aggregation nodes.
class UsualRate {
 public:
  void add(EndPortKind kind, LinkRate rate) {
    if (!rate.stated()) return;
    auto& [count, last] =
        (kind == EndPortKind::channel_adapter ? hosts_ : others_)[rate.capacity()];
    ++count;
    last = rate;
  }
  /// Unknown if no rate is known.
  LinkRate most_frequent() const {
    std::pair<std::size_t, LinkRate> best;
    for (const auto& [capacity, each] : hosts_.empty() ? others_ : hosts_) {
      if (each.first >= best.first) best = each;
    }
    return best.second;
  }

 private:
  std::map<std::uint32_t, std::pair<std::size_t, LinkRate>> hosts_, others_;  // by capacity
};

}  // namespace

NodeId FabricBuilder::add_node(Node node) {
  const char* const what = node.is_switch ? "switch" : "adapter";
  if (node.guid == 0)
    refuse(fmt::format("{} '{}' has GUID 0; every node needs a GUID of its own", what, node.name));
  if (node.ports == 0 || node.ports > max_port_number) {
    refuse(fmt::format("{} '{}' has {} ports; InfiniBand nodes have 1 to {}", what, node.name,
                       node.ports, max_port_number));
  }
  node.description = trimmed(node.description);
  const NodeId id(static_cast<std::uint32_t>(nodes_.size()));
  const auto [other, is_new] = node_by_guid_.try_emplace(node.guid, id);
  if (!is_new) {
    refuse(fmt::format("GUID 0x{:016x} of {} '{}' already belongs to '{}'; GUIDs must be unique",
                       node.guid, what, node.name, nodes_[other->second.value()].name));
  }
  node.first_port = static_cast<std::uint32_t>(ports_.size());
  ports_.resize(ports_.size() + node.ports + 1);
  for (unsigned port = 0; port <= node.ports; ++port) {
    ports_[node.first_port + port].guid = node.is_switch ? node.guid : node.guid + port;
  }
  nodes_.push_back(std::move(node));
  return id;
}

NodeId FabricBuilder::add_switch(Guid guid, unsigned ports, std::string name,
                                 std::string description) {
  if (name.empty()) name = fmt::format("S-{:016x}", guid);
  return add_node({.guid = guid,
                   .ports = ports,
                   .is_switch = true,
                   .name = std::move(name),
                   .description = std::move(description),
                   .configured_type = {}});
}

NodeId FabricBuilder::add_adapter(Guid node_guid, unsigned ports, EndPortKind kind,
                                  std::string name, std::string description) {
  if (name.empty()) name = fmt::format("H-{:016x}", node_guid);
  return add_node({.guid = node_guid,
                   .ports = ports,
                   .is_switch = false,
                   .kind = kind,
                   .name = std::move(name),
                   .description = std::move(description),
                   .configured_type = {}});
}

std::size_t FabricBuilder::port_index(NodeId node, PortNumber port) const {
  const Node& owner = nodes_[node.value()];
  if (port > owner.ports) {
    refuse(fmt::format("port {} of '{}' does not exist: the node has ports 1 to {}", port,
                       owner.name, owner.ports));
  }
  return owner.first_port + port;
}

const FabricBuilder::Port& FabricBuilder::port_at(NodeId node, PortNumber port) const {
  return ports_[port_index(node, port)];
}

FabricBuilder::Port& FabricBuilder::port_at(NodeId node, PortNumber port) {
  return ports_[port_index(node, port)];
}

void FabricBuilder::set_node_type(NodeId node, std::string type) {
  nodes_[node.value()].configured_type = std::move(type);
}

void FabricBuilder::set_port_guid(NodeId node, PortNumber port, Guid guid) {
  port_at(node, port).guid = guid;
}

Guid FabricBuilder::port_guid(NodeId node, PortNumber port) const {
  return port_at(node, port).guid;
}

Lid FabricBuilder::lid(NodeId node, PortNumber port) const { return port_at(node, port).lid; }

unsigned FabricBuilder::lmc(NodeId node, PortNumber port) const { return port_at(node, port).lmc; }

bool FabricBuilder::is_connected(NodeId node, PortNumber port) const {
  return port_at(node, port).cable.node.valid();
}

void FabricBuilder::set_lid(NodeId node, PortNumber port, unsigned lid, unsigned lmc) {
  const Node& owner = nodes_[node.value()];
  if (owner.is_switch != (port == management_port)) {
    refuse(
        fmt::format("port {} of {} '{}' cannot have a LID: switches have their LID at port 0, "
                    "adapters at the other ports",
                    port, owner.is_switch ? "switch" : "adapter", owner.name));
  }
  if (lmc > max_lmc)
    refuse(fmt::format("LMC {} of '{}' is out of range 0 to {}", lmc, owner.name, max_lmc));
  const unsigned count = 1U << lmc;
  if (lid < first_unicast_lid || lid + count - 1 > last_unicast_lid) {
    refuse(fmt::format("LID {} (LMC {}) of '{}' is outside the unicast range 1 to {}", lid, lmc,
                       owner.name, last_unicast_lid));
  }
  if (lid % count != 0) {
    refuse(
        fmt::format("base LID {} of '{}' is not a multiple of 2^LMC = {}", lid, owner.name, count));
  }
  Port& target = port_at(node, port);
  if (target.lid != no_lid) {
    if (target.lid == lid && target.lmc == lmc) return;
    refuse(fmt::format(
        "port {} of '{}' already has LID {} (LMC {}) and cannot have LID {} (LMC {}) too", port,
        owner.name, target.lid, target.lmc, lid, lmc));
  }
  if (lid_owner_.size() < lid + count) lid_owner_.resize(lid + count);
  for (unsigned each = lid; each < lid + count; ++each) {
    if (lid_owner_[each].valid()) {
      refuse(fmt::format("LID {} of '{}' already belongs to '{}'; LIDs must be unique", each,
                         owner.name, nodes_[lid_owner_[each].value()].name));
    }
  }
  std::fill_n(lid_owner_.begin() + lid, count, node);
  target.lid = static_cast<Lid>(lid);
  target.lmc = static_cast<std::uint8_t>(lmc);
  lid_count_ += count;
}

void FabricBuilder::connect(NodeId a, PortNumber port_a, NodeId b, PortNumber port_b,
                            LinkRate rate) {
  Port& end_a = port_at(a, port_a);
  Port& end_b = port_at(b, port_b);
  const std::string& name_a = nodes_[a.value()].name;
  const std::string& name_b = nodes_[b.value()].name;
  if (port_a == management_port || port_b == management_port) {
    refuse(fmt::format("'{}'[{}] - '{}'[{}]: port 0 cannot have a cable; ports begin at 1", name_a,
                       port_a, name_b, port_b));
  }
  const auto occupied = [this](NodeId node, PortNumber port, const Port& end, NodeId far,
                               PortNumber far_port) {
    if (!end.cable.node.valid() || (end.cable.node == far && end.cable.port == far_port)) return;
    refuse(fmt::format("port {} of '{}' is cabled to '{}'[{}] and cannot be cabled to '{}'[{}] too",
                       port, nodes_[node.value()].name, nodes_[end.cable.node.value()].name,
                       end.cable.port, nodes_[far.value()].name, far_port));
  };
  occupied(a, port_a, end_a, b, port_b);
  occupied(b, port_b, end_b, a, port_a);
  const LinkRate known = end_a.cable.node.valid() ? end_a.cable.rate : LinkRate{};
  const LinkRate faster = known.capacity() > rate.capacity() ? known : rate;
  end_a.cable = {b, port_b, faster};
  end_b.cable = {a, port_a, faster};
}

std::optional<NodeId> FabricBuilder::find_node(Guid guid) const {
  const auto found = node_by_guid_.find(guid);
  return found == node_by_guid_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CableEnd> FabricBuilder::far_end(NodeId node, PortNumber port) const {
  const Cable& cable = port_at(node, port).cable;
  if (!cable.node.valid()) return std::nullopt;
  return CableEnd{cable.node, cable.port, cable.rate};
}

LinkRate FabricBuilder::most_frequent_host_rate() const {
  UsualRate usual;
  for (const Node& node : nodes_) {
    for (unsigned p = 1; p <= node.ports && !node.is_switch; ++p) {
      const Cable& cable = ports_[node.first_port + p].cable;
      if (cable.node.valid()) usual.add(node.kind, cable.rate);
    }
  }
  return usual.most_frequent();
}

void FabricBuilder::set_rate(NodeId node, PortNumber port, LinkRate rate) {
  port_at(node, port).cable.rate = rate;
}

void FabricBuilder::state_missing_rates(LinkRate rate) {
  for (Port& port : ports_) {
    if (port.cable.node.valid() && !port.cable.rate.stated()) port.cable.rate = rate;
  }
}

void FabricBuilder::disconnect(NodeId node, PortNumber port) {
  Cable& cable = port_at(node, port).cable;
  if (!cable.node.valid()) return;
  port_at(cable.node, cable.port).cable = {};
  cable = {};
}

void FabricBuilder::clear_lids() {
  for (Port& port : ports_) {
    port.lid = no_lid;
    port.lmc = 0;
  }
  lid_owner_.clear();
  lid_count_ = 0;
}

std::vector<char> FabricBuilder::nodes_connected_with(NodeId start) const {
  std::vector<char> seen(nodes_.size(), 0);
  std::vector<NodeId> frontier{start};
  seen[start.value()] = 1;
  while (!frontier.empty()) {
    const Node& node = nodes_[frontier.back().value()];
    frontier.pop_back();
    for (unsigned p = 1; p <= node.ports; ++p) {
      const NodeId far = ports_[node.first_port + p].cable.node;
      if (!far.valid() || seen[far.value()] != 0) continue;
      seen[far.value()] = 1;
      frontier.push_back(far);
    }
  }
  return seen;
}

void FabricBuilder::assign_lids(unsigned lmc) {
  if (lid_count_ != 0) return;
  if (lmc > max_lmc)
    throw Error(ErrorKind::usage, fmt::format("LMC {} is out of range 0 to {}", lmc, max_lmc));

  struct Addressed {
    bool away_from_manager =
        true;  // on an island that the subnet manager does not reach: served last
    Guid order = 0;
    NodeId node;
    PortNumber port = management_port;
  };
  std::vector<Addressed> ports;
  NodeId manager;
  PortNumber manager_port = no_port;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const NodeId id(n);
    if (node.is_switch) {
      ports.push_back({.order = byte_swapped(node.guid), .node = id});
      continue;
    }
    for (unsigned p = 1; p <= node.ports; ++p) {
      const Port& port = ports_[node.first_port + p];
      if (!port.cable.node.valid()) continue;
      const auto number = static_cast<PortNumber>(p);
      ports.push_back({.order = byte_swapped(port.guid), .node = id, .port = number});
      if (!manager.valid()) {
        manager = id;
        manager_port = number;
      }
    }
  }

  const std::vector<char> seen =
      manager.valid() ? nodes_connected_with(manager) : std::vector<char>(nodes_.size(), 0);
  for (Addressed& each : ports) {
    each.away_from_manager = seen[each.node.value()] == 0;
    if (each.node == manager && each.port == manager_port) each.order = 0;
  }
  std::sort(ports.begin(), ports.end(), [](const Addressed& a, const Addressed& b) {
    return std::pair(a.away_from_manager, a.order) < std::pair(b.away_from_manager, b.order);
  });

  unsigned next = first_unicast_lid;
  for (const Addressed& each : ports) {
    const bool is_switch = nodes_[each.node.value()].is_switch;
    const unsigned count = is_switch ? 1U : 1U << lmc;
    next = (next + count - 1) / count * count;
    if (next + count - 1 > last_unicast_lid) {
      refuse(
          fmt::format("{} ports at LMC {} need more than the {} LIDs of an InfiniBand subnet; use "
                      "a smaller LMC",
                      ports.size(), lmc, last_unicast_lid));
    }
    set_lid(each.node, each.port, next, is_switch ? 0 : lmc);
    next += count;
  }
}

/// Indices of the switches or adapters in the order of the Fabric's numbering.
std::vector<std::uint32_t> FabricBuilder::numbered(const BuilderOptions& options,
                                                   bool switches) const {
  std::vector<std::uint32_t> order;
  const auto take = [&](std::uint32_t n) {
    if (nodes_[n].is_switch == switches) order.push_back(n);
  };
  if (!options.numbering.empty()) {
    for (const NodeId node : options.numbering) take(node.value());
    return order;
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) take(n);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].guid < nodes_[b].guid; });
  return order;
}

void FabricBuilder::lay_out_adapter(const Node& node, Numbering& numbering, Fabric& fabric) const {
  for (unsigned p = 1; p <= node.ports; ++p) {
    const Port& port = ports_[node.first_port + p];
    const EndPortId id(static_cast<std::uint32_t>(fabric.end_ports_.size()));
    EndPort& end = fabric.end_ports_.emplace_back();
    end.node_guid = node.guid;
    end.port_guid = port.guid;
    end.port = static_cast<PortNumber>(p);
    end.kind = node.kind;
    end.host = static_cast<std::uint32_t>(fabric.host_count_);
    end.lid = port.lid;
    end.lmc = port.lmc;
    end.rate = port.cable.rate;
    end.name = node.name;
    end.description = node.description;
    end.configured_type = node.configured_type;
    if (port.cable.node.valid() && nodes_[port.cable.node.value()].is_switch) {
      end.attached = SwitchId(numbering.switch_of_node[port.cable.node.value()]);
      end.switch_port = port.cable.port;
    }
    numbering.end_port_of_port[node.first_port + p] = id.value();
    // A default GUID may equal that of another port; a cabled port takes precedence.
    if (port.cable.node.valid()) {
      fabric.end_port_by_guid_.insert_or_assign(port.guid, id);
    } else {
      fabric.end_port_by_guid_.try_emplace(port.guid, id);
    }
  }
  ++fabric.host_count_;
}

/// The cabled ports of a switch, in the order of end ports and channels.
std::vector<PortNumber> FabricBuilder::cabled_ports(const Node& node,
                                                    const Numbering& numbering) const {
  std::vector<PortNumber> ports;
  for (unsigned p = 1; p <= node.ports; ++p) {
    if (ports_[node.first_port + p].cable.node.valid()) ports.push_back(static_cast<PortNumber>(p));
  }
  if (numbering.is_by_guid) return ports;
  const auto place = [&](PortNumber p) {
    const Cable& cable = ports_[node.first_port + p].cable;
    const Node& far = nodes_[cable.node.value()];
    if (!far.is_switch) {
      return std::tuple(0U, numbering.end_port_of_port[far.first_port + cable.port], false, p);
    }
    const auto self = static_cast<std::size_t>(&node - nodes_.data());
    const std::uint32_t number = numbering.switch_of_node[cable.node.value()];
    const bool is_last = std::binary_search(numbering.last_of_parallel.begin(),
                                            numbering.last_of_parallel.end(), node.first_port + p);
    return std::tuple(1U, number, is_last,
                      number < numbering.switch_of_node[self] ? cable.port : p);
  };
  std::sort(ports.begin(), ports.end(),
            [&place](PortNumber a, PortNumber b) { return place(a) < place(b); });
  return ports;
}

void FabricBuilder::lay_out_switch(const Node& node, const Numbering& numbering,
                                   Fabric& fabric) const {
  const SwitchId id(static_cast<std::uint32_t>(fabric.switches_.size()));
  fabric.switch_by_guid_.emplace(node.guid, id);
  const std::size_t first_target = fabric.port_targets_.size();
  fabric.port_targets_.resize(first_target + node.ports + 1);
  fabric.port_targets_[first_target] = {PortTarget::Kind::management, id.value()};
  for (const PortNumber p : cabled_ports(node, numbering)) {
    const Cable& cable = ports_[node.first_port + p].cable;
    PortTarget& target = fabric.port_targets_[first_target + p];
    const Node& far = nodes_[cable.node.value()];
    if (!far.is_switch) {
      const EndPortId end(numbering.end_port_of_port[far.first_port + cable.port]);
      target = {PortTarget::Kind::end_port, end.value()};
      fabric.attached_.push_back(end);
    } else if (far.guid != node.guid) {
      target = {PortTarget::Kind::channel, static_cast<std::uint32_t>(fabric.channel_count())};
      fabric.channel_tail_.push_back(id.value());
      fabric.channel_head_.push_back(numbering.switch_of_node[cable.node.value()]);
      fabric.channel_out_port_.push_back(p);
      fabric.channel_in_port_.push_back(cable.port);
      fabric.channel_rate_.push_back(cable.rate);
    }
  }
  fabric.first_channel_.push_back(static_cast<std::uint32_t>(fabric.channel_count()));
  fabric.first_port_.push_back(static_cast<std::uint32_t>(fabric.port_targets_.size()));
  fabric.first_attached_.push_back(static_cast<std::uint32_t>(fabric.attached_.size()));
  const Port& port0 = ports_[node.first_port];
  fabric.switches_.push_back({.guid = node.guid,
                              .ports = static_cast<std::uint8_t>(node.ports),
                              .lid = port0.lid,
                              .lmc = port0.lmc,
                              .name = node.name,
                              .description = node.description});
}

void FabricBuilder::lay_out_unrouted_cables(const std::vector<std::uint32_t>& nodes,
                                            const Numbering& numbering, Fabric& fabric) const {
  for (const std::uint32_t n : nodes) {
    const Node& node = nodes_[n];
    for (unsigned p = 1; p <= node.ports; ++p) {
      const Cable& cable = ports_[node.first_port + p].cable;
      if (!cable.node.valid()) continue;
      const Node& far = nodes_[cable.node.value()];
      const auto port = static_cast<PortNumber>(p);
      if (node.is_switch && cable.node.value() == n && port <= cable.port) {
        fabric.loop_cables_.push_back(
            {SwitchId(numbering.switch_of_node[n]), port, cable.port, cable.rate});
      } else if (!node.is_switch && !far.is_switch) {
        const EndPortId own(numbering.end_port_of_port[node.first_port + p]);
        const EndPortId other(numbering.end_port_of_port[far.first_port + cable.port]);
        if (own <= other) fabric.back_to_back_cables_.push_back({own, other, cable.rate});
      }
    }
  }
}

Fabric FabricBuilder::build(const BuilderOptions& options) && {
  const std::vector<std::uint32_t> switch_order = numbered(options, true);
  const std::vector<std::uint32_t> adapter_order = numbered(options, false);
  Numbering numbering;
  numbering.is_by_guid = options.numbering.empty();
  for (const auto& [node, port] : options.last_of_parallel) {
    const Cable& cable = port_at(node, port).cable;
    numbering.last_of_parallel.push_back(port_index(node, port));
    numbering.last_of_parallel.push_back(port_index(cable.node, cable.port));
  }
  std::sort(numbering.last_of_parallel.begin(), numbering.last_of_parallel.end());
  numbering.switch_of_node.resize(nodes_.size());
  numbering.end_port_of_port.resize(ports_.size());
  for (std::uint32_t s = 0; s < switch_order.size(); ++s) {
    numbering.switch_of_node[switch_order[s]] = s;
  }

  Fabric fabric;
  fabric.is_numbered_by_guid_ = numbering.is_by_guid;
  for (const std::uint32_t n : adapter_order) lay_out_adapter(nodes_[n], numbering, fabric);
  UsualRate usual;
  for (const EndPort& port : fabric.end_ports_) {
    if (port.attached.valid()) usual.add(port.kind, port.rate);
    fabric.is_endpoint_.push_back(options.roles.include(port.kind) ? 1 : 0);
  }
  fabric.reference_capacity_ = usual.most_frequent().capacity();
  fabric.first_channel_.push_back(0);
  fabric.first_port_.push_back(0);
  fabric.first_attached_.push_back(0);
  for (const std::uint32_t n : switch_order) lay_out_switch(nodes_[n], numbering, fabric);
  lay_out_unrouted_cables(switch_order, numbering, fabric);
  lay_out_unrouted_cables(adapter_order, numbering, fabric);
  fabric.index_channels();
  fabric.index_endpoints();
  fabric.index_lids();
  *this = FabricBuilder();
  return fabric;
}

}  // namespace pssp
