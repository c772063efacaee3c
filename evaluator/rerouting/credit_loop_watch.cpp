// Maintains a topological order of the channels while dependencies appear and disappear
// (sorted_channels.h). While there is a cycle, new dependencies wait. When the found cycle has lost
// a dependency, waiting dependencies are inserted until one closes another cycle.

#include "evaluator/rerouting/credit_loop_watch.h"

#include <algorithm>
#include <utility>

namespace pssp {

CreditLoopWatch::CreditLoopWatch(const Fabric& fabric, const DependencyNumbers& numbers,
                                 std::vector<std::uint32_t> counts)
    : fabric_(fabric),
      numbers_(numbers),
      counts_(std::move(counts)),
      is_inserted_(counts_.size(), 0),
      sorted_(order_channels()) {
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t head = fabric.channel_head()[c];
    for (std::uint32_t next = fabric.first_channel()[head]; next < fabric.first_channel()[head + 1];
         ++next) {
      const std::uint32_t dependency = numbers.number(c, next);
      if (counts_[dependency] == 0) continue;
      if (sorted_.is_before(c, next)) {
        is_inserted_[dependency] = 1;
      } else {
        waiting_.push_back(dependency);
      }
    }
  }
  look_for_loop();
}

/// Depth-first search: a channel precedes all channels that it leads to, except along dependencies
/// that close a cycle.
std::vector<std::uint32_t> CreditLoopWatch::order_channels() const {
  std::vector<std::uint32_t> position(fabric_.channel_count());
  auto place = static_cast<std::uint32_t>(fabric_.channel_count());
  std::vector<std::uint8_t> is_seen(fabric_.channel_count(), 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // channel, and its next one to try
  const auto enter = [&](std::uint32_t c) {
    is_seen[c] = 1;
    path.emplace_back(c, fabric_.first_channel()[fabric_.channel_head()[c]]);
  };
  for (std::uint32_t start = 0; start < fabric_.channel_count(); ++start) {
    if (is_seen[start] == 0) enter(start);
    while (!path.empty()) {
      const auto [c, next] = path.back();
      if (next == fabric_.first_channel()[fabric_.channel_head()[c] + 1]) {
        position[c] = --place;
        path.pop_back();
        continue;
      }
      ++path.back().second;
      if (is_seen[next] == 0 && counts_[numbers_.number(c, next)] != 0) enter(next);
    }
  }
  return position;
}

void CreditLoopWatch::apply(std::span<const DependencyEvent> events) {
  for (const DependencyEvent& event : events) {
    std::uint32_t& count = counts_[event.dependency];
    const bool was_there = count != 0;
    count = static_cast<std::uint32_t>(static_cast<std::int64_t>(count) + event.change);
    if (was_there && count == 0) is_inserted_[event.dependency] = 0;
    if (!was_there && count != 0) waiting_.push_back(event.dependency);
  }
  look_for_loop();
}

void CreditLoopWatch::look_for_loop() {
  if (loop_is_alive()) return;
  loop_.clear();
  while (!waiting_.empty()) {
    const std::uint32_t dependency = waiting_.back();
    if (counts_[dependency] != 0 && is_inserted_[dependency] == 0 && !insert(dependency)) return;
    waiting_.pop_back();
  }
}

bool CreditLoopWatch::loop_is_alive() const {
  if (loop_.empty()) return false;
  for (std::size_t i = 0; i < loop_.size(); ++i) {
    if (counts_[numbers_.number(loop_[i], loop_[(i + 1) % loop_.size()])] == 0) return false;
  }
  return true;
}

/// Returns false if it closes a cycle, which is then in loop_.
bool CreditLoopWatch::insert(std::uint32_t dependency) {
  const std::uint32_t first = numbers_.first_of(dependency);
  const std::uint32_t second = numbers_.second_of(dependency, first);
  const auto for_next = [this](std::uint32_t c, const auto& visit) {
    const std::uint32_t head = fabric_.channel_head()[c];
    for (std::uint32_t next = fabric_.first_channel()[head];
         next < fabric_.first_channel()[head + 1]; ++next) {
      if (is_inserted_[numbers_.number(c, next)] != 0) visit(next);
    }
  };
  const auto for_previous = [this](std::uint32_t c, const auto& visit) {
    const std::uint32_t tail = fabric_.channel_tail()[c];
    for (std::uint32_t out = fabric_.first_channel()[tail]; out < fabric_.first_channel()[tail + 1];
         ++out) {
      const std::uint32_t before = fabric_.channel_reverse()[out];
      if (is_inserted_[numbers_.number(before, c)] != 0) visit(before);
    }
  };
  if (!sorted_.move_before(first, second, for_next, for_previous)) {
    loop_.assign(sorted_.cycle().begin(), sorted_.cycle().end());
    return false;
  }
  is_inserted_[dependency] = 1;
  return true;
}

}  // namespace pssp
