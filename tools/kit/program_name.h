#pragma once

// What a program calls itself in messages, usage lines and versions.

#include <string>

namespace pssp {

/// "pssp route" if `pssp` started the program, otherwise `program`. Valid as long as the process
/// and `program`.
const char* name_as_called(const char* program) noexcept;

/// The answer to --version, without a newline.
std::string version_line(const std::string& name);

}  // namespace pssp
