#pragma once

// Reads GOAL files, text or binary.

#include <filesystem>

#include "applications/formats/goal_text.h"

namespace pssp {

/// Binary according to its first bytes, else text; binary files of at most 4 GiB. "-" is standard
/// input. Throws Error(unreadable_input) with file and line or byte.
GoalText read_goal_file(const std::filesystem::path& path);

}  // namespace pssp
