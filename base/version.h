#pragma once

// The version of the project, which every program, report and module says.

namespace pssp {

/// As in "0.1.0"; the build defines it once.
const char* version() noexcept;

/// The version of OpenSM whose headers the plugin of this build was made with, as in "3.3.23";
/// empty where the build has no plugin.
const char* opensm_version() noexcept;

}  // namespace pssp
