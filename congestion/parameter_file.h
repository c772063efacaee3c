#pragma once

// The notation of a parameter set: one `name = value` a line, '#' begins a comment.
// docs/reference/congestion-parameters.md has the names, units and ranges;
// parameter_text.h writes it.

#include <filesystem>
#include <string_view>

#include "base/guarded_files.h"
#include "congestion/parameters.h"

namespace pssp {

/// Reads a set from its notation; `name` stands for the file in messages, relative paths of
/// table.values are looked up in `folder` and read by `reader`. The set has passed check(). Throws
/// Error(unreadable_input), "name:line: what was found, what is allowed", on anything that is not
/// the notation: unknown name, name given twice, value out of range, a table that is longer than
/// its stated capacity or whose delays fall.
CongestionParameters parse_congestion_parameters(std::string_view text, std::string_view name,
                                                 const std::filesystem::path& folder = {},
                                                 const FileSource& reader = from_anywhere);

/// Reads a parameter file of up to 1 MiB; "-" is standard input. Errors as above, and
/// Error(unreadable_input) when it cannot be read.
CongestionParameters read_congestion_parameters(const std::filesystem::path& path,
                                                const FileSource& reader = from_anywhere);

}  // namespace pssp
