#pragma once

// The version of the project, which every program, report and module says.

namespace pssp {

/// As in "0.1.0"; the build defines it once.
const char* version() noexcept;

}  // namespace pssp
