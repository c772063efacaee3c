#pragma once

// The answers of compare_engines in each of their forms.

#include <span>
#include <string>

#include "tools/compare_engines/engine_result.h"
#include "tools/compare_engines/recommendation.h"

namespace pssp {

struct Comparison {
  std::string topology, directory;
  unsigned lanes = 8, lmc = 0, timeout = 300;
  std::vector<EngineResult> results;  ///< as they were named
  Recommendation recommendation;
  std::string note;     ///< not empty: what of the topology was left out
  std::string warning;  ///< not empty: why bandwidths were not tested against each other
};

/// Table, remarks, recommendation and legend.
std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
/// Of one engine.
std::string result_json(const EngineResult& result);
/// A line of headings, then one for each engine.
std::string comparison_csv(const Comparison& comparison);

/// Engines with tables by score (bandwidth where that is unknown), then the others as they were
/// named; as indices.
std::vector<std::size_t> ranked(std::span<const EngineResult> results);

}  // namespace pssp
