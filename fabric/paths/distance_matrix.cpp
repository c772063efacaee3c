#include "fabric/paths/distance_matrix.h"

#include <fmt/format.h>

#include "base/error.h"
#include "fabric/paths/hop_distances.h"

namespace pssp {

DistanceMatrix::DistanceMatrix(const Fabric& fabric)
    : width_(fabric.switch_count()), distance_(width_ * width_, unreachable) {
  HopDistances search(fabric);
  for (std::uint32_t root = 0; root < width_; ++root) {
    search.search(SwitchId(root));
    for (const std::uint32_t s : search.order()) {
      const std::uint32_t hops = search.distance()[s];
      if (hops >= unreachable) {
        throw Error(
            ErrorKind::unsuitable_topology,
            fmt::format("{} is {} hops from {}; expected at most {}", fabric.label(SwitchId(s)),
                        hops, fabric.label(SwitchId(root)), unreachable - 1));
      }
      distance_[root * width_ + s] = static_cast<std::uint16_t>(hops);
    }
  }
}

}  // namespace pssp
