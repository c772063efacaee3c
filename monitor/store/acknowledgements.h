#pragma once

// Incidents that an operator has acknowledged, each with a comment and an end time.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "monitor/counters/incident.h"

namespace pssp {

/// Adds or replaces the acknowledgement of an incident and deletes acknowledgements that ended
/// before `entry.since_ms`. A daemon may write the file at the same time. Throws HistoryFailure if
/// the write fails, and Error(unreadable_input) if the file is not a history of this program.
void keep_acknowledgement(const std::filesystem::path& file, const Acknowledgement& entry);

/// All acknowledgements in the file, sorted by incident. The list is empty if an older version
/// wrote the file. Throws Error(unreadable_input).
std::vector<Acknowledgement> read_acknowledgements(const std::filesystem::path& file);

}  // namespace pssp
