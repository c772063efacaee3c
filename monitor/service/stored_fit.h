#pragma once

// Reads from the history which nodes may get jobs.

#include <cstdint>
#include <filesystem>

#include "monitor/analysis/fit_watch.h"

namespace pssp {

/// Restores the state of `watch` from the history: positions of nodes, their fitness, and the nodes
/// drained within the last hour. Does nothing if the history cannot be read; the drain guard then
/// starts without memory.
void restore_fit(FitWatch& watch, const std::filesystem::path& database, std::int64_t now_ms);

struct StoredFit {
  FitList list;
  std::string stale;  ///< why the state of all nodes is unknown; empty if it is known
};
/// The state when the database was last written. It is stale if that is longer ago than three
/// intervals between sweeps, or if no daemon has rated nodes. Throws Error(unreadable_input).
StoredFit stored_fit(const std::filesystem::path& database, const NodeNameRule& rule,
                     std::int64_t now_ms);

}  // namespace pssp
