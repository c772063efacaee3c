#pragma once

// Files that are written beside their place and then renamed: how they are called meanwhile, and
// what a process that was killed has left of them.

#include <filesystem>
#include <string>
#include <vector>

namespace pssp {

/// FILE.PID-NUMBER.tmp, of this process.
std::string temporary_name(const std::filesystem::path& file, unsigned number);

/// To be called with a new temporary file of that name: as long as it is open no process takes it
/// for abandoned, even one that sees other process ids (in another container). Best effort.
void mark_as_in_use(int fd) noexcept;

/// Removes the temporary files of `file` whose writer is gone: regular files of this user with
/// exactly such a name that no one has marked as in use, where no process has the id, or one of
/// another program, or one that is younger than the file. All others stay. Returns what was
/// removed; what cannot be looked at or removed is passed over, and nothing waits.
std::vector<std::string> remove_abandoned_files(const std::filesystem::path& file);

}  // namespace pssp
