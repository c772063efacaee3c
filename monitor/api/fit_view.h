#pragma once

// What /api/v1/fit says, as text for shells and as JSON; and `monitor_fabric fit` with it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "monitor/api/json_writer.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

inline constexpr std::size_t most_fit_names = 4096;

/// One name that was asked for.
struct FitAnswer {
  std::string name;  ///< as it was asked; clean to show
  Level level = Level::unknown;
  DrainAdvice advice = DrainAdvice::none;
  std::int64_t since_ms = 0;         ///< 0: not known
  std::vector<std::string> reasons;  ///< the worst first; clean to show
};

/// The names of a host list, in its order, each once. Throws as expand_host_list(), for more than
/// most_fit_names, too.
std::vector<std::string> fit_names(const std::string& host_list);

/// An answer a name; of all nodes where there are none. A name that means no node is `unknown`, and
/// so is everything where `stale` says why nothing is known. O(names).
std::vector<FitAnswer> answers_of(const FitList& list, const std::vector<std::string>& names,
                                  const std::string& stale);

/// A line for each that is not `yes`: "NAME FIT ADVICE REASON; REASON". Without a blank in the
/// first three. Empty: all may get jobs.
std::string fit_text(std::span<const FitAnswer> answers);
/// Members `fit` and `fit_reasons` of the machine that an adapter is in; null and none where it is
/// no machine's, as of switches, or no one judges (`list` is null).
void write_fit_of(JsonWriter& json, const FitList* list, Guid adapter);
/// Members `nodes` and `fits` (how many of each word) of an open object.
void write_fit(JsonWriter& json, std::span<const FitAnswer> answers);

}  // namespace pssp
