// Excludes tables that are unusable or can deadlock. The reference is the result with the highest
// score, which combines bandwidth and structured traffic; results without significantly lower
// bandwidth or higher S tie with it, and of those the fewest lanes decide, then the lowest index,
// the fewest hops, the shortest routing phase. The text compares the chosen engine with the best of
// the other origin and with minhop, opensm's default. To prevent slower applications, the same
// sentence names patterns for which the chosen tables are slow.

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
/// Tables tie if their S is at most that of the reference times this.
constexpr double slack_of_slowdown = 1.02;
/// Patterns are mentioned if they take this many times as long as with opensm's best engine, or
/// with any other engine.
constexpr double slow_beside_opensm = 1.25;
constexpr double slow_beside_any = 2;

using Results = std::span<const EngineResult>;

double bandwidth_of(const EngineResult& result) { return *result.score->bandwidth; }

bool differs(const EngineResult& result) {
  return result.difference && result.difference->adjusted_p < significance;
}

/// In bandwidth.
bool ties_with_reference(const EngineResult& result) {
  return is_scored(result) && !differs(result);
}

/// Neither bandwidth nor S is worse than the reference's.
bool is_as_good(const EngineResult& result, const EngineResult& reference) {
  if (differs(result) && result.difference->mean < 0) return false;
  if (!result.score->structured || !reference.score->structured) return ties_with_reference(result);
  return result.score->structured->slowdown <=
         reference.score->structured->slowdown * slack_of_slowdown;
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

/// The best safe engine of the other origin, and opensm's default.
std::vector<std::string> rival_phrases(const EngineResult& chosen, Results results,
                                       unsigned lanes) {
  const EngineResult* rival = nullptr;
  const EngineResult* standard = nullptr;
  for (const EngineResult& each : results) {
    if (!is_scored(each) || bandwidth_of(each) <= 0) continue;
    // Of equals the last, as at the end of a stable sort.
    if (is_safe(each, lanes) && each.is_opensms != chosen.is_opensms &&
        (rival == nullptr || bandwidth_of(each) >= bandwidth_of(*rival)))
      rival = &each;
    if (each.engine == "minhop" && chosen.engine != "minhop") standard = &each;
  }
  std::vector<std::string> phrases;
  if (rival != nullptr) {
    phrases.push_back(against(chosen, *rival) + ", the best engine of " +
                      (chosen.is_opensms ? "the plugin" : "opensm"));
  }
  if (standard != nullptr) phrases.push_back(against(chosen, *standard) + ", opensm's default");
  std::sort(phrases.begin(), phrases.end());
  return phrases;
}

/// Engines with more bandwidth that can deadlock.
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
    names.push_back(each->engine + " (" + displayed_bandwidth(bandwidth_of(*each)) + ")");
    with_lanes = with_lanes || (each->score->lanes && uses_lanes(*each));
  }
  return fmt::format(" {} would have more bandwidth, but {} routes can deadlock{}.", listed(names),
                     better.size() == 1 ? "its" : "their",
                     with_lanes ? fmt::format(" within {} lanes", lanes) : "");
}

/// The scored result with the shortest time of a pattern, of opensm's engines or of all.
const EngineResult* fastest_at(const std::string& pattern, Results results, bool only_opensms) {
  const EngineResult* fastest = nullptr;
  for (const EngineResult& each : results) {
    if (!is_scored(each) || !each.score->structured || (only_opensms && !each.is_opensms)) continue;
    const std::optional<double> time = each.score->structured->time_of(pattern);
    if (time && (fastest == nullptr || *time < *fastest->score->structured->time_of(pattern)))
      fastest = &each;
  }
  return fastest;
}

/// The patterns for which the chosen tables are slow, or empty.
std::string slow_phrase(const EngineResult& chosen, Results results) {
  if (!chosen.score->structured) return {};
  std::vector<std::string> slow;
  for (const PatternFigure& pattern : chosen.score->structured->patterns) {
    for (const bool only_opensms : {true, false}) {
      const EngineResult* const rival = fastest_at(pattern.name, results, only_opensms);
      if (rival == nullptr || rival == &chosen) continue;
      const double time = *rival->score->structured->time_of(pattern.name);
      if (pattern.time <= time * (only_opensms ? slow_beside_opensm : slow_beside_any)) continue;
      slow.push_back(fmt::format("{} ({:.2f} times as long as with {}: {:.2f} against {:.2f})",
                                 pattern.name, pattern.time / time, rival->engine, pattern.time,
                                 time));
      break;
    }
  }
  return slow.empty() ? "" : "; but slow at " + listed(slow);
}

