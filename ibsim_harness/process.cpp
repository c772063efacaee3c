// A child is watched through file descriptors: one that becomes readable when the child has ended
// (pidfd), one for signals that ask this program to end (signalfd), and one of the caller. A single
// poll() therefore waits for everything, no event is lost between a check and a wait, and no signal
// handler interrupts the program.
//
// Each child leads a process group. Ctrl-C at a terminal reaches only this program, which ends the
// group. A shell that starts the child by `exec` keeps its process ID, so the program itself is the
// leader of the group.

#include "ibsim_harness/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "ibsim_harness/bounded_log.h"

namespace pssp {
namespace {

constexpr std::array end_signals{SIGINT, SIGTERM, SIGHUP};
constexpr std::chrono::seconds tick_interval{1};

int milliseconds_until(Clock::time_point until) {
  if (until == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, INT_MAX));
}

/// A file for the standard output of a child.
int open_output(const std::filesystem::path& path) {
  const std::string name = path.empty() ? "/dev/null" : path.string();
  // Another process may truncate the log during writing, which must not leave a hole at the start.
  const int descriptor =
      open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw Error(ErrorKind::output, "cannot write '" + name + "': " + std::strerror(errno));
  return descriptor;
}

/// Prepares the child before the fork, because after the fork only async-signal-safe calls are
/// permitted.
struct Prepared {
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  int input = -1, output = -1, errors = -1;
  ~Prepared() {
    for (const int descriptor : {input, output, errors})
      if (descriptor >= 0) close(descriptor);
  }
};

void fill(Prepared& prepared, const Command& command) {
  prepared.words = command.arguments;
  prepared.words.insert(prepared.words.begin(), command.program);
  for (const auto& [name, value] : command.environment) {
    std::string& variable = prepared.variables.emplace_back(name);
    variable += '=';
    variable += value;
  }
  for (std::string& word : prepared.words) prepared.argv.push_back(word.data());
  for (std::string& variable : prepared.variables) prepared.envp.push_back(variable.data());
  prepared.argv.push_back(nullptr);
  prepared.envp.push_back(nullptr);
  if (command.inherits_output) {
    prepared.output = dup(STDOUT_FILENO);
    prepared.errors = dup(STDERR_FILENO);
    return;
  }
  prepared.output = open_output(command.output);
  prepared.errors =
      command.errors == command.output ? dup(prepared.output) : open_output(command.errors);
}

[[noreturn]] void throw_no_pipe() {
  throw Error(ErrorKind::internal, std::string("cannot create a pipe: ") + std::strerror(errno));
}

[[noreturn]] void become(const Prepared& prepared, const char* directory, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have ended before the line above.
  if (getppid() != parent) _exit(127);
  dup2(prepared.input, STDIN_FILENO);
  dup2(prepared.output, STDOUT_FILENO);
  dup2(prepared.errors, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  if (*directory != '\0' && chdir(directory) != 0) _exit(126);
  execve(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
  _exit(127);
}

}  // namespace

SignalQueue::SignalQueue() {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : end_signals) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    // A blocked signal is queued even if it is ignored.
    if (action.sa_handler != SIG_IGN) sigaddset(&wanted, signal);
  }
  sigprocmask(SIG_BLOCK, &wanted, &before_);
  descriptor_ = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) {
    throw Error(ErrorKind::internal,
                std::string("cannot create a signalfd: ") + std::strerror(errno));
  }
  // A write to the console of a child that has ended must not end this program; wait() detects the
  // end of the child.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

