#pragma once

#include "tools/order_nodes/options.h"

namespace pssp {

/// The exit code. Throws Error.
int order_nodes(const OrderNodesOptions& options);

}  // namespace pssp
