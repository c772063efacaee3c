#pragma once

// Programs that are started, waited for and ended, so that none of them outlives us: neither when
// we fail, nor when we are interrupted, nor when we are killed.

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

/// Thrown where we wait, when SIGINT, SIGTERM or SIGHUP has arrived.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "interrupted"; }
  /// As a shell has it: 128 and the number of the signal.
  int exit_code() const noexcept { return 128 + signal_; }

 private:
  int signal_;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP wait in a queue that waiting reads, so that whoever
/// waits ends its children in order. A signal that was ignored (nohup) stays ignored. One a
/// program, made by main before any thread is.
class SignalQueue {
 public:
  SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;
  ~SignalQueue();

  int descriptor() const noexcept { return descriptor_; }
  /// Throws Interrupted when a signal has arrived.
  void check() const;
  /// Calls `tick` about once a second while anything is waited for: for a line of progress.
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
  std::filesystem::path directory;       ///< where it runs; empty: where we are
  std::filesystem::path output, errors;  ///< overwritten; empty: thrown away; may be the same file
  /// `output`, which is that of errors too, keeps its last lines alone
  /// (ibsim_harness/bounded_log.h). For programs that have no children.
  bool keeps_last_lines = false;
  bool with_console = false;         ///< its standard input is ours to write; otherwise empty
  bool reports_same_engine = false;  ///< its output and errors go where ours go
};

/// How a program ended.
struct Ending {
  int status = 0;     ///< what it returned, or 128 and the number of the signal that ended it
  long peak_kib = 0;  ///< largest resident memory of it and of its children
};

/// A running program in a process group of its own. The kernel ends it (SIGTERM) when we die.
class Process {
 public:
  /// Throws Error(missing_program) when it cannot be run, Error(output) when its files cannot be
  /// written.
  Process(const Command& command, const SignalQueue& signals);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Ends it, as end() does.
  ~Process();

  /// Waits until the program has ended, or the time has come, or `event` (a file descriptor, if
  /// any) can be read. Throws Interrupted.
  enum class Woken { ended, event, time };
  Woken wait(Clock::time_point until, int event = -1);

  /// Nothing while it runs.
  const std::optional<Ending>& ending() const noexcept { return ending_; }
  void send(int signal) const;
  /// A line for its console.
  void tell(const std::string& line) const;
  /// Ends the group: politely, and so much later for certain. Deep in its routing opensm does not
  /// hear SIGTERM. No time for signals: it returns when all is over.
  void end(std::chrono::seconds patience = std::chrono::seconds(2)) noexcept;
  pid_t id() const noexcept { return id_; }

 private:
  void collect() noexcept;
  void start_relay(const Command& command, int log, int input);
  void await_relay() noexcept;

  const SignalQueue* signals_;
  pid_t id_ = -1;
  pid_t relay_ = -1;  ///< who writes the log, where it is bounded
  int ended_descriptor_ = -1, console_ = -1;
  std::optional<Ending> ending_;
};

/// Runs a program to its end. Nothing when that did not come in time; the program is ended then.
std::optional<Ending> run_to_end(const Command& command, const SignalQueue& signals,
                                 std::optional<std::chrono::seconds> time_limit = std::nullopt);

}  // namespace pssp
