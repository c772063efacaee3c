#include "routing/engines/parts/trees/least_loaded_trees.h"

namespace pssp {

void TreeRouter::lean_against_siblings(Lid lid, double weight) {
  const LidOwner owner = fabric_.owner(lid);
  const Lid base = owner.kind == LidOwner::Kind::end_port
                       ? fabric_.end_port(EndPortId(owner.index)).lid
                       : fabric_.switch_at(SwitchId(owner.index)).lid;
  for (Lid sibling = base; sibling < lid; ++sibling) loads_.lean(columns_.of(sibling), weight);
}

}  // namespace pssp
