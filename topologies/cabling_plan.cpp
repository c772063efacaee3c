#include "topologies/cabling_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "topologies/random.h"

namespace pssp {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return a * b;
}

void require_lid_space(std::string_view what, std::uint64_t switches, std::uint64_t adapter_ports) {
  if (switches <= last_unicast_lid && adapter_ports <= last_unicast_lid - switches) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: {} switches and {} adapter ports do not fit into the unicast LID "
                          "space of one subnet, "
                          "which has {} LIDs; choose smaller sizes",
                          what, switches, adapter_ports, unsigned{last_unicast_lid}));
}

PlanNodeId CablingPlan::add_node(PlanNode node) {
  if (node.ports < 1 || node.ports > max_port_number) {
    throw Error(ErrorKind::usage, fmt::format("{} would have {} ports; a node has 1 to {}",
                                              node.description, node.ports, max_port_number));
  }
  const PlanNodeId id(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(std::move(node));
  return id;
}

PlanNodeId CablingPlan::add_switch(unsigned ports, std::string description, std::string name) {
  if (name.empty()) name = fmt::format("S{:05}", switch_count_);
  const PlanNodeId id =
      add_node({true, false, ports, next_switch_guid_, std::move(name), std::move(description)});
  ++next_switch_guid_;
  ++switch_count_;
  return id;
}

PlanNodeId CablingPlan::add_adapter(unsigned ports, std::string description, std::string name) {
  if (name.empty()) name = fmt::format("H{:05}", adapter_count_);
  const PlanNodeId id =
      add_node({false, false, ports, next_adapter_guid_, std::move(name), std::move(description)});
  next_adapter_guid_ += ports + 1;
  ++adapter_count_;
  return id;
}

PlanNodeId CablingPlan::add_host(Plug at, std::string description, std::string name) {
  const PlanNodeId host = add_adapter(1, std::move(description), std::move(name));
  connect({host, 1}, at);
  return host;
}

PlanCounts CablingPlan::counts() const {
  PlanCounts counts;
  for (const PlanNode& node : nodes_) {
    if (!node.removed) ++(node.is_switch ? counts.switches : counts.hosts);
  }
  for (const Cable& cable : cables_) {
    ++(joins_switches(cable) ? counts.switch_cables : counts.host_cables);
  }
  return counts;
}

void CablingPlan::remove_node(PlanNodeId id) {
  nodes_[id.value()].removed = true;
  std::erase_if(cables_,
                [id](const Cable& cable) { return cable.a.node == id || cable.b.node == id; });
}

void CablingPlan::keep_cables(const std::vector<bool>& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    if (keep[i]) cables_[kept++] = cables_[i];
  }
  cables_.resize(kept);
}

void CablingPlan::move_host(PlanNodeId host, PlanNodeId to) {
  PlanNode& at = nodes_[to.value()];
  std::vector<bool> is_taken(at.ports + 1, false);
  Cable* moved = nullptr;
  for (Cable& cable : cables_) {
    for (const Plug& plug : {cable.a, cable.b}) {
      if (plug.node == to) is_taken[plug.port] = true;
      if (plug.node == host) moved = &cable;
    }
  }
  unsigned port = 1;
  while (port <= at.ports && is_taken[port]) ++port;
  if (port > max_port_number) {
    throw Error(ErrorKind::usage, "switch " + at.name + " has no free port for another host");
  }
  at.ports = std::max(at.ports, port);
  (moved->a.node == host ? moved->b : moved->a) = {to, port};
}

void CablingPlan::rename(PlanNodeId id, const std::string& name) {
  nodes_[id.value()].name = name;
  nodes_[id.value()].description = name;
}

void CablingPlan::set_rate(const std::vector<bool>& at, LinkRate rate) {
  for (Cable& cable : cables_) {
    if (at[cable.a.node.value()] || at[cable.b.node.value()]) cable.rate = rate;
  }
}

void CablingPlan::permute_ports(Random& random) {
  std::vector<std::vector<std::uint32_t>> number(nodes_.size());  // by old port - 1: new port - 1
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].is_switch) number[n] = random.permutation(nodes_[n].ports);
  }
  for (Cable& cable : cables_) {
    for (Plug* const plug : {&cable.a, &cable.b}) {
      if (node(plug->node).is_switch) plug->port = number[plug->node.value()][plug->port - 1] + 1;
    }
  }
}

void CablingPlan::shuffle_guids(Random& random) {
  Guid next = 0x100000;
  for (const std::uint32_t index : random.permutation(static_cast<std::uint32_t>(nodes_.size()))) {
    nodes_[index].guid = next;
    // The port GUIDs of an adapter follow its node GUID.
    next += nodes_[index].is_switch ? 1 : nodes_[index].ports + 1;
  }
}

FabricBuilder CablingPlan::to_builder(LinkRate rate, LidScheme lids, unsigned lmc) const {
  FabricBuilder builder;
  std::vector<NodeId> handles(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const PlanNode& node = nodes_[i];
    if (node.removed) continue;
    handles[i] = node.is_switch
                     ? builder.add_switch(node.guid, node.ports, node.name, node.description)
                     : builder.add_adapter(node.guid, node.ports, EndPortKind::channel_adapter,
                                           node.name, node.description);
  }
  for (const Cable& cable : cables_) {
    builder.connect(handles[cable.a.node.value()], static_cast<PortNumber>(cable.a.port),
                    handles[cable.b.node.value()], static_cast<PortNumber>(cable.b.port),
                    cable.rate.stated() ? cable.rate : rate);
  }
  try {
    if (lids == LidScheme::opensm) builder.assign_lids(lmc);
    if (lids == LidScheme::hosts_first) assign_hosts_first_lids(builder, handles, lmc);
  } catch (const Error& error) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the LIDs do not suffice for this topology at LMC {}: {}", lmc, error.what()));
  }
  return builder;
}

void CablingPlan::assign_hosts_first_lids(FabricBuilder& builder,
                                          const std::vector<NodeId>& handles, unsigned lmc) const {
  unsigned next = 1U << lmc;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_switch || nodes_[i].removed) continue;
    for (unsigned port = 1; port <= nodes_[i].ports; ++port) {
      if (!builder.is_connected(handles[i], static_cast<PortNumber>(port))) continue;
      builder.set_lid(handles[i], static_cast<PortNumber>(port), next, lmc);
      next += 1U << lmc;
    }
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].is_switch || nodes_[i].removed) continue;
    builder.set_lid(handles[i], management_port, next, 0);
    ++next;
  }
}

}  // namespace pssp
