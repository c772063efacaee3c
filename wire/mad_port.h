#pragma once

// The interface for sending MADs to the fabric and receiving responses.

#include <chrono>
#include <optional>
#include <string>

#include "wire/mad.h"

namespace pssp {

struct ReceivedMad {
  MadBytes bytes{};
  /// The bytes are a request of this process that was not answered in time.
  bool timed_out = false;
};

class MadPort {
 public:
  virtual ~MadPort() = default;

  /// Sends a request, which is received as `timed_out` if there is no answer within `timeout`.
  /// Returns false if it was not sent; send_error() gives the reason.
  virtual bool send(const MadBytes& mad, const Destination& to,
                    std::chrono::milliseconds timeout) = 0;
  virtual std::string send_error() const = 0;
  /// The next MAD that arrives within `wait`; with 0, one that is already available. It can be
  /// late, damaged, or belong to other requests.
  virtual std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) = 0;
  /// A descriptor for poll() that becomes readable when there is something to receive; -1 if there
  /// is none.
  virtual int file_descriptor() const { return -1; }
};

}  // namespace pssp
