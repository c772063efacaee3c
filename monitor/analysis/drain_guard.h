#pragma once

// How many nodes may be drained: a limit that is wrong, or a fault that all nodes see, must not
// empty a cluster. It holds over all nodes, so that whoever asks for one node keeps no state.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "monitor/configuration/fit_settings.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

class DrainGuard {
 public:
  static constexpr std::int64_t span_ms = 3'600'000;

  explicit DrainGuard(FitSettings settings) : settings_(settings) {}

  void set_limits(FitSettings settings) noexcept { settings_ = settings; }
  /// A node that an earlier process let be drained at that time.
  void restore(const std::string& name, std::int64_t time_ms) { drained_[name] = time_ms; }

  /// Of a node that turns unfit now; `nodes`: how many there are. A node that did so within the
  /// hour already takes no second place. O(nodes that turned unfit within the hour).
  DrainAdvice turns_unfit(const std::string& name, std::int64_t time_ms, std::size_t nodes);
  /// How many may within an hour.
  std::size_t most(std::size_t nodes) const noexcept;

 private:
  FitSettings settings_;
  std::map<std::string, std::int64_t> drained_;  // when they were let, within the hour
};

}  // namespace pssp
