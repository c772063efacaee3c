#pragma once

// Incidents that an operator has acknowledged, with a comment and an end.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "monitor/counters/incident.h"

namespace pssp {

/// Enters or replaces the acknowledgement of an incident, and removes those that ended before its
/// beginning. A daemon may write the file at the same time. Throws HistoryFailure,
/// Error(unreadable_input) for a file that is not ours.
void keep_acknowledgement(const std::filesystem::path& file, const Acknowledgement& entry);

/// All in the file, by incident. None where the file is of a version before. Throws
/// Error(unreadable_input).
std::vector<Acknowledgement> read_acknowledgements(const std::filesystem::path& file);

}  // namespace pssp
