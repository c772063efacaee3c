#include "tools/kit/interrupt.h"

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace pssp {
namespace {

volatile std::sig_atomic_t noted = 0;
/// Written before `noted` is set, and by no one else.
std::time_t noted_at = 0;

/// Seconds; clock_gettime() may be called in a handler.
std::time_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/// A terminal or timeout(1) may send a signal to the process and to its group: the same wish twice.
void note(int signal) {
  constexpr std::time_t patience = 2;
  if (noted == 0) {
    noted_at = now();
    noted = 1;
  } else if (now() - noted_at >= patience) {
    static_cast<void>(std::signal(signal, SIG_DFL));
    static_cast<void>(std::raise(signal));
  }
}

/// A handler of its own: SIG_IGN would be handed on to programs that are started.
void do_nothing(int /*signal*/) {}

}  // namespace

void note_interruptions() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    // nohup, and a shell that starts something in the background, have said that it does not count.
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note;
    sigaction(signal, &action, nullptr);
  }
}

bool interrupted() noexcept { return noted != 0; }

void outlive_readers() {
  struct sigaction action {};
  action.sa_handler = do_nothing;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace pssp
