#pragma once

#include <compare>

#include "fabric/ids.h"

namespace pssp {

/// The identity of a port in history and pages, which does not change with LIDs or maps.
struct PortKey {
  Guid node = 0;
  PortNumber number = 0;

  friend auto operator<=>(const PortKey&,
                          const PortKey&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace pssp
