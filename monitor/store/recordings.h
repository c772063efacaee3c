#pragma once

// Recordings: named periods of a history.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pssp {

struct Recording {
  std::uint64_t number = 0;  ///< assigned by the file
  std::string name;          ///< chosen by the user
  std::string command;       ///< command that ran during the recording; empty: none
  std::int64_t start_ms = 0, end_ms = 0;
};

/// Adds a recording. A daemon may write the file at the same time, because SQLite serializes
/// writers. Throws HistoryFailure if the write fails, and Error(unreadable_input) if the file is
/// not ours.
void keep_recording(const std::filesystem::path& file, const Recording& recording);

/// At most `limit` recordings, newest first. Empty if an older version wrote the file. Throws
/// Error(unreadable_input).
std::vector<Recording> read_recordings(const std::filesystem::path& file, std::size_t limit);

}  // namespace pssp
