#pragma once

// The answers of bench_opensm as text, as JSON, and as the single times of every sweep.

#include <string>

#include "tools/bench_opensm/measurements.h"

namespace pssp {

/// Tables of all benchmarks, hosts on a switch, hops, and who does not route.
std::string bench_text(const Measurements& measurements, unsigned iterations);
std::string bench_json(const Measurements& measurements);

/// A line for each, with tabs between.
std::string sweeps_tsv(const Measurements& measurements);
std::string hops_tsv(const Measurements& measurements);
std::string refusals_tsv(const Measurements& measurements);

}  // namespace pssp
