#pragma once

// Which nodes may get jobs, out of the history.

#include <cstdint>
#include <filesystem>

#include "monitor/analysis/fit_watch.h"

namespace pssp {

/// Gives `watch` what the history knows: where nodes were, what was said of them, and who was
/// drained within the last hour. A history that cannot be read gives nothing: then the guard begins
/// again, as without one.
void restore_fit(FitWatch& watch, const std::filesystem::path& database, std::int64_t now_ms);

struct StoredFit {
  FitList list;
  std::string stale;  ///< why nothing is known of any node; empty: it is
};
/// As it stood when the database was written last; it is stale when that is longer ago than three
/// of its sweeps, or where no daemon has judged nodes. Throws Error(unreadable_input).
StoredFit stored_fit(const std::filesystem::path& database, const NodeNameRule& rule,
                     std::int64_t now_ms);

}  // namespace pssp
