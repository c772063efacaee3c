// Out are tables that cannot be used and those that can deadlock. Of the rest the one of most
// bandwidth is the reference; whoever is not significantly worse ties with it, and of those the
// fewest lanes decide, then the lowest index, the fewest hops, the shortest routing phase. The text
// weighs the chosen against the best of the other origin and against minhop, opensm's default.

#include "tools/compare_engines/recommendation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "ibsim_harness/engine_spec.h"

namespace pssp {
namespace {

constexpr double significance = 0.05;

using Results = std::span<const EngineResult>;

double bandwidth_of(const EngineResult& result) { return *result.score->bandwidth; }

bool ties_with_reference(const EngineResult& result) {
  return is_scored(result) && (!result.difference || result.difference->adjusted_p >= significance);
}

bool uses_lanes(const EngineResult& result) {
  return !result.is_opensms || assigns_lanes(result.name);
}

/// a, b and c
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string percent(double value) {
  const double rounded = std::round(value * 10) / 10;
  if (rounded == 0) return "as much as";
  return fmt::format("{} % {} than", std::abs(rounded), rounded > 0 ? "more" : "less");
}

std::string lanes_phrase(const EngineResult& result) {
  if (result.score->credit_loop == false) return "deadlock-free on one lane";
  if (result.score->lanes) return fmt::format("deadlock-free on {} lanes", *result.score->lanes);
  return "deadlock-free on lanes of its own";
}

std::string against(const EngineResult& chosen, const EngineResult& other) {
  return percent((bandwidth_of(chosen) / bandwidth_of(other) - 1) * 100) + " " + other.engine +
         (ties_with_reference(other) ? " (no significant difference)" : "");
}

/// The best safe one of the other origin, and opensm's default.
std::vector<std::string> rival_phrases(const EngineResult& chosen, Results results,
                                       unsigned lanes) {
  const EngineResult* rival = nullptr;
  const EngineResult* standard = nullptr;
  for (const EngineResult& each : results) {
    if (!is_scored(each) || bandwidth_of(each) <= 0) continue;
    // Of equals the last, as of a stable sort's end.
    if (is_safe(each, lanes) && each.is_opensms != chosen.is_opensms &&
        (rival == nullptr || bandwidth_of(each) >= bandwidth_of(*rival)))
      rival = &each;
    if (each.engine == "minhop" && chosen.engine != "minhop") standard = &each;
  }
  std::vector<std::string> phrases;
  if (rival != nullptr) {
    phrases.push_back(against(chosen, *rival) + ", the best of " +
                      (chosen.is_opensms ? "ours" : "opensm's own"));
  }
  if (standard != nullptr) phrases.push_back(against(chosen, *standard) + ", opensm's default");
  std::sort(phrases.begin(), phrases.end());
  return phrases;
}

/// Engines that would have more bandwidth, but can deadlock.
std::string unsafe_phrase(const EngineResult& chosen, Results results, unsigned lanes) {
  std::vector<const EngineResult*> better;
  for (const EngineResult& each : results) {
    if (is_scored(each) && !is_deadlock_free(each, lanes) &&
        bandwidth_of(each) > bandwidth_of(chosen) && !ties_with_reference(each))
      better.push_back(&each);
  }
  if (better.empty()) return {};
  std::stable_sort(better.begin(), better.end(), [](const EngineResult* a, const EngineResult* b) {
    return bandwidth_of(*a) > bandwidth_of(*b);
  });
  std::vector<std::string> names;
  bool with_lanes = false;
  for (const EngineResult* each : better) {
    names.push_back(each->engine + " (" + shown_bandwidth(bandwidth_of(*each)) + ")");
    with_lanes = with_lanes || (each->score->lanes && uses_lanes(*each));
  }
  return fmt::format(" {} would have more, but {} routes can deadlock{}.", listed(names),
                     better.size() == 1 ? "its" : "their",
                     with_lanes ? fmt::format(" within {} lanes", lanes) : "");
}

std::string sentence(const EngineResult& chosen, Results results, unsigned lanes,
                     const std::vector<std::string>& as_good) {
  std::string text = "Take " + chosen.engine + ": effective bisection bandwidth " +
                     shown_bandwidth(bandwidth_of(chosen));
  if (chosen.score->interval) {
    text += " (95 % interval " + shown_bandwidth(chosen.score->interval->low) + " to " +
            shown_bandwidth(chosen.score->interval->high) + ")";
  }
  text += ", " + lanes_phrase(chosen);
  for (const std::string& phrase : rival_phrases(chosen, results, lanes)) text += "; " + phrase;
  text += ".";
  if (!as_good.empty()) text += " As good, by bandwidth: " + listed(as_good) + ".";
  return text + unsafe_phrase(chosen, results, lanes);
}

auto merit(const EngineResult& result, unsigned lanes) {
  const TableScore& score = *result.score;
  return std::make_tuple(score.lanes.value_or(lanes), score.index.value_or(0),
                         score.hops_mean.value_or(0), score.routing_ms);
}

}  // namespace

bool is_scored(const EngineResult& result) {
  return result.score && result.score->usable && result.score->bandwidth;
}

bool is_deadlock_free(const EngineResult& result, unsigned lanes) {
  if (result.score->credit_loop == false) return true;
  if (result.score->lanes) return *result.score->lanes <= lanes && uses_lanes(result);
  return assigns_lanes(result.name);
}

bool is_safe(const EngineResult& result, unsigned lanes) {
  return is_scored(result) && is_deadlock_free(result, lanes);
}

std::vector<std::size_t> contestants(Results results, unsigned lanes) {
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !is_scored(results[i]); });
  const std::size_t none = results.size();
  std::size_t first = none;
  for (const std::size_t i : order) {
    if (is_safe(results[i], lanes) &&
        (first == none || bandwidth_of(results[i]) >= bandwidth_of(results[first])))
      first = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_tuple(a != first, -bandwidth_of(results[a])) <
           std::make_tuple(b != first, -bandwidth_of(results[b]));
  });
  return order;
}

Recommendation recommend(Results results, unsigned lanes) {
  const EngineResult* chosen = nullptr;
  std::vector<const EngineResult*> equals;
  for (const EngineResult& each : results) {
    if (!is_safe(each, lanes) || !ties_with_reference(each)) continue;
    equals.push_back(&each);
    if (chosen == nullptr || merit(each, lanes) < merit(*chosen, lanes)) chosen = &each;
  }
  if (chosen == nullptr) {
    const bool any_routed = std::any_of(results.begin(), results.end(),
                                        [](const EngineResult& each) { return each.score; });
    return {"",
            any_routed ? fmt::format("No engine gave tables that are whole and free of deadlocks "
                                     "within {} lanes.",
                                     lanes)
                       : "No engine gave tables for this fabric.",
            {}};
  }
  Recommendation result;
  result.engine = chosen->engine;
  for (const EngineResult* each : equals)
    if (each != chosen) result.as_good.push_back(each->engine);
  result.text = sentence(*chosen, results, lanes, result.as_good);
  return result;
}

std::string shown_bandwidth(double value) { return fmt::format("{:.4f}", value); }

}  // namespace pssp
