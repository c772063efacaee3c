#pragma once

// Runs cc_query.

#include "tools/cc_query/query_options.h"

namespace pssp {

/// Returns the exit code: 0, or verification_failed if a node differs or was not read. Throws
/// Error.
int run_query(const QueryOptions& options);

}  // namespace pssp
