#pragma once

// The version of the project, shown by every program, report and module.

namespace pssp {

/// Such as "0.1.0"; defined once in the build.
const char* version() noexcept;

/// The version of OpenSM whose headers the plugin was built with, such as "3.3.23"; empty without a
/// plugin.
const char* opensm_version() noexcept;

}  // namespace pssp
