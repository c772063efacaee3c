#pragma once

// Names of temporary files that are written next to their target and then renamed, and removal of
// those that killed processes left behind.

#include <filesystem>
#include <string>
#include <vector>

namespace pssp {

/// FILE.PID-NUMBER.tmp, of this process.
std::string temporary_name(const std::filesystem::path& file, unsigned number);

/// Marks a new temporary file as in use while it is open, even for processes that see other process
/// IDs (in another container). Best effort.
void mark_as_in_use(int fd) noexcept;

/// Removes the temporary files of `file` whose writer is gone: regular files of this user with
/// exactly such a name that are not marked as in use, if no process has the ID, or a process of
/// another program, or one that is younger than the file. Returns the removed names; skips files
/// that cannot be examined or removed, and never waits.
std::vector<std::string> remove_abandoned_files(const std::filesystem::path& file);

}  // namespace pssp
