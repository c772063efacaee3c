#pragma once

// Reads jobs from a file, for tests and for schedulers without direct support. The format is JSON
// Lines with one job per line:
//
//   {"id": "4711", "name": "cfd", "user": "anna", "start": 1700000000, "end": null,
//    "nodes": ["n1", "n[2-4]"]}
//
// "id" (text or number) and "nodes" (texts in the notation of host_list.h) are required. "name",
// "user", "state" (texts), "start" and "end" (seconds since 1970, or null) are optional. Blank
// lines and other members are ignored.

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "monitor/jobs/job.h"

namespace pssp {

/// Maximum length of a line in bytes, which also limits the memory for a line. Longer lines are
/// invalid.
inline constexpr std::size_t longest_job_line = std::size_t{4} << 20;

/// Parses all valid lines. Invalid lines are reported with `name` and their line number. O(size).
JobList parse_jobs(std::string_view text, std::string_view name);
/// Throws Error(unreadable_input) if the file cannot be read. O(size).
JobList read_jobs(const std::filesystem::path& path);

}  // namespace pssp
