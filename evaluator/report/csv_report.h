#pragma once

// One line per run, for spreadsheets and scripts (RFC 4180 with line feeds). Numbers have enough
// digits to be read back exactly; undefined values are empty.

#include <cstdint>
#include <span>

#include "base/file_io.h"
#include "evaluator/flows/pattern_simulation.h"

namespace pssp {

/// run, flows, unrouted, levels, bandwidth, sum_max_cong, dep_max_delay, optimistic_bandwidth,
/// pessimistic_bandwidth. `first_run`: number of the first run. Written in blocks, so that the text
/// of a million runs is never completely in memory.
void write_csv(std::span<const RunResult> runs, std::uint64_t first_run, const ContentSink& sink);

/// Bisections: bisection, bandwidth.
void write_csv(std::span<const double> bisection_bandwidths, const ContentSink& sink);

}  // namespace pssp
