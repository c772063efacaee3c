#include "evaluator/scoring/pair_path.h"

namespace pssp {

Path path_of_pair(const Fabric& fabric, const ForwardingTables& tables, Flow pair) {
  const auto end = [&](std::uint32_t rank) {
    const EndPortId id = fabric.endpoints()[rank];
    return PathEnd{{LidOwner::Kind::end_port, id.value()}, fabric.end_port(id).lid};
  };
  return path_of(fabric, tables, end(pair.source), end(pair.destination));
}

}  // namespace pssp
