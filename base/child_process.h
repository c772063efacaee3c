#pragma once

// Starts other programs without a shell. For programs that run for minutes and may be interrupted,
// use ibsim_harness/process.h.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"

namespace pssp {

/// How a program is started.
struct ChildSetup {
  std::vector<std::string> arguments;  ///< the first one: its name, found in PATH, or its path
  std::string variable = {};           ///< "NAME=value", added to the environment; empty: none
  /// Descriptors for its standard streams; stream_of_ours: inherited, no_stream: /dev/null.
  int input = stream_of_ours, output = stream_of_ours, errors = stream_of_ours;
  bool is_group_leader = false;    ///< so that it can be ended with its children
  bool is_session_leader = false;  ///< not controlled by this terminal

  static constexpr int stream_of_ours = -1, no_stream = -2;
};

/// Starts the program with default handling of signals. The caller must wait for it (child_status).
/// Throws Error(missing_program) if it cannot be started.
pid_t start_child(const ChildSetup& setup);

/// Its exit code as in a shell (128 plus the number of the signal that ended it); none while it
/// runs. Must be called until it returns a code, and not again.
std::optional<int> child_status(pid_t child);

struct ProgramLimits {
  std::chrono::milliseconds time_out = std::chrono::hours(24);
  std::size_t most_output = std::size_t{1} << 30U;  ///< bytes
};

struct ProgramAnswer {
  std::string output;
  /// "the program 'x' failed with code 3: last output"; empty on success.
  std::string failure;
};

/// Runs a program to its end with `input` as its standard input. When this function returns or
/// throws, the program and its process group have ended. `setup` specifies the arguments, not the
/// streams. Nothing is written to the disk, and neither side blocks the other.
///
/// Throws Error(missing_program) if it cannot be started; Error(unreadable_input) if its time or
/// output exceeds `limits`; Stopped within 100 ms.
ProgramAnswer run_program(ChildSetup setup, std::string_view input = {},
                          const ProgramLimits& limits = {}, const StopSignal& stop = {});

}  // namespace pssp
