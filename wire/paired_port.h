#pragma once

// Combines two ports: the first sends subnet management, the second everything else.

#include "wire/mad_port.h"

namespace pssp {

/// For adapters with a separate device for subnet management (wire/adapter_pair.h). Both ports must
/// outlive it. If either has no file descriptor, waiting alternates between them.
class PairedPort final : public MadPort {
 public:
  PairedPort(MadPort& subnet, MadPort& general);
  PairedPort(const PairedPort&) = delete;
  PairedPort& operator=(const PairedPort&) = delete;
  ~PairedPort() override;

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds timeout) override;
  std::string send_error() const override { return last_->send_error(); }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override;
  /// Readable when one of the two is.
  int file_descriptor() const override { return either_; }

 private:
  std::optional<ReceivedMad> receive_now();

  MadPort& subnet_;
  MadPort& general_;
  MadPort* last_;                   // port of the last sent MAD
  bool subnet_comes_first_ = true;  // if both have data, they alternate
  int either_ = -1;
};

}  // namespace pssp
