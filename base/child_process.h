#pragma once

// Other programs, started without a shell. Whoever lets one run for minutes and may be interrupted
// meanwhile has ibsim_harness/process.h.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"

namespace pssp {

/// How a program begins.
struct ChildSetup {
  std::vector<std::string> arguments;  ///< the first one: its name, found in PATH, or its path
  std::string variable = {};           ///< "NAME=value", put into our environment; empty: none
  /// Descriptors that become its standard streams; stream_of_ours: ours, no_stream: /dev/null.
  int input = stream_of_ours, output = stream_of_ours, errors = stream_of_ours;
  bool is_group_leader = false;    ///< so that it can be ended with all that it starts
  bool is_session_leader = false;  ///< out of reach of our terminal

  static constexpr int stream_of_ours = -1, no_stream = -2;
};

/// Starts it; signals that we block or ignore are as usual in it. It has to be waited for
/// (child_status). Throws Error(missing_program) where it cannot be started.
pid_t start_child(const ChildSetup& setup);

/// What it ended with, as a shell has it (128 and the number of the signal that ended it); nothing
/// while it runs. To be asked until it answers, and not again then.
std::optional<int> child_status(pid_t child);

struct ProgramLimits {
  std::chrono::milliseconds time_out = std::chrono::hours(24);
  std::size_t most_output = std::size_t{1} << 30U;  ///< bytes
};

struct ProgramAnswer {
  std::string output;
  /// "the program 'x' failed with code 3: what it said last"; empty where it did its work.
  std::string failure;
};

/// Runs a program to its end, with `input` as what it reads. What is still running when this
/// returns or throws is ended, with all that it has started in its process group. `setup` says what
/// it is called with; its streams are taken. Nothing goes through the disk, and neither side waits
/// for the other.
///
/// Throws Error(missing_program) when it cannot be started; Error(unreadable_input) when it takes
/// longer or says more than `limits`; Stopped within 100 ms.
ProgramAnswer run_program(ChildSetup setup, std::string_view input = {},
                          const ProgramLimits& limits = {}, const StopSignal& stop = {});

}  // namespace pssp
