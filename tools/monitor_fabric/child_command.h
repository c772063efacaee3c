#pragma once

// Runs a command during a recording, and handles signals.

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD during its lifetime, for wait().
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// The next signal; 0 if there is none before `until`.
  int wait(std::chrono::steady_clock::time_point until) const;

 private:
  sigset_t set_{}, before_{};
};

class ChildCommand {
 public:
  /// Starts it in this process group, with inherited files. Throws Error(missing_program).
  explicit ChildCommand(const std::vector<std::string>& words);
  ChildCommand(const ChildCommand&) = delete;
  ChildCommand& operator=(const ChildCommand&) = delete;
  /// A running command gets SIGTERM, and is not awaited.
  ~ChildCommand();

  /// Its exit code as in a shell; none while it runs.
  std::optional<int> status();
  void send(int signal) const;

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

}  // namespace pssp
