#pragma once

// The map of the fabric for the page: positions of switches, and the load of their cables.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "evaluator/pictures/map_layout.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// Positions are computed once for each map (0.1 s for 666 switches), independent of the number of
/// clients. They are kept for the last maps, because users switch between present and past.
/// Functions may be called from several threads.
class TopologyView {
 public:
  /// Throws ApiError.
  std::string text(const LiveView& view, const Target& target);

 private:
  struct Positions {
    std::shared_ptr<const FabricMap> map;
    MapLayout layout;
  };
  std::shared_ptr<const Positions> positions_of(const LiveView& view);

  std::mutex mutex_;
  std::vector<std::shared_ptr<const Positions>> positions_;  // most recently used last
};

}  // namespace pssp
