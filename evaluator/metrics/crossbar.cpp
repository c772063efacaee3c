#include "evaluator/metrics/crossbar.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace pssp {
namespace {

class Crossbar {
 public:
  Crossbar(const Pattern& pattern, std::uint32_t ranks)
      : pattern_(pattern), sends_(ranks), receives_(ranks) {}

  void add_level(std::uint32_t level, RandomGenerator random) {
    std::fill(sends_.begin(), sends_.end(), 0U);
    std::fill(receives_.begin(), receives_.end(), 0U);
    for_each_flow(level, random, [this](const Flow& flow) {
      ++sends_[flow.source];
      ++receives_[flow.destination];
    });
    std::uint64_t flows = 0;
    double sum = 0;
    std::uint32_t largest = 0;
    for_each_flow(level, random, [&](const Flow& flow) {
      const std::uint32_t congestion = std::max(sends_[flow.source], receives_[flow.destination]);
      sum += congestion;
      largest = std::max(largest, congestion);
      ++flows;
    });
    if (flows == 0) return;
    ++levels_;
    total_.optimistic += sum / static_cast<double>(flows);
    total_.pessimistic += largest;
  }

  CrossbarCongestion mean() const {
    if (levels_ == 0) return {};
    return {total_.optimistic / levels_, total_.pessimistic / levels_};
  }

 private:
  template <class Visitor>
  void for_each_flow(std::uint32_t level, RandomGenerator random, const Visitor& visit) {
    const auto visit_all = [&visit](std::span<const Flow> block) {
      for (const Flow& flow : block) visit(flow);
    };
    FlowWriter flows(visit_all);
    pattern_.write_level(level, random, flows);
    visit_all(flows.block());
  }

  const Pattern& pattern_;
  std::vector<std::uint32_t> sends_, receives_;  // flows by rank, for the current level
  std::uint32_t levels_ = 0;
  CrossbarCongestion total_;
};

}  // namespace

CrossbarCongestion crossbar_congestion(const Pattern& pattern, std::uint32_t ranks,
                                       std::uint64_t seed, int level) {
  Crossbar crossbar(pattern, ranks);
  const auto first = static_cast<std::uint32_t>(std::max(level, 0));
  const std::uint32_t end = level < 0 ? pattern.level_count() : first + 1;
  for (std::uint32_t l = first; l < end; ++l) crossbar.add_level(l, RandomGenerator(seed, l));
  return crossbar.mean();
}

}  // namespace pssp
