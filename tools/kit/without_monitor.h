#pragma once

// What programs say that can read the monitor's database, in a build that has no reader of it.

namespace pssp {

/// Throws Error(usage).
[[noreturn]] void refuse_database();

}  // namespace pssp
