#include "tools/monitor_fabric/child_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace pssp {

HeldSignals::HeldSignals() {
  sigemptyset(&set_);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set_, each);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int HeldSignals::wait(std::chrono::steady_clock::time_point until) const {
  using std::chrono::nanoseconds;
  constexpr long second_ns = 1'000'000'000;
  const auto left = std::max(nanoseconds(0), nanoseconds(until - std::chrono::steady_clock::now()));
  const timespec time{static_cast<time_t>(left.count() / second_ns), left.count() % second_ns};
  const int signal = sigtimedwait(&set_, nullptr, &time);
  return signal < 0 ? 0 : signal;
}

ChildCommand::ChildCommand(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // What we hold back reaches it.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failure =
      posix_spawnp(&id_, arguments.front(), nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0) return;
  throw Error(ErrorKind::missing_program,
              fmt::format("cannot run '{}': {}", words.front(), std::strerror(failure)));
}

ChildCommand::~ChildCommand() {
  if (!status()) send(SIGTERM);
}

std::optional<int> ChildCommand::status() {
  constexpr int by_signal = 128;
  int status = 0;
  if (!status_ && waitpid(id_, &status, WNOHANG) == id_) {
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
  }
  return status_;
}

void ChildCommand::send(int signal) const {
  if (!status_) kill(id_, signal);
}

}  // namespace pssp
