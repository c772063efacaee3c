#pragma once

// Options in a file: one or more name=value a line, '#' begins a comment.

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/error.h"

namespace pssp {

/// Takes one name=value of the file; may throw Error.
using TakeOption = std::function<void(std::string_view entry)>;
/// Takes what was thrown, with the place, "FILE:LINE: ...", and of a file that not everybody may
/// read without what stands there; may throw it on.
using TellFault = std::function<void(const Error& error)>;

/// Hands the entries of the file to `take`, in their order. A line with control characters is a
/// fault of its own. Throws Error(unreadable_input) when the file is no regular one, cannot be read
/// or is larger than 1 MiB.
void read_options_file(const std::filesystem::path& path, const TakeOption& take,
                       const TellFault& tell);

}  // namespace pssp
