#pragma once

// A command that runs while something is recorded, and the signals meanwhile.

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

/// Holds SIGINT, SIGTERM, SIGHUP and SIGCHLD back as long as it lives, for wait().
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// The next one; 0 where none came before `until`.
  int wait(std::chrono::steady_clock::time_point until) const;

 private:
  sigset_t set_{}, before_{};
};

class ChildCommand {
 public:
  /// Starts it in our process group, with our files. Throws Error(missing_program).
  explicit ChildCommand(const std::vector<std::string>& words);
  ChildCommand(const ChildCommand&) = delete;
  ChildCommand& operator=(const ChildCommand&) = delete;
  /// One that still runs is told to end (SIGTERM), and not waited for.
  ~ChildCommand();

  /// What it ended with, as a shell has it; nothing while it runs.
  std::optional<int> status();
  void send(int signal) const;

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

}  // namespace pssp
