#pragma once

// A place from which MADs go to LIDs of the fabric and responses come back.

#include <chrono>
#include <optional>

#include "fabric/ids.h"
#include "wire/mad.h"

namespace pssp {

struct ReceivedMad {
  MadBytes bytes{};
  /// The bytes are a request of ours, back because nobody answered it in time.
  bool timed_out = false;
};

class MadPort {
 public:
  virtual ~MadPort() = default;

  /// Sends a request to queue pair 1 at the LID. False: it was not sent; send_error() says why.
  virtual bool send(const MadBytes& mad, Lid to, std::chrono::milliseconds timeout) = 0;
  virtual std::string send_error() const = 0;
  /// The next MAD that arrives within `wait`. Anything may arrive: of other requests, late,
  /// garbled.
  virtual std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) = 0;
};

}  // namespace pssp