SignalQueue::~SignalQueue() {
  close(descriptor_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void SignalQueue::check() const {
  signalfd_siginfo info{};
  if (read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
    throw Interrupted(static_cast<int>(info.ssi_signo));
}

Process::Process(const Command& command, const SignalQueue& signals) : signals_(&signals) {
  if (access(command.program.c_str(), X_OK) != 0) {
    throw Error(ErrorKind::missing_program,
                "cannot run '" + command.program + "': " + std::strerror(errno));
  }
  Prepared prepared;
  fill(prepared, command);
  if (command.keeps_last_lines) {
    std::array<int, 2> pipe{-1, -1};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) throw_no_pipe();
    start_relay(command, prepared.output, pipe[0]);
    close(pipe[0]);
    dup3(pipe[1], prepared.output, O_CLOEXEC);
    dup3(pipe[1], prepared.errors, O_CLOEXEC);
    close(pipe[1]);
  }
  std::array<int, 2> console{-1, -1};
  if (command.with_console) {
    if (pipe2(console.data(), O_CLOEXEC) != 0) throw_no_pipe();
    prepared.input = console[0];
    console_ = console[1];
  } else {
    prepared.input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  const std::string directory = command.directory.string();
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) become(prepared, directory.c_str(), parent);
  if (id_ < 0) {
    throw Error(ErrorKind::internal,
                std::string("cannot start a process: ") + std::strerror(errno));
  }
  // Both processes set the group, so that it exists whichever runs first.
  setpgid(id_, id_);
  // The header of glibc 2.36 has no C linkage for C++.
  ended_descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
}

Process::~Process() {
  end();
  if (ended_descriptor_ >= 0) close(ended_descriptor_);
  if (console_ >= 0) close(console_);
}

// Starts a child process that writes the log of a program that runs for days. A thread would need
// the permission of the caller, and between two waits nothing would read the output.
void Process::start_relay(const Command& command, int log, int input) {
  const std::string file = command.output.string(), part = file + ".part";
  relay_ = fork();
  if (relay_ < 0) {
    throw Error(ErrorKind::internal,
                std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (relay_ != 0) return;
  // In a separate group, so that Ctrl-C does not lose the last output of the program.
  setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  // As long as this process holds them, pipes of other programs would not end.
  close_range(STDERR_FILENO, ~0U, 0);
  relay_bounded(STDIN_FILENO, STDOUT_FILENO, file.c_str(), part.c_str());
  _exit(0);
}

/// The program has ended, so there is no more output.
void Process::await_relay() noexcept {
  if (relay_ < 0) return;
  int status = 0;
  while (waitpid(relay_, &status, 0) < 0 && errno == EINTR) continue;
  relay_ = -1;
}

// The peak memory is the value that the kernel counted for the child. After fork(), the child has
// none of the mapped files and little of the heap of this program, less than any opensm.
void Process::collect() noexcept {
  int status = 0;
  rusage usage{};
  if (ending_ || wait4(id_, &status, WNOHANG, &usage) != id_) return;
  ending_ =
      Ending{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), usage.ru_maxrss};
  await_relay();
}

Process::Woken Process::wait(Clock::time_point until, int event) {
  while (true) {
    collect();
    if (ending_) return Woken::ended;
    std::array<pollfd, 3> watched{
        {{ended_descriptor_, POLLIN, 0}, {signals_->descriptor(), POLLIN, 0}, {event, POLLIN, 0}}};
    signals_->tick();
    const Clock::time_point wake = std::min(until, Clock::now() + tick_interval);
    const int ready = poll(watched.data(), watched.size(), milliseconds_until(wake));
    if (ready < 0 && errno != EINTR)
      throw Error(ErrorKind::internal, std::string("poll: ") + std::strerror(errno));
    if (ready == 0 && wake == until) return Woken::time;
    if (watched[1].revents != 0) signals_->check();
    if (watched[0].revents != 0) continue;
    if (watched[2].revents != 0) return Woken::event;
  }
}

void Process::send(int signal) const {
  if (!ending_) kill(id_, signal);
}

void Process::tell(const std::string& line) const {
  const std::string text = line + "\n";
  // The end of a program is detected elsewhere.
  static_cast<void>(!write(console_, text.data(), text.size()));
}

void Process::end(std::chrono::seconds patience) noexcept {
  if (id_ < 0) return;
  collect();
  if (!ending_) kill(-id_, SIGTERM);
  for (const Clock::time_point until = Clock::now() + patience; !ending_; collect()) {
    pollfd watched{ended_descriptor_, POLLIN, 0};
    if (poll(&watched, 1, milliseconds_until(until)) == 0) break;
  }
  // Kills remaining processes of the group, including a leader that ignores SIGTERM.
  kill(-id_, SIGKILL);
  while (!ending_) {
    pollfd watched{ended_descriptor_, POLLIN, 0};
    poll(&watched, 1, -1);
    collect();
  }
}

std::optional<Ending> run_to_end(const Command& command, const SignalQueue& signals,
                                 std::optional<std::chrono::seconds> time_limit) {
  Process process(command, signals);
  const Clock::time_point until =
      time_limit ? Clock::now() + *time_limit : Clock::time_point::max();
  process.wait(until);
  return process.ending();
}

}  // namespace pssp
