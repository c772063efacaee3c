#pragma once

// The notation of a parameter set: one `name = value` a line, '#' begins a comment.
// docs/reference/congestion-parameters.md has the names, units and ranges;
// parameter_text.h writes it.

#include <filesystem>
#include <string_view>

#include "base/guarded_files.h"
#include "congestion/parameters.h"

namespace pssp {

/// Parses a set; `name` stands for the file in messages; relative paths of table.values are
/// resolved in `folder` and read by `reader`. The returned set has passed check(). Throws
/// Error(unreadable_input), "name:line: what was found, what is allowed", for an unknown or
/// repeated name, a value out of range, or a table that exceeds its capacity or whose delays fall.
CongestionParameters parse_congestion_parameters(std::string_view text, std::string_view name,
                                                 const std::filesystem::path& folder = {},
                                                 const FileSource& reader = from_anywhere);

/// Reads a parameter file of up to 1 MiB; "-" is standard input. Errors as above, and
/// Error(unreadable_input) if the file cannot be read.
CongestionParameters read_congestion_parameters(const std::filesystem::path& path,
                                                const FileSource& reader = from_anywhere);

}  // namespace pssp
