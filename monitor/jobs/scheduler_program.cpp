// Two pipes are read as they fill, so that the program never waits for us, and nothing is written
// to a disk that may be full. The process has a group of its own: what it started is ended with it.

#include "monitor/jobs/scheduler_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "base/error.h"
#include "base/file_io.h"
#include "base/shown.h"

namespace pssp {
namespace {

using SchedulerClock = std::chrono::steady_clock;

/// How long nobody asks whether to stop.
constexpr int poll_ms = 50;
/// Of what it complains the end is kept.
constexpr std::size_t most_complaint = 4096;

class SchedulerPipe {
 public:
  SchedulerPipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(ErrorKind::internal, fmt::format("no pipe could be made: {}", reason(errno)));
    }
    read_end_ = ends[0];
    write_end_ = ends[1];
    static_cast<void>(fcntl(read_end_, F_SETFL, O_NONBLOCK));
  }
  ~SchedulerPipe() {
    close_write_end();
    close(read_end_);
  }
  SchedulerPipe(const SchedulerPipe&) = delete;
  SchedulerPipe& operator=(const SchedulerPipe&) = delete;

  int write_end() const { return write_end_; }
  void close_write_end() {
    if (write_end_ >= 0) close(write_end_);
    write_end_ = -1;
  }

  /// What to wait for; nothing once it has ended.
  pollfd waiting() const { return {ended_ ? -1 : read_end_, POLLIN, 0}; }
  bool ended() const { return ended_; }

  /// Appends what is there; false when nothing more will come.
  void read_into(std::string& text) {
    std::array<char, std::size_t{1} << 16> block{};
    const ssize_t size = read(read_end_, block.data(), block.size());
    if (size > 0) {
      text.append(block.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      ended_ = true;
    }
  }

 private:
  int read_end_ = -1, write_end_ = -1;
  bool ended_ = false;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::string& variable) {
  const std::string_view name(variable.data(), variable.find('=') + 1);
  std::vector<std::string> result{variable};
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (std::string_view(*each).substr(0, name.size()) != name) result.emplace_back(*each);
  }
  return result;
}

/// A process that does not outlive the object.
class SchedulerProcess {
 public:
  SchedulerProcess(const std::vector<std::string>& arguments, const std::string& variable,
                   const SchedulerPipe& output, const SchedulerPipe& complaints) {
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaints.write_end(), STDERR_FILENO);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    // Signals that a daemon blocks or ignores are as usual in what it starts.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words = arguments;
    std::vector<std::string> environment = environment_with(variable);
    const int failure = posix_spawnp(&id_, words[0].c_str(), &actions, &attributes,
                                     pointers_to(words).data(), pointers_to(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
      id_ = -1;
      throw Error(ErrorKind::missing_program,
                  fmt::format("the program '{}' cannot be started: {}; is it installed, and in "
                              "PATH?",
                              shown(arguments[0]), reason(failure)));
    }
  }
  ~SchedulerProcess() {
    if (id_ <= 0) return;
    kill(-id_, SIGKILL);
    wait_blocking();
  }
  SchedulerProcess(const SchedulerProcess&) = delete;
  SchedulerProcess& operator=(const SchedulerProcess&) = delete;

  /// True once it has ended; status() says how.
  bool has_ended() {
    if (id_ <= 0) return true;
    const pid_t found = waitpid(id_, &status_, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return false;
    // Children of it that are left hold no pipe any more, or the reader would not be here.
    id_ = -1;
    return true;
  }
  int status() const { return status_; }

 private:
  void wait_blocking() {
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }

  pid_t id_ = -1;
  int status_ = 0;
};

/// The end of what a program said, for a message.
std::string complaint_of(std::string_view text) {
  constexpr std::size_t most = 300;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.empty()) return "it gave no reason";
  if (text.size() > most) text.remove_prefix(text.size() - most);
  return printable(text);
}

[[noreturn]] void fail_program(const std::string& program, const std::string& what) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("the program '{}' {}", shown(program), what));
}

class SchedulerRun {
 public:
  SchedulerRun(const std::vector<std::string>& arguments, const std::string& variable,
               const ProgramLimits& limits, const StopSignal& stop)
      : program_(arguments[0]),
        limits_(limits),
        stop_(stop),
        deadline_(SchedulerClock::now() + limits.time_out),
        process_(arguments, variable, output_, complaints_) {
    output_.close_write_end();
    complaints_.close_write_end();
  }

  std::string finish() {
    while (!output_.ended() || !complaints_.ended()) read_some();
    while (!process_.has_ended()) {
      check_limits();
      poll(nullptr, 0, 1);
    }
    const int status = process_.status();
    if (WIFSIGNALED(status)) {
      fail_program(program_, fmt::format("was ended by signal {}: {}", WTERMSIG(status),
                                         complaint_of(complaint_)));
    }
    if (WEXITSTATUS(status) != 0) {
      fail_program(program_, fmt::format("failed with code {}: {}", WEXITSTATUS(status),
                                         complaint_of(complaint_)));
    }
    return std::move(said_);
  }

 private:
  void check_limits() const {
    stop_.check("asking the scheduler");
    if (SchedulerClock::now() >= deadline_) {
      fail_program(program_, fmt::format("had not ended after {} ms and was ended: {}",
                                         limits_.time_out.count(), complaint_of(complaint_)));
    }
    if (said_.size() > limits_.most_output) {
      fail_program(program_,
                   fmt::format("said more than {} bytes and was ended", limits_.most_output));
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
  SchedulerClock::time_point deadline_;
  SchedulerPipe output_, complaints_;
  std::string said_, complaint_;
  SchedulerProcess process_;
};

}  // namespace

std::string run_scheduler(const std::vector<std::string>& arguments, const std::string& variable,
                          const ProgramLimits& limits, const StopSignal& stop) {
  return SchedulerRun(arguments, variable, limits, stop).finish();
}

}  // namespace pssp
