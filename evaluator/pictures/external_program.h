#pragma once

// Programs that draw for us: gnuplot and graphviz.

#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Runs a program (arguments[0], found in PATH or at its path if it has a '/') with `input` as its
/// standard input, and returns its standard output. `package`: the Debian package that has it, for
/// the message where it is missing. No shell is involved. What goes through are unnamed temporary
/// files, so that neither side waits for the other. Throws Error(output) when the program is
/// missing, when it fails (with the last lines of what it said), and when there is no room for the
/// files.
std::string run_program(const std::vector<std::string>& arguments, std::string_view input,
                        std::string_view package);

}  // namespace pssp
