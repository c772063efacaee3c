// A node that was held back stays held back after the hour is over. Otherwise a wrong limit would
// still empty the cluster, a few nodes every hour.

#include "monitor/analysis/drain_guard.h"

#include <algorithm>

namespace pssp {

std::size_t DrainGuard::most(std::size_t nodes) const noexcept {
  return std::max<std::size_t>(settings_.most_drained,
                               nodes * settings_.most_drained_percent / 100);
}

DrainAdvice DrainGuard::turns_unfit(const std::string& name, std::int64_t time_ms,
                                    std::size_t nodes) {
  // After the clock was set back, entries only expire later.
  std::erase_if(drained_, [&](const auto& each) { return time_ms - each.second >= span_ms; });
  if (!drained_.contains(name) && drained_.size() >= most(nodes)) return DrainAdvice::held_back;
  drained_[name] = time_ms;
  return most(nodes) == 0 ? DrainAdvice::held_back : DrainAdvice::drain;
}

}  // namespace pssp
