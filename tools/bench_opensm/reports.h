#pragma once

// The results of bench_opensm as text and JSON, and the times of every sweep.

#include <string>

#include "tools/bench_opensm/measurements.h"

namespace pssp {

/// Tables of all benchmarks, hosts per switch, hops, and engines that do not route a fabric.
std::string bench_text(const Measurements& measurements, unsigned iterations);
std::string bench_json(const Measurements& measurements);

/// One line per sweep, separated by tabs.
std::string sweeps_tsv(const Measurements& measurements);
std::string hops_tsv(const Measurements& measurements);
std::string refusals_tsv(const Measurements& measurements);

}  // namespace pssp
