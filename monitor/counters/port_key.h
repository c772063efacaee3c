#pragma once

#include "fabric/ids.h"

namespace pssp {

/// A port as history and pages know it: nothing of it changes with LIDs or with the map.
struct PortKey {
  Guid node = 0;
  PortNumber number = 0;

  bool operator==(const PortKey&) const = default;
};

}  // namespace pssp
