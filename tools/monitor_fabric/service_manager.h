#pragma once

// Notifies systemd (sd_notify(3)) by datagrams to the socket in NOTIFY_SOCKET; does nothing without
// it.

#include <string>

namespace pssp {

class ServiceManager {
 public:
  /// Reads the environment.
  ServiceManager();

  /// "READY=1", "STATUS=..", "WATCHDOG=1", "STOPPING=1". Ignores a missing receiver.
  void print_line(const std::string& state) const noexcept;

 private:
  std::string socket_;
};

}  // namespace pssp
