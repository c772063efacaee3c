#pragma once

// The gain and cost of several LIDs per host.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/compare_engines/engine_result.h"

namespace pssp {

/// For flows over all LIDs of a host; with one LID per host, the figures of base LIDs. Empty if
/// unknown.
StripedFigures striped_figures(const EngineResult& result);

/// The tables of an engine with 2^lmc LIDs per host.
struct LidOffer {
  unsigned lmc = 0;
  std::string engine;
  StripedFigures striped;
  double bandwidth = 0;            ///< for flows to base LIDs
  std::optional<double> slowdown;  ///< S, likewise
  std::uint64_t lids = 0;          ///< of all ports of the subnet
  std::uint64_t lids_left = 0;     ///< of 49,151
  std::uint64_t table_blocks = 0;  ///< of 64 entries, at each switch
  double routing_ms = 0;
  std::string
      best_striped;  ///< an engine with which striped flows score more; empty: there is none
  StripedFigures best_figures;  ///< the figures of that engine
};

struct LidAdvice {
  std::vector<LidOffer> offers;  ///< the others are compared with the first
  std::string text;              ///< empty if there is nothing to compare
};

/// `engine`: the recommended one at the first LMC, as specified; the offers are its safe tables.
/// `results`: with LMCs ascending.
LidAdvice advise_on_lids(std::span<const EngineResult> results, const std::string& engine,
                         unsigned lanes);

}  // namespace pssp
