#pragma once

// Recordings: periods of a history that have a name.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pssp {

struct Recording {
  std::uint64_t number = 0;  ///< given by the file
  std::string name;          ///< of the user
  std::string command;       ///< that ran meanwhile; empty: none
  std::int64_t start_ms = 0, end_ms = 0;
};

/// Enters a recording; a daemon may write the file at the same time, for SQLite lets one after the
/// other. Throws HistoryFailure, Error(unreadable_input) for a file that is not ours.
void keep_recording(const std::filesystem::path& file, const Recording& recording);

/// The newest first, at most `limit`. None where the file is of a version before. Throws
/// Error(unreadable_input).
std::vector<Recording> read_recordings(const std::filesystem::path& file, std::size_t limit);

}  // namespace pssp