/// The bandwidth of flows striped over all LIDs of their hosts, and the engine with which it is
/// highest.
std::string striped_phrase(const EngineResult& chosen, Results results, unsigned lanes) {
  const std::optional<StripedFigures>& own = chosen.score->striped;
  if (!own || !own->bandwidth) return {};
  const EngineResult* best = &chosen;
  for (const EngineResult& each : results) {
    if (is_safe(each, lanes) && each.score->striped &&
        each.score->striped->bandwidth.value_or(0) > best->score->striped->bandwidth.value_or(0))
      best = &each;
  }
  const auto figures = [](const StripedFigures& of) {
    return displayed_bandwidth(of.bandwidth.value_or(0)) +
           (of.slowdown ? fmt::format(" (S {:.2f})", *of.slowdown) : "");
  };
  std::string text =
      fmt::format(" Flows striped over {} LIDs per host get {}", own->lids, figures(*own));
  if (best != &chosen) {
    text += fmt::format("; with {} they get the most: {}", best->engine,
                        figures(*best->score->striped));
  }
  return text + ".";
}

std::string sentence(const EngineResult& chosen, Results results, unsigned lanes,
                     const std::vector<std::string>& as_good) {
  std::string text = "Use " + chosen.engine + ": effective bisection bandwidth " +
                     displayed_bandwidth(bandwidth_of(chosen));
  if (chosen.score->interval) {
    text += " (95 % interval " + displayed_bandwidth(chosen.score->interval->low) + " to " +
            displayed_bandwidth(chosen.score->interval->high) + ")";
  }
  if (chosen.score->structured) {
    text += fmt::format(", structured traffic S {:.2f}", chosen.score->structured->slowdown);
  }
  text += ", " + lanes_phrase(chosen);
  for (const std::string& phrase : rival_phrases(chosen, results, lanes)) text += "; " + phrase;
  text += slow_phrase(chosen, results) + ".";
  if (!as_good.empty()) {
    text +=
        chosen.score->structured ? " As good, by bandwidth and S: " : " As good, by bandwidth: ";
    text += listed(as_good) + ".";
  }
  text += striped_phrase(chosen, results, lanes);
  return text + unsafe_phrase(chosen, results, lanes);
}

/// Ties are broken by the smallest value.
auto costs(const EngineResult& result, unsigned lanes) {
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

std::vector<std::size_t> candidates(Results results, unsigned lanes) {
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !is_scored(results[i]); });
  const std::size_t none = results.size();
  std::size_t first = none;
  for (const std::size_t i : order) {
    if (is_safe(results[i], lanes) &&
        (first == none || results[i].score->merit() >= results[first].score->merit()))
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
  const std::vector<std::size_t> selection = candidates(results, lanes);
  for (const EngineResult& each : results) {
    if (!is_safe(each, lanes) || !is_as_good(each, results[selection.front()])) continue;
    equals.push_back(&each);
    if (chosen == nullptr || costs(each, lanes) < costs(*chosen, lanes)) chosen = &each;
  }
  if (chosen == nullptr) {
    const bool any_routed = std::any_of(results.begin(), results.end(),
                                        [](const EngineResult& each) { return each.score; });
    return {
        "",
        any_routed
            ? fmt::format(
                  "No engine computed usable tables that are deadlock-free within {} lanes.", lanes)
            : "No engine computed tables for this fabric.",
        {}};
  }
  Recommendation result;
  result.engine = chosen->engine;
  for (const EngineResult* each : equals)
    if (each != chosen) result.as_good.push_back(each->engine);
  result.text = sentence(*chosen, results, lanes, result.as_good);
  return result;
}

std::string displayed_bandwidth(double value) { return fmt::format("{:.4f}", value); }

}  // namespace pssp
