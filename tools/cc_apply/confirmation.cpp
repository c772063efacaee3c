#include "tools/cc_apply/confirmation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "base/private_files.h"
#include "tools/kit/interrupt.h"

namespace pssp {
namespace {

std::string waiting_file(const std::string& saved) { return saved + ".unconfirmed"; }

}  // namespace

Confirmation::Confirmation(const std::string& saved) : file_(waiting_file(saved)) {
  // The name is fixed: any existing file, even a link of another user, is replaced.
  write_private_file(file_, [&](const ContentSink& sink) {
    sink(fmt::format("Process {} waits for: pssp cc apply --confirm {}\n", getpid(), saved));
  });
}

Confirmation::~Confirmation() { ::unlink(file_.c_str()); }

bool Confirmation::wait(std::chrono::seconds time) {
  constexpr std::chrono::milliseconds poll_interval{100};
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end && !interrupted()) {
    if (::access(file_.c_str(), F_OK) != 0 && errno == ENOENT) return true;
    std::this_thread::sleep_for(poll_interval);
  }
  return ::unlink(file_.c_str()) != 0 && errno == ENOENT;
}

void confirm(const std::string& saved) {
  if (::unlink(waiting_file(saved).c_str()) == 0) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "--confirm {}: no pssp cc apply waits for this confirmation ({}: {}); the earlier "
          "settings are already restored, or pssp cc apply ran without --confirm-within",
          saved, waiting_file(saved), std::strerror(errno)));
}

}  // namespace pssp
