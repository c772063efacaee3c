#pragma once

// The log of a program that talks for days.

namespace pssp {

/// A log is cut when it is longer than the first, to the lines within its last so many bytes:
/// thousands of ibsim's.
inline constexpr long longest_log = 1L << 20, kept_of_log = 1L << 18;

/// Writes what comes from `input` to `log`, a descriptor of `file` that appends, until there is no
/// more. Where the file gets longer than longest_log its last lines take its place at once, by way
/// of `part`, so that whoever reads it always finds the newest kept_of_log bytes at least. What
/// cannot be written is lost, and `input` is read on. Calls nothing that may not be called between
/// fork() and exec().
void relay_bounded(int input, int log, const char* file, const char* part) noexcept;

}  // namespace pssp
