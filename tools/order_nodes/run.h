#pragma once

#include "tools/order_nodes/options.h"

namespace pssp {

/// Returns the exit code. Throws Error.
int order_nodes(const OrderNodesOptions& options);

}  // namespace pssp
