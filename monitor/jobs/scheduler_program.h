#pragma once

// Starts the program of a scheduler and takes what it says, within limits: schedulers hang, and say
// more than anybody wants to hear.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/stop_signal.h"

namespace pssp {

struct ProgramLimits {
  std::chrono::milliseconds time_out;
  std::size_t most_output;  ///< bytes
};

/// Runs a program (arguments[0], found in PATH or at its path if it has a '/') without a shell and
/// without input, in the caller's environment with `variable` ("NAME=value") put in, and returns
/// its standard output. What is still running when this returns or throws is ended, with all that
/// it has started in its process group. Throws Error(missing_program) when it cannot be started;
/// Error(unreadable_input) when it fails (with the end of what it said), takes longer or says more;
/// Stopped within 100 ms.
std::string run_scheduler(const std::vector<std::string>& arguments, const std::string& variable,
                          const ProgramLimits& limits, const StopSignal& stop = {});

}  // namespace pssp
