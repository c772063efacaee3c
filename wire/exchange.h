#pragma once

// Requests and responses with many nodes at once.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "wire/mad_port.h"

namespace pssp {

struct ExchangeOptions {
  std::uint64_t cc_key = 0;
  std::chrono::milliseconds timeout{500};  ///< for one try
  unsigned retries = 2;                    ///< after the first try
  unsigned window = 128;                   ///< nodes that are talked to at a time
};

/// What is done with one node: one request after the other, each made when the one before was
/// answered. A request without an answer, or one that the node refuses, ends it.
class Dialogue {
 public:
  virtual ~Dialogue() = default;

  virtual Lid lid() const = 0;
  /// The next request; none: done.
  virtual std::optional<CcRequest> next() = 0;
  /// The answer to the request that next() gave last.
  virtual void take(const CcData& answer) = 0;
  /// The request that next() gave last failed: why, in words. Nothing is called after that.
  virtual void fail(const std::string& why) = 0;
};

/// Holds all dialogues, `window` of them at a time. `progress` is told how many of them are over.
/// The time is about (number of nodes that do not answer) / window * timeout * (retries + 1).
/// Throws what the port throws.
void hold_dialogues(MadPort& port, std::span<Dialogue* const> dialogues,
                    const ExchangeOptions& options,
                    const std::function<void(std::size_t done)>& progress);

}  // namespace pssp
