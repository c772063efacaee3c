#pragma once

// Advice on forwarding tables. The program computes it with libraries that the API does not depend
// on.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "monitor/counters/port_key.h"

namespace pssp {

struct AdviceRequest {
  std::string engines;             ///< separated by commas
  std::optional<PortKey> channel;  ///< also examine the channel that leaves this port
};

struct AdviceState {
  std::shared_ptr<const std::string> last;  ///< a JSON object; null: none yet
  std::int64_t made_ms = 0;                 ///< time of `last`
  bool running = false;
  std::int64_t since_ms = 0;  ///< start of the running computation
  std::string engines;        ///< engines of the running computation, separated by commas
  std::string problem;        ///< why the last computation failed, one sentence; empty if it
                              ///< succeeded
};

/// Functions may be called from several threads.
class AdviceSource {
 public:
  AdviceSource() = default;
  AdviceSource(const AdviceSource&) = delete;
  AdviceSource& operator=(const AdviceSource&) = delete;
  virtual ~AdviceSource() = default;

  virtual AdviceState state() const = 0;
  /// Starts a computation; false if one is running. Throws Error(usage) for unknown engines.
  virtual bool start(const AdviceRequest& request) = 0;
};

}  // namespace pssp
