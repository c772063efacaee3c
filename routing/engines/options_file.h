#pragma once

// Engine options in a file: one or more name=value a line, '#' begins a comment.

#include <filesystem>
#include <functional>

#include "routing/engines/options.h"

namespace pssp {

/// Throws Error(usage) when an option is unknown or its value wrong.
using OptionsCheck = std::function<void(const EngineOptions&)>;

/// Adds the options of the file to `options`, each line after `check` has seen it. Throws
/// Error(unreadable_input) when the file is no regular one, cannot be read, holds bytes that are no
/// text or is larger than 1 MiB; Error(usage) with file:line on what `check`,
/// EngineOptions::parse() and set() refuse.
void read_options_file(const std::filesystem::path& path, const OptionsCheck& check,
                       EngineOptions& options);

}  // namespace pssp
