#include "tools/monitor_fabric/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace pssp {

ServiceManager::ServiceManager() {
  const char* const name = std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe)
  if (name != nullptr && (*name == '/' || *name == '@')) socket_ = name;
}

void ServiceManager::print_line(const std::string& state) const noexcept {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  // A name in the abstract namespace begins with a zero byte, which systemd writes as '@'.
  if (socket_[0] == '@') address.sun_path[0] = '\0';
  const int out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (out < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  [[maybe_unused]] const ssize_t sent =
      sendto(out, state.data(), state.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&address), size);  // NOLINT
  close(out);
}

}  // namespace pssp
