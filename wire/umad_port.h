#pragma once

// A port of this machine's adapter, through libibumad.

#include <cstddef>
#include <memory>
#include <string>

#include "wire/mad_port.h"

namespace pssp {

class UmadPort final : public MadPort {
 public:
  /// Opens a port for class 0x21. An empty adapter and port 0 mean the first port that is active.
  /// Throws Error(fabric_access) when there is none or it must not be used.
  UmadPort(const std::string& adapter, unsigned port);
  UmadPort(const UmadPort&) = delete;
  UmadPort& operator=(const UmadPort&) = delete;
  ~UmadPort() override;

  bool send(const MadBytes& mad, Lid to, std::chrono::milliseconds timeout) override;
  std::string send_error() const override;
  /// Throws Error(fabric_access) when the port is gone.
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override;

 private:
  int port_ = -1;
  int agent_ = -1;
  int send_errno_ = 0;
  unsigned failed_receives_ = 0;
  std::unique_ptr<std::byte[]> buffer_;  // header of libibumad, then the MAD
};

}  // namespace pssp
