#include "tools/monitor_fabric/child_command.h"

#include <pthread.h>

#include <algorithm>

#include "base/child_process.h"

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

ChildCommand::ChildCommand(const std::vector<std::string>& words)
    : id_(start_child({.arguments = words})) {}

ChildCommand::~ChildCommand() {
  if (!status()) send(SIGTERM);
}

std::optional<int> ChildCommand::status() {
  if (!status_) status_ = child_status(id_);
  return status_;
}

void ChildCommand::send(int signal) const {
  if (!status_) kill(id_, signal);
}

}  // namespace pssp
