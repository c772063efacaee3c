#pragma once

// What cc_query does.

#include "tools/cc_query/query_options.h"

namespace pssp {

/// The exit code: 0, or verification_failed when a node differs or was not read. Throws Error.
int run_query(const QueryOptions& options);

}  // namespace pssp
