#pragma once

// What the daemon says to systemd (sd_notify(3)): a datagram to the socket that NOTIFY_SOCKET
// names. Without it nothing is said.

#include <string>

namespace pssp {

class ServiceManager {
 public:
  /// Reads the environment.
  ServiceManager();

  /// "READY=1", "STATUS=..", "WATCHDOG=1", "STOPPING=1". Whoever does not listen is no error.
  void print_line(const std::string& state) const noexcept;

 private:
  std::string socket_;
};

}  // namespace pssp
