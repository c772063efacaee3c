#pragma once

namespace pssp {

/// Runs the command that the command line names. The exit code. Throws Error.
int run_command(int argc, const char* const* argv);

}  // namespace pssp
