#pragma once

// The requests to one node: a state machine that makes requests and processes their answers. Ports,
// time-outs and retries belong to the exchange (wire/exchange.h).

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "wire/mad.h"

namespace pssp {

/// Why a request got no usable answer.
struct MadFailure {
  enum class Kind {
    unsent,      ///< the port did not send it, for the port's `reason`
    unanswered,  ///< none of its `tries` was answered
    refused,     ///< the node answered with `status` other than 0
    stopped,     ///< the exchange was stopped before sending it
  };

  Kind kind = Kind::unanswered;
  std::uint16_t status = 0;
  unsigned tries = 0;
  std::string reason;
};
/// The text after "NAME not read: ".
std::string explain(const MadFailure& failure, ReasonMeaning meaning = nullptr);

class Dialogue {
 public:
  virtual ~Dialogue() = default;

  /// The next request, called at the beginning and when the previous one was answered or failed.
  /// None: the dialogue is over, and no function is called again.
  virtual std::optional<MadRequest> next() = 0;
  /// The answer to the last request of next(); its status is 0.
  virtual void take(const MadAnswer& answer) = 0;
  /// The last request of next() has failed. A dialogue that depends on it makes no further
  /// requests; others may continue.
  virtual void failed(const MadFailure& failure) = 0;
  /// Limits the retries of the exchange for each request, for dialogues that block others.
  virtual unsigned most_retries() const { return ~0U; }
  /// Limits the time-out of a try; `tries`: number of earlier tries. Also for dialogues that block
  /// others.
  virtual std::chrono::milliseconds timeout(std::chrono::milliseconds usual, unsigned tries) const {
    static_cast<void>(tries);
    return usual;
  }
};

}  // namespace pssp
