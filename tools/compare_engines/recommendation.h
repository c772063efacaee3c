#pragma once

// Which engine to take, and why, in one sentence or two.

#include <span>
#include <string>
#include <vector>

#include "tools/compare_engines/engine_result.h"

namespace pssp {

/// Tables that may be used, with a bandwidth.
bool is_scored(const EngineResult& result);
/// Free of deadlocks with that many lanes: without a credit loop, or by an engine that knows how to
/// use lanes.
bool is_deadlock_free(const EngineResult& result, unsigned lanes);
/// Both.
bool is_safe(const EngineResult& result, unsigned lanes);

/// The results to compare with eval_lft, as indices: first the safe one of the highest score
/// (bandwidth where that is unknown), then by bandwidth.
std::vector<std::size_t> candidates(std::span<const EngineResult> results, unsigned lanes);

struct Recommendation {
  std::string engine;  ///< empty: none
  std::string text;
  std::vector<std::string> as_good;  ///< by bandwidth
};
/// Differences must be those to the first candidate.
Recommendation recommend(std::span<const EngineResult> results, unsigned lanes);

/// .7272; with more digits before the point where there are some.
std::string displayed_bandwidth(double value);

}  // namespace pssp
