#include "osm_plugin/plugin_thread.h"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace pssp {
namespace {

/// While this lives, a thread that is started has all signals blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

std::jthread start_plugin_thread(const char* name, std::function<void(std::stop_token)> work) {
  const SignalsBlocked blocked;
  std::jthread thread(std::move(work));
  pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace pssp
