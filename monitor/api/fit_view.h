#pragma once

// The response of /api/v1/fit, as text for shells and as JSON; also used by `monitor_fabric fit`.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "monitor/api/json_writer.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

inline constexpr std::size_t most_fit_names = 4096;

/// The answer for one requested name.
struct FitAnswer {
  std::string name;  ///< as requested; sanitized
  Level level = Level::unknown;
  DrainAdvice advice = DrainAdvice::none;
  std::int64_t since_ms = 0;         ///< 0 if unknown
  std::vector<std::string> reasons;  ///< worst first; sanitized
};

/// The names of a host list, in its order, without duplicates. Throws like expand_host_list(), also
/// for more than most_fit_names.
std::vector<std::string> fit_names(const std::string& host_list);

/// One answer for each name; for all nodes if `names` is empty. A name without a node is `unknown`;
/// if `stale` is not empty, it is the reason why all nodes are `unknown`. O(names).
std::vector<FitAnswer> answers_of(const FitList& list, const std::vector<std::string>& names,
                                  const std::string& stale);

/// One line for each node that is not `yes`: "NAME FIT ADVICE REASON; REASON". The first three
/// words contain no blank. Empty if all nodes may get jobs.
std::string fit_text(std::span<const FitAnswer> answers);
/// Writes the members `fit` and `fit_reasons` for the host with this adapter. They are null and
/// empty for other devices, such as switches, and if `list` is null because nodes are not rated.
void write_fit_of(JsonWriter& json, const FitList* list, Guid adapter);
/// Writes the members `nodes` and `fits` (number of nodes of each level) into an open object.
void write_fit(JsonWriter& json, std::span<const FitAnswer> answers);

}  // namespace pssp
