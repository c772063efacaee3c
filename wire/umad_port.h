#pragma once

// A port of this machine's adapter, through libibumad.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "wire/mad_port.h"

namespace pssp {

class UmadPort final : public MadPort {
 public:
  /// Opens a port for MADs of these classes; others cannot be sent. An empty adapter and port 0
  /// mean the first active port. Throws Error(fabric_access) if there is none or access is denied.
  UmadPort(const std::string& adapter, unsigned port, std::span<const ManagementClass> classes);
  UmadPort(const UmadPort&) = delete;
  UmadPort& operator=(const UmadPort&) = delete;
  ~UmadPort() override;

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds timeout) override;
  std::string send_error() const override;
  /// Throws Error(fabric_access) if the port is gone.
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override;
  int file_descriptor() const override;

 private:
  static constexpr int no_agent = -1;

  void register_class(const ManagementClass& management_class, const std::string& name);
  void close();

  int port_ = -1;
  std::array<int, 256> agents_{};  // by class number
  int send_errno_ = 0;
  unsigned failed_receives_ = 0;
  std::unique_ptr<std::byte[]> buffer_;  // header of libibumad, followed by the MAD
};

}  // namespace pssp
