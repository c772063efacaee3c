#pragma once

// Starts programs, waits for them and ends them, so that none of them outlives this program, even
// if this program fails, is interrupted or is killed.

#include <sys/types.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pssp {

using Clock = std::chrono::steady_clock;

/// Thrown by functions that wait, after SIGINT, SIGTERM or SIGHUP.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "interrupted"; }
  /// As in a shell: 128 plus the number of the signal.
  int exit_code() const noexcept { return 128 + signal_; }

 private:
  int signal_;
};

/// During its lifetime, SIGINT, SIGTERM and SIGHUP are queued. Functions that wait read the queue,
/// so that their callers end the children in order. A signal that was ignored (nohup) stays
/// ignored. At most one object per program, which main creates before any thread.
class SignalQueue {
 public:
  SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;
  ~SignalQueue();

  int descriptor() const noexcept { return descriptor_; }
  /// Throws Interrupted if a signal has arrived.
  void check() const;
  /// Calls `tick` about once a second during a wait: for a progress line.
  void on_tick(std::function<void()> tick) { tick_ = std::move(tick); }
  void tick() const {
    if (tick_) tick_();
  }

 private:
  std::function<void()> tick_;
  int descriptor_ = -1;
  sigset_t before_;
};

struct Command {
  std::string program;                 ///< its path
  std::vector<std::string> arguments;  ///< without the program's name
  std::map<std::string, std::string> environment;
  std::filesystem::path directory;       ///< working directory; empty: that of this program
  std::filesystem::path output, errors;  ///< overwritten; may be the same file; empty: discarded
  /// `output`, which then also gets the errors, keeps only its last lines
  /// (ibsim_harness/bounded_log.h). For programs without children.
  bool keeps_last_lines = false;
  bool with_console = false;     ///< this program writes its standard input; otherwise it is empty
  bool inherits_output = false;  ///< its output and errors go to those of this program
};

/// How a program ended.
struct Ending {
  int status = 0;     ///< exit code, or 128 plus the number of the signal that ended the program
  long peak_kib = 0;  ///< largest resident memory of the program and its children
};

/// A running program in a separate process group. The kernel ends it (SIGTERM) when this program
/// dies.
class Process {
 public:
  /// Throws Error(missing_program) if the program cannot be run, and Error(output) if its files
  /// cannot be written.
  Process(const Command& command, const SignalQueue& signals);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Ends the program, as end() does.
  ~Process();

  /// Waits until the program ends, the time `until` is reached, or `event` (an optional file
  /// descriptor) becomes readable. Throws Interrupted.
  enum class Woken { ended, event, time };
  Woken wait(Clock::time_point until, int event = -1);

  /// Nothing while the program runs.
  const std::optional<Ending>& ending() const noexcept { return ending_; }
  void send(int signal) const;
  /// Writes a line to the console of the program.
  void tell(const std::string& line) const;
  /// Ends the group with SIGTERM, and later with SIGKILL, because opensm ignores SIGTERM while it
  /// computes routes. Ignores signals, and returns when all processes have ended.
  void end(std::chrono::seconds patience = std::chrono::seconds(2)) noexcept;
  pid_t id() const noexcept { return id_; }

 private:
  void collect() noexcept;
  void start_relay(const Command& command, int log, int input);
  void await_relay() noexcept;

  const SignalQueue* signals_;
  pid_t id_ = -1;
  pid_t relay_ = -1;  ///< the process that writes a bounded log
  int ended_descriptor_ = -1, console_ = -1;
  std::optional<Ending> ending_;
};

/// Runs a program to its end. If it does not end in time, ends the program and returns nothing.
std::optional<Ending> run_to_end(const Command& command, const SignalQueue& signals,
                                 std::optional<std::chrono::seconds> time_limit = std::nullopt);

}  // namespace pssp
