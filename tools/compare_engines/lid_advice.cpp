// Base LIDs carry most traffic, so the recommended engine does not depend on further LIDs. The gain
// of further LIDs is reported for that engine, because an administrator changes one line of
// opensm.conf at a time; the best engine with striped flows is in parentheses.

#include "tools/compare_engines/lid_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fabric/ids.h"
#include "tools/compare_engines/recommendation.h"

namespace pssp {
namespace {

constexpr std::uint64_t entries_in_block = 64;

using Results = std::span<const EngineResult>;

/// The engine whose striped flows score clearly more than those of `offered` with as many LIDs.
const EngineResult* ahead_of(const EngineResult& offered, Results results, unsigned lanes) {
  constexpr double clearly = 1.01;
  const EngineResult* best = &offered;
  double most = striped_figures(offered).score.value_or(0) * clearly;
  for (const EngineResult& each : results) {
    if (each.lmc != offered.lmc || !is_safe(each, lanes)) continue;
    const double score = striped_figures(each).score.value_or(0);
    if (score <= most) continue;
    best = &each;
    most = score;
  }
  return best == &offered ? nullptr : best;
}

LidOffer offer_of(const EngineResult& result, Results results, unsigned lanes) {
  const TableScore& score = *result.score;
  LidOffer offer;
  offer.lmc = result.lmc;
  offer.engine = result.engine;
  offer.striped = striped_figures(result);
  offer.bandwidth = *score.bandwidth;
  if (score.structured) offer.slowdown = score.structured->slowdown;
  offer.lids = score.lids;
  offer.lids_left = last_unicast_lid - std::min<std::uint64_t>(score.lids, last_unicast_lid);
  offer.table_blocks = score.lids / entries_in_block + 1;
  offer.routing_ms = score.routing_ms;
  if (const EngineResult* const best = ahead_of(result, results, lanes)) {
    offer.best_striped = best->engine;
    offer.best_figures = striped_figures(*best);
  }
  return offer;
}

std::string figures(const std::optional<double>& bandwidth, const std::optional<double>& slowdown) {
  return displayed_bandwidth(bandwidth.value_or(0)) +
         (slowdown ? fmt::format(", S {:.2f}", *slowdown) : "");
}

std::string striped_phrase(const LidOffer& offer, const LidOffer& first) {
  std::string text = figures(offer.striped.bandwidth, {});
  const double before = first.striped.bandwidth.value_or(0);
  if (before > 0) {
    const double more = (offer.striped.bandwidth.value_or(0) / before - 1) * 100;
    text += fmt::format(" ({:.1f} % {})", std::abs(more), more < 0 ? "less" : "more");
  }
  if (offer.striped.slowdown) text += fmt::format(", S {:.2f}", *offer.striped.slowdown);
  if (offer.best_striped.empty()) return text;
  return text + fmt::format(" (the highest score with {}: {})", offer.best_striped,
                            figures(offer.best_figures.bandwidth, offer.best_figures.slowdown));
}

std::string price_of(const LidOffer& offer, const LidOffer& first) {
  return fmt::format(
      "at the price of {} LIDs instead of {} ({} of {} left), {} blocks of each table "
      "instead of {}, and {:.0f} ms of routing instead of {:.0f}",
      offer.lids, first.lids, offer.lids_left, last_unicast_lid, offer.table_blocks,
      first.table_blocks, offer.routing_ms, first.routing_ms);
}

std::string sentence(const std::vector<LidOffer>& offers) {
  const LidOffer& first = offers.front();
  std::string text = fmt::format(
      "With {} and lmc {}, applications that use all LIDs of a host (UCX with "
      "UCX_IB_LID_PATH_BITS, also under Open MPI and MPICH: docs/explanation/lmc.md) get {}",
      first.engine, first.lmc, figures(first.striped.bandwidth, first.striped.slowdown));
  for (std::size_t i = 1; i < offers.size(); ++i) {
    text +=
        fmt::format("; lmc {} in opensm.conf would give {}, other applications {}, {}",
                    offers[i].lmc, striped_phrase(offers[i], first),
                    figures(offers[i].bandwidth, offers[i].slowdown), price_of(offers[i], first));
  }
  return text + ".";
}

}  // namespace

StripedFigures striped_figures(const EngineResult& result) {
  if (!result.score) return {};
  const TableScore& score = *result.score;
  if (result.lmc != 0) return score.striped.value_or(StripedFigures{});
  StripedFigures single{1, score.bandwidth, score.standard_error, {}, {}};
  if (score.structured) {
    single.slowdown = score.structured->slowdown;
    single.score = score.structured->score;
  }
  return single;
}

LidAdvice advise_on_lids(Results results, const std::string& engine, unsigned lanes) {
  LidAdvice advice;
  for (const EngineResult& each : results) {
    if (each.engine == engine && is_safe(each, lanes) && striped_figures(each).bandwidth)
      advice.offers.push_back(offer_of(each, results, lanes));
  }
  if (advice.offers.size() > 1) advice.text = sentence(advice.offers);
  return advice;
}

}  // namespace pssp
