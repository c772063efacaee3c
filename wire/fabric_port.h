#pragma once

// The connection of this machine to the fabric: one port of an adapter, or one port of each of its
// two devices.

#include <memory>
#include <span>

#include "wire/adapter_pair.h"
#include "wire/paired_port.h"
#include "wire/umad_port.h"

namespace pssp {

class FabricPort final : public MadPort {
 public:
  /// Opens the ports of the pair for MADs of these classes; others cannot be sent. Throws
  /// Error(fabric_access).
  FabricPort(const AdapterPair& adapters, std::span<const ManagementClass> classes);

  bool send(const MadBytes& mad, const Destination& to,
            std::chrono::milliseconds timeout) override {
    return port_->send(mad, to, timeout);
  }
  std::string send_error() const override { return port_->send_error(); }
  /// Throws Error(fabric_access) when a port is gone.
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override {
    return port_->receive(wait);
  }
  int file_descriptor() const override { return port_->file_descriptor(); }

 private:
  std::unique_ptr<UmadPort> general_;
  std::unique_ptr<UmadPort> subnet_;  // null: the general one
  std::unique_ptr<PairedPort> both_;
  MadPort* port_ = nullptr;
};

}  // namespace pssp
