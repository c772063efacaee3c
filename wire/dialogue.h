#pragma once

// What is said to one node: a state machine that makes requests and takes their answers. It knows
// nothing of ports, time-outs and retries, which are the exchange's (wire/exchange.h).

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "wire/mad.h"

namespace pssp {

/// Why a request got no answer that can be used.
struct MadFailure {
  enum class Kind {
    unsent,      ///< the port did not take it; `reason` is the port's
    unanswered,  ///< no one answered any of its `tries`
    refused,     ///< the node answered with `status`, which is not 0
    stopped,     ///< the exchange was stopped before it was sent
  };

  Kind kind = Kind::unanswered;
  std::uint16_t status = 0;
  unsigned tries = 0;
  std::string reason;
};
/// In words that follow "NAME not read: ".
std::string explain(const MadFailure& failure, ReasonMeaning meaning = nullptr);

class Dialogue {
 public:
  virtual ~Dialogue() = default;

  /// The next request, when there was none before or the one before was answered or has failed.
  /// None: the dialogue is over, and nothing is called any more.
  virtual std::optional<MadRequest> next() = 0;
  /// The answer to the request that next() gave last; its status is 0.
  virtual void take(const MadAnswer& answer) = 0;
  /// The request that next() gave last has failed. A dialogue that cannot go on without it gives
  /// no further request; one that has more questions may ask them.
  virtual void failed(const MadFailure& failure) = 0;
  /// Of the retries that the exchange would make, at most so many for each request: for dialogues
  /// that others wait for.
  virtual unsigned most_retries() const { return ~0U; }
  /// Of the time-out of a try that the exchange would wait, how much; `tries`: that were made
  /// before. Likewise for dialogues that others wait for.
  virtual std::chrono::milliseconds timeout(std::chrono::milliseconds usual, unsigned tries) const {
    static_cast<void>(tries);
    return usual;
  }
};

}  // namespace pssp
