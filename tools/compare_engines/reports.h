#pragma once

// The answers of compare_engines in each of their forms.

#include <span>
#include <string>

#include "tools/compare_engines/engine_result.h"
#include "tools/compare_engines/lid_advice.h"
#include "tools/compare_engines/recommendation.h"

namespace pssp {

struct EngineComparison {
  std::string topology, directory;
  unsigned lanes = 8, timeout = 300;
  std::vector<unsigned> lmcs{0};          ///< ascending
  std::vector<EngineResult> results;      ///< as they were named, each with all LMCs
  Recommendation recommendation;          ///< by the results of the first LMC
  LidAdvice lid_advice;                   ///< of several LMCs
  std::vector<std::string> applications;  ///< as they were asked for
  std::string application_advice;         ///< empty: none is faster with another engine
  std::vector<std::string> notes;         ///< where simulation and topology differ
  std::string warning;  ///< not empty: why bandwidths were not tested against each other
};

/// Table, remarks, recommendation and legend.
std::string comparison_text(const EngineComparison& comparison);
std::string comparison_json(const EngineComparison& comparison);
/// Of one engine.
std::string result_json(const EngineResult& result);
/// A line of headings, then one for each engine.
std::string comparison_csv(const EngineComparison& comparison);

/// Engines with tables by score (bandwidth where that is unknown), that of the first LMC with which
/// they have some, then the others as they were named; as indices. An engine's results stay
/// together.
std::vector<std::size_t> ranked(std::span<const EngineResult> results);

}  // namespace pssp
