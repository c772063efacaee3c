#pragma once

// A fabric with two links of different capacity.

#include <utility>

#include "fabric/builder.h"

namespace pssp::test {

/// Two switches with thirty hosts each and two links between them. The first link has twice the
/// capacity of the second.
inline Fabric two_unlike_links() {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 40, "a", "");
  const NodeId b = builder.add_switch(2, 40, "b", "");
  builder.connect(a, 1, b, 1, {4, 8000});
  builder.connect(a, 2, b, 2, {4, 4000});
  for (unsigned h = 0; h < 60; ++h) {
    const NodeId host =
        builder.add_adapter(0x1000 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(h % 2 == 0 ? a : b, static_cast<PortNumber>(3 + h / 2), host, 1, {4, 8000});
  }
  builder.assign_lids();
  return std::move(builder).build();
}

}  // namespace pssp::test
