#pragma once

// The log of a program that runs for days.

namespace pssp {

/// A log that is longer than longest_log bytes is cut to the lines within its last kept_of_log
/// bytes, which are thousands of lines of ibsim.
inline constexpr long longest_log = 1L << 20, kept_of_log = 1L << 18;

/// Writes the data from `input` to `log`, a descriptor of `file` in append mode, until `input`
/// ends. If the file becomes longer than longest_log, its last lines replace it at once through the
/// file `part`, so a reader always finds at least the newest kept_of_log bytes. Data that cannot be
/// written is lost, and reading continues. Calls only functions that are permitted between fork()
/// and exec().
void relay_bounded(int input, int log, const char* file, const char* part) noexcept;

}  // namespace pssp
