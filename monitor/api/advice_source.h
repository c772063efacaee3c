#pragma once

// Advice on forwarding tables, which the program computes with libraries that the interface does
// not know.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "monitor/counters/port_key.h"

namespace pssp {

struct AdviceRequest {
  std::string engines;             ///< with a comma between them
  std::optional<PortKey> channel;  ///< also about the channel out of this port
};

struct AdviceState {
  std::shared_ptr<const std::string> last;  ///< a JSON object; null: none yet
  std::int64_t made_ms = 0;                 ///< when `last` was made
  bool running = false;
  std::int64_t since_ms = 0;  ///< of what runs
  std::string engines;        ///< of what runs, with a comma between them
  std::string problem;        ///< why the last attempt made none, in a sentence; empty: it did
};

/// May be called from several threads.
class AdviceSource {
 public:
  AdviceSource() = default;
  AdviceSource(const AdviceSource&) = delete;
  AdviceSource& operator=(const AdviceSource&) = delete;
  virtual ~AdviceSource() = default;

  virtual AdviceState state() const = 0;
  /// Begins one; false where one is running. Throws Error(usage) for names of engines.
  virtual bool start(const AdviceRequest& request) = 0;
};

}  // namespace pssp
