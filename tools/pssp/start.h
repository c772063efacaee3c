#pragma once

// Starts the programs of `pssp`.

#include <filesystem>
#include <span>
#include <string>

#include "tools/pssp/commands.h"

namespace pssp {

/// Replaces this process by the program of `command`, which calls itself "pssp COMMAND". Throws
/// Error(missing_program).
[[noreturn]] void start_command(const std::filesystem::path& folder, const PsspCommand& command,
                                std::span<const std::string> arguments);

}  // namespace pssp
