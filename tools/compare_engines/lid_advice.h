#pragma once

// What several LIDs a host would add, for whom, and at which price.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/compare_engines/engine_result.h"

namespace pssp {

/// Of flows over all LIDs of a host; where it has one these are the figures of base LIDs. Empty
/// where nothing is known.
StripedFigures striped_figures(const EngineResult& result);

/// The tables of an engine with 2^lmc LIDs a host.
struct LidOffer {
  unsigned lmc = 0;
  std::string engine;
  StripedFigures striped;
  double bandwidth = 0;            ///< of flows to base LIDs
  std::optional<double> slowdown;  ///< S, likewise
  std::uint64_t lids = 0;          ///< of all ports of the subnet
  std::uint64_t lids_left = 0;     ///< of 49,151
  std::uint64_t table_blocks = 0;  ///< of 64 entries, at each switch
  double routing_ms = 0;
  std::string
      best_striped;  ///< an engine with which striped flows score more; empty: there is none
  StripedFigures best_figures;  ///< its
};

struct LidAdvice {
  std::vector<LidOffer> offers;  ///< the first is what the others are compared with
  std::string text;              ///< empty where there is nothing to compare
};

/// `engine`: the recommended one at the first LMC, as it was named; the offers are its tables, as
/// far as they are safe. `results`: with LMCs ascending.
LidAdvice advise_on_lids(std::span<const EngineResult> results, const std::string& engine,
                         unsigned lanes);

}  // namespace pssp
