#pragma once

// Options in a file: one or more name=value a line, '#' begins a comment.

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/error.h"

namespace pssp {

/// Takes one name=value of the file; may throw Error.
using TakeOption = std::function<void(std::string_view entry)>;
/// Receives an error with its position, "FILE:LINE: ...". The error quotes the file only if every
/// user may read the file. May throw the error.
using TellFault = std::function<void(const Error& error)>;

/// Passes the entries of the file to `take`, in order, and their errors to `tell`. A line with
/// control characters is one error. Throws Error(unreadable_input) if the file is not a regular
/// file, cannot be read, or is larger than 1 MiB.
void read_options_file(const std::filesystem::path& path, const TakeOption& take,
                       const TellFault& tell);

}  // namespace pssp
