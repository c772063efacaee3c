#pragma once

// Two ports as one: subnet management goes out by the first, everything else by the second.

#include "wire/mad_port.h"

namespace pssp {

/// For adapters that have a device of their own for subnet management (wire/adapter_pair.h). Both
/// ports must outlive it. Either may have no file descriptor; waiting takes turns then.
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
  MadPort* last_;                   // that a MAD was sent by
  bool subnet_comes_first_ = true;  // of two that have something, they take turns
  int either_ = -1;
};

}  // namespace pssp
