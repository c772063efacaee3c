#include "routing/engines/parts/least_loaded_trees.h"

namespace pssp {

TreeRecorder::TreeRecorder(const Fabric& fabric)
    : fabric_(fabric), load_(fabric.channel_count(), 0.0), endpoints_(fabric.switch_count()) {}

void TreeRecorder::record(const ForwardingTree& tree, Lid lid, ForwardingTables& tables) {
  const auto per_switch = fabric_.endpoints_per_switch();
  for (const std::uint32_t s : tree.order) endpoints_[s] = per_switch[s];
  for (std::size_t i = tree.order.size() - 1; i > 0; --i) {
    const std::uint32_t s = tree.order[i];
    const std::uint32_t out = tree.out[s];
    tables.set(SwitchId(s), lid, fabric_.channel_out_port()[out]);
    load_[out] += endpoints_[s] * fabric_.channel_cost()[out];
    endpoints_[fabric_.channel_head()[out]] += endpoints_[s];
  }
  const Delivery delivery = fabric_.delivery(lid);
  tables.set(delivery.at, lid, delivery.port);
}

void TreeRecorder::lean_against_siblings(Lid lid, const ForwardingTables& tables, double weight) {
  const LidOwner owner = fabric_.owner(lid);
  const Lid base = owner.kind == LidOwner::Kind::end_port
                       ? fabric_.end_port(EndPortId(owner.index)).lid
                       : fabric_.switch_at(SwitchId(owner.index)).lid;
  for (Lid sibling = base; sibling < lid; ++sibling) {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const PortTarget target = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), sibling));
      if (target.kind == PortTarget::Kind::channel) load_[target.index] += weight;
    }
  }
}

}  // namespace pssp
