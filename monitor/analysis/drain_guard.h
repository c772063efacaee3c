#pragma once

// Limits how many nodes may be drained, so that a wrong limit, or a fault that all nodes see,
// cannot empty a cluster. The limit covers all nodes, so clients that ask about one node need no
// state.

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
  /// Adds a node that an earlier process allowed to be drained at this time.
  void restore(const std::string& name, std::int64_t time_ms) { drained_[name] = time_ms; }

  /// Decides whether a node that becomes unfit now may be drained; `nodes` is the number of all
  /// nodes. A node that was allowed to be drained within the last hour is not counted again.
  /// O(nodes allowed within the hour).
  DrainAdvice turns_unfit(const std::string& name, std::int64_t time_ms, std::size_t nodes);
  /// How many nodes may be drained within an hour.
  std::size_t most(std::size_t nodes) const noexcept;

 private:
  FitSettings settings_;
  std::map<std::string, std::int64_t> drained_;  // time of the permission, within the last hour
};

}  // namespace pssp
