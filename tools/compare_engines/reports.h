#pragma once

// The outputs of compare_engines.

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
  std::vector<EngineResult> results;      ///< in the order of the options, each with all LMCs
  Recommendation recommendation;          ///< from the results of the first LMC
  LidAdvice lid_advice;                   ///< for several LMCs
  std::vector<std::string> applications;  ///< as specified
  std::string application_advice;         ///< empty: none is faster with another engine
  std::vector<std::string> notes;         ///< differences of simulation and topology
  std::string warning;  ///< nonempty: why bandwidths were not compared statistically
};

/// Table, remarks, recommendation and legend.
std::string comparison_text(const EngineComparison& comparison);
std::string comparison_json(const EngineComparison& comparison);
/// For one engine.
std::string result_json(const EngineResult& result);
/// A line of headings, then one per engine.
std::string comparison_csv(const EngineComparison& comparison);

/// Engines with tables by score (bandwidth if unknown) at their first LMC with tables, then the
/// others in the order of the options; as indices. An engine's results stay together.
std::vector<std::size_t> ranked(std::span<const EngineResult> results);

}  // namespace pssp
