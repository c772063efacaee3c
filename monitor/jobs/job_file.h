#pragma once

// Jobs of a file, for schedulers that no one has taught us, and for tests. JSON Lines, a job a
// line:
//
//   {"id": "4711", "name": "cfd", "user": "anna", "start": 1700000000, "end": null,
//    "nodes": ["n1", "n[2-4]"]}
//
// "id" (text or a number) and "nodes" (texts in the notation of host_list.h) must be there; "name",
// "user", "state" (texts), "start" and "end" (seconds since 1970, or null) may. Blank lines and
// what else a job has are passed over.

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "monitor/jobs/job.h"

namespace pssp {

/// Bytes of a line; longer ones are bad lines, of which no more than this is ever in memory.
inline constexpr std::size_t longest_job_line = std::size_t{4} << 20;

/// Bad lines are left out and named with `name` and their number, and the others taken. O(size).
JobList parse_jobs(std::string_view text, std::string_view name);
/// Throws Error(unreadable_input) when the file cannot be read. O(size).
JobList read_jobs(const std::filesystem::path& path);

}  // namespace pssp
