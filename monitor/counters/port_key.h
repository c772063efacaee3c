#pragma once

#include <compare>

#include "fabric/ids.h"

namespace pssp {

/// A port as history and pages know it: nothing of it changes with LIDs or with the map.
struct PortKey {
  Guid node = 0;
  PortNumber number = 0;

  friend auto operator<=>(const PortKey&,
                          const PortKey&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace pssp
