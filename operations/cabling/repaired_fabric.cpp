#include "operations/cabling/repaired_fabric.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/no_index.h"

namespace pssp {
namespace {

class FabricMender {
 public:
  using Port = Cabling::Port;
  using Cable = Cabling::Cable;

  FabricMender(FabricBuilder builder, const Cabling& plan, const Cabling& fabric,
               const NodeMatching& matching)
      : builder_(std::move(builder)), plan_(plan), fabric_(fabric), matching_(matching) {
    for (const Cabling::Node& each : fabric_.nodes)
      nodes_.push_back(*builder_.find_node(each.guid));
  }

  Fabric run() {
    find_planned();
    take_out();
    for (const auto& [ports, rate] : planned_) connect(ports, rate);
    const LinkRate usual = builder_.most_frequent_host_rate();
    if (usual.stated()) builder_.state_missing_rates(usual);
    if (!builder_.has_lids()) builder_.assign_lids();
    return std::move(builder_).build();
  }

 private:
  using Ports = std::pair<Port, Port>;  // of the fabric, in ascending order

  static Ports in_order(Port a, Port b) { return a < b ? Ports{a, b} : Ports{b, a}; }

  void find_planned() {
    for (const Cable& cable : plan_.cables) {
      const std::uint32_t a = matching_.fabric_of[cable.a.node];
      const std::uint32_t b = matching_.fabric_of[cable.b.node];
      if (a == no_index || b == no_index) continue;
      planned_[in_order({a, cable.a.number}, {b, cable.b.number})] =
          parse_link_rate(cable.rate).value_or(LinkRate{});
    }
  }

  void take_out() {
    for (const Cable& cable : fabric_.cables) {
      const bool both_planned = matching_.plan_of[cable.a.node] != no_index &&
                                matching_.plan_of[cable.b.node] != no_index;
      if (!both_planned || planned_.contains(in_order(cable.a, cable.b))) continue;
      for (const Port& port : {cable.a, cable.b}) {
        const auto far = builder_.far_end(nodes_[port.node], port.number);
        if (far) was_there_[port] = far->rate;
      }
      builder_.disconnect(nodes_[cable.a.node], cable.a.number);
    }
  }

  void connect(const Ports& ports, LinkRate rate) {
    const auto& [a, b] = ports;
    const auto far = builder_.far_end(nodes_[a.node], a.number);
    const bool is_in_place = far && far->node == nodes_[b.node] && far->port == b.number;
    if (is_in_place) {
      if (rate.capacity() <= far->rate.capacity()) return;
      builder_.set_rate(nodes_[a.node], a.number, rate);
      builder_.set_rate(nodes_[b.node], b.number, rate);
      return;
    }
    for (const Port& port : {a, b}) {
      if (!rate.stated() && was_there_.contains(port)) rate = was_there_.at(port);
      // The remaining cable leads to a node that the plan lacks.
      if (builder_.is_connected(nodes_[port.node], port.number)) {
        builder_.disconnect(nodes_[port.node], port.number);
      }
    }
    builder_.connect(nodes_[a.node], a.number, nodes_[b.node], b.number, rate);
  }

  FabricBuilder builder_;
  const Cabling& plan_;
  const Cabling& fabric_;
  const NodeMatching& matching_;
  std::vector<NodeId> nodes_;           // by node of the fabric
  std::map<Ports, LinkRate> planned_;   // the plan's rate may be unknown
  std::map<Port, LinkRate> was_there_;  // of removed cables
};

}  // namespace

Fabric repaired_fabric(FabricBuilder builder, const Cabling& plan, const Cabling& fabric,
                       const NodeMatching& matching) {
  return FabricMender(std::move(builder), plan, fabric, matching).run();
}

}  // namespace pssp
