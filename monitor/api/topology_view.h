#pragma once

// The map of the fabric for the page: where switches stand, and what their cables carry.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "evaluator/pictures/map_layout.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// Places are found once a map (0.1 s for 666 switches), whatever the number of readers, and kept
/// of the last maps, for people go to and fro between now and then. May be called from several
/// threads.
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
  std::vector<std::shared_ptr<const Positions>> positions_;  // the last used last
};

}  // namespace pssp
