// Both output pipes are read as they fill, so that the program never blocks, and nothing is written
// to a disk that may be full. Its input is in a memory file: a program that ends without reading
// all of it causes no signal here. The process has its own group, so that its children are ended
// with it.
//
// posix_spawn() instead of fork() avoids copying a process of many gigabytes, which fails on
// machines that do not overcommit memory.

#include "base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"

namespace pssp {
namespace {

using ChildClock = std::chrono::steady_clock;

/// Interval of checks of the stop signal.
constexpr int poll_ms = 50;
/// Only the end of error output is kept.
constexpr std::size_t most_complaint = 4096;

[[noreturn]] void fail_for_lack_of(const char* what) {
  throw Error(ErrorKind::internal, fmt::format("cannot create {}: {}", what, reason(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { release(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  void take(int number) {
    release();
    number_ = number;
  }
  void release() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// The input of the program.
class InputText {
 public:
  explicit InputText(std::string_view text) : file_(memfd_create("input", MFD_CLOEXEC)) {
    if (file_.number() < 0) fail_for_lack_of("an in-memory file for a program's input");
    while (!text.empty()) {
      const ssize_t size = write(file_.number(), text.data(), text.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) fail_for_lack_of("an in-memory file for a program's input");
      text.remove_prefix(static_cast<std::size_t>(size));
    }
    lseek(file_.number(), 0, SEEK_SET);
  }
  int number() const { return file_.number(); }

 private:
  Descriptor file_;
};

/// The output of the program.
class OutputPipe {
 public:
  OutputPipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_for_lack_of("a pipe");
    read_end_.take(ends[0]);
    write_end_.take(ends[1]);
    static_cast<void>(fcntl(ends[0], F_SETFL, O_NONBLOCK));
  }

  int write_end() const { return write_end_.number(); }
  void close_write_end() { write_end_.release(); }

  /// What to poll; nothing after the end.
  pollfd waiting() const { return {ended_ ? -1 : read_end_.number(), POLLIN, 0}; }
  bool ended() const { return ended_; }

  /// Appends the available output; sets ended() at its end.
  void read_into(std::string& text) {
    std::array<char, std::size_t{1} << 16U> block{};
    const ssize_t size = read(read_end_.number(), block.data(), block.size());
    if (size > 0) {
      text.append(block.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      ended_ = true;
    }
  }

 private:
  Descriptor read_end_, write_end_;
  bool ended_ = false;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The environment of this process, with "NAME=value" replacing a variable of that name.
std::vector<std::string> environment_with(const std::string& variable) {
  const std::string_view name(variable.data(), variable.find('=') + 1);
  std::vector<std::string> result;
  if (!variable.empty()) result.push_back(variable);
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (name.empty() || !std::string_view(*each).starts_with(name)) result.emplace_back(*each);
  }
  return result;
}

class SpawnActions {
 public:
  explicit SpawnActions(const ChildSetup& setup) {
    posix_spawn_file_actions_init(&actions_);
    connect(setup.input, STDIN_FILENO, O_RDONLY);
    connect(setup.output, STDOUT_FILENO, O_WRONLY);
    connect(setup.errors, STDERR_FILENO, O_WRONLY);
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void connect(int descriptor, int stream, int mode) {
    if (descriptor == ChildSetup::no_stream) {
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", mode, 0);
    } else if (descriptor != ChildSetup::stream_of_ours) {
      posix_spawn_file_actions_adddup2(&actions_, descriptor, stream);
    }
  }

  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  explicit SpawnAttributes(const ChildSetup& setup) {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (setup.is_group_leader) flags |= POSIX_SPAWN_SETPGROUP;
    if (setup.is_session_leader) flags |= POSIX_SPAWN_SETSID;
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::optional<int> wait_status(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, WNOHANG) != child) return std::nullopt;
  return status;
}

/// A process that leads a group; the group is ended with the object.
class EndedGroup {
 public:
  explicit EndedGroup(const ChildSetup& setup) : id_(start_child(setup)) {}
  ~EndedGroup() {
    if (status_) return;
    kill(-id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  }
  EndedGroup(const EndedGroup&) = delete;
  EndedGroup& operator=(const EndedGroup&) = delete;

  /// The status of waitpid(). Called only after the pipes are closed, so that no remaining child of
  /// the process holds one.
  std::optional<int> status() {
    if (!status_) status_ = wait_status(id_);
    return status_;
  }

 private:
  pid_t id_;
  std::optional<int> status_;
};

/// The last lines of a program's output.
std::string last_lines(std::string_view text) {
  constexpr std::size_t most = 300;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.empty()) return "no error output";
  if (text.size() > most) text.remove_prefix(text.size() - most);
  return printable(text);
}

class ProgramRun {
 public:
  ProgramRun(ChildSetup setup, std::string_view input, const ProgramLimits& limits,
             const StopSignal& stop)
      : program_(excerpt(setup.arguments.front())),
        limits_(limits),
        stop_(stop),
        deadline_(ChildClock::now() + limits.time_out),
        input_(input),
        process_(connected(std::move(setup))) {
    output_.close_write_end();
    complaints_.close_write_end();
  }

  ProgramAnswer finish() {
    while (!output_.ended() || !complaints_.ended()) read_some();
    while (!process_.status()) {
      check_limits();
      poll(nullptr, 0, 1);
    }
    const int status = process_.status().value_or(0);
    return {std::move(said_), status == 0 ? "" : to_text(how_it_failed(status))};
  }

 private:
  ChildSetup connected(ChildSetup setup) const {
    setup.input = input_.number();
    setup.output = output_.write_end();
    setup.errors = complaints_.write_end();
    setup.is_group_leader = true;
    return setup;
  }

  std::string how_it_failed(int status) const {
    if (WIFSIGNALED(status)) {
      return fmt::format("was terminated by signal {}: {}", WTERMSIG(status),
                         last_lines(complaint_));
    }
    return fmt::format("failed with code {}: {}", WEXITSTATUS(status), last_lines(complaint_));
  }

  std::string to_text(const std::string& what) const {
    return fmt::format("the program '{}' {}", program_, what);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::unreadable_input, to_text(what));
  }

  void check_limits() const {
    stop_.check("waiting for a program");
    if (ChildClock::now() >= deadline_) {
      fail(fmt::format("did not end within {} ms and was terminated: {}", limits_.time_out.count(),
                       last_lines(complaint_)));
    }
    if (said_.size() > limits_.most_output) {
      fail(fmt::format("wrote more than {} bytes of output and was terminated",
                       limits_.most_output));
    }
  }

  void read_some() {
    check_limits();
    std::array<pollfd, 2> pipes{output_.waiting(), complaints_.waiting()};
    if (poll(pipes.data(), pipes.size(), poll_ms) <= 0) return;
    if (pipes[0].revents != 0) output_.read_into(said_);
    if (pipes[1].revents != 0) complaints_.read_into(complaint_);
    if (complaint_.size() > 2 * most_complaint) {
      complaint_.erase(0, complaint_.size() - most_complaint);
    }
  }

  std::string program_;
  ProgramLimits limits_;
  const StopSignal& stop_;
  ChildClock::time_point deadline_;
  InputText input_;
  OutputPipe output_, complaints_;
  std::string said_, complaint_;
  EndedGroup process_;
};

}  // namespace

pid_t start_child(const ChildSetup& setup) {
  const SpawnActions actions(setup);
  const SpawnAttributes attributes(setup);
  std::vector<std::string> words = setup.arguments;
  std::vector<std::string> environment = environment_with(setup.variable);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, words[0].c_str(), actions.get(), attributes.get(),
                                   pointers_to(words).data(), pointers_to(environment).data());
  if (failure == 0) return child;
  throw Error(
      ErrorKind::missing_program,
      fmt::format("cannot start the program '{}': {}; check that it is installed and in PATH",
                  excerpt(setup.arguments[0]), reason(failure)));
}

std::optional<int> child_status(pid_t child) {
  constexpr int by_signal = 128;
  const std::optional<int> status = wait_status(child);
  if (!status) return std::nullopt;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : by_signal + WTERMSIG(*status);
}

ProgramAnswer run_program(ChildSetup setup, std::string_view input, const ProgramLimits& limits,
                          const StopSignal& stop) {
  return ProgramRun(std::move(setup), input, limits, stop).finish();
}

}  // namespace pssp
