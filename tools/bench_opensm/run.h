#pragma once

#include "ibsim_harness/surroundings.h"
#include "tools/bench_opensm/options.h"

namespace pssp {

/// Measures all engines on all fabrics, and writes all outputs. Returns the exit code.
int bench_opensm(const BenchOptions& options, const Surroundings& surroundings);

}  // namespace pssp
