#pragma once

namespace pssp {

/// Runs the command named on the command line. Returns the exit code. Throws Error.
int run_command(int argc, const char* const* argv);

}  // namespace pssp
