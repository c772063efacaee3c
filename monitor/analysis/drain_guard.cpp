// What is held back stays so: were it let go when the hour is over, a limit that is wrong would
// empty the cluster all the same, five nodes an hour.

#include "monitor/analysis/drain_guard.h"

#include <algorithm>

namespace pssp {

std::size_t DrainGuard::most(std::size_t nodes) const noexcept {
  return std::max<std::size_t>(settings_.most_drained,
                               nodes * settings_.most_drained_percent / 100);
}

DrainAdvice DrainGuard::turns_unfit(const std::string& name, std::int64_t time_ms,
                                    std::size_t nodes) {
  // A clock that was set back makes none of them older.
  std::erase_if(drained_, [&](const auto& each) { return time_ms - each.second >= span_ms; });
  if (!drained_.contains(name) && drained_.size() >= most(nodes)) return DrainAdvice::held_back;
  drained_[name] = time_ms;
  return most(nodes) == 0 ? DrainAdvice::held_back : DrainAdvice::drain;
}

}  // namespace pssp
