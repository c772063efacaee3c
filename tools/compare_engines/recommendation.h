#pragma once

// The recommended engine and the reasons, in one or two sentences.

#include <span>
#include <string>
#include <vector>

#include "tools/compare_engines/engine_result.h"

namespace pssp {

/// Usable tables with a bandwidth.
bool is_scored(const EngineResult& result);
/// Deadlock-free with this number of lanes: without a credit loop, or by an engine that assigns
/// lanes.
bool is_deadlock_free(const EngineResult& result, unsigned lanes);
/// Both.
bool is_safe(const EngineResult& result, unsigned lanes);

/// The results to compare with eval_lft, as indices: first the safe one with the highest score
/// (bandwidth if unknown), then by bandwidth.
std::vector<std::size_t> candidates(std::span<const EngineResult> results, unsigned lanes);

struct Recommendation {
  std::string engine;  ///< empty: none
  std::string text;
  std::vector<std::string> as_good;  ///< by bandwidth
};
/// Differences must be relative to the first candidate.
Recommendation recommend(std::span<const EngineResult> results, unsigned lanes);

/// .7272; with the digits before the point if it is not below 1.
std::string displayed_bandwidth(double value);

}  // namespace pssp
