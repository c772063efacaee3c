#pragma once

// A place from which MADs go out to the fabric and responses come back.

#include <chrono>
#include <optional>
#include <string>

#include "wire/mad.h"

namespace pssp {

struct ReceivedMad {
  MadBytes bytes{};
  /// The bytes are a request of ours, back because no one answered it in time.
  bool timed_out = false;
};

class MadPort {
 public:
  virtual ~MadPort() = default;

  /// Sends a request, which is `timed_out` when no answer came within `timeout`. False: it was not
  /// sent; send_error() says why.
  virtual bool send(const MadBytes& mad, const Destination& to,
                    std::chrono::milliseconds timeout) = 0;
  virtual std::string send_error() const = 0;
  /// The next MAD that arrives within `wait`; with 0, one that is there already. Anything may
  /// arrive: of other requests, late, garbled.
  virtual std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) = 0;
  /// What becomes readable when there is something to receive, for poll(); -1 where nothing does.
  virtual int file_descriptor() const { return -1; }
};

}  // namespace pssp
