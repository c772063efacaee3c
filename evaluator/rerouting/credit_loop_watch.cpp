// A topological order of the channels is kept while dependencies come and go (Pearce and Kelly, "A
// Dynamic Topological Sort Algorithm for Directed Acyclic Graphs", 2006). One that goes never makes
// the order wrong. One that comes and points backwards makes a search between the places of its two
// ends: either it finds a cycle, or the channels that it found change places.
//
// Departure: while there is a cycle nothing is inserted; what comes waits. Only when the cycle that
// was found has lost a dependency those that wait are inserted until one of them closes another.

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
      position_(fabric.channel_count()),
      found_from_(fabric.channel_count()),
      is_found_(fabric.channel_count(), 0) {
  order_channels();
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t head = fabric.channel_head()[c];
    for (std::uint32_t next = fabric.first_channel()[head]; next < fabric.first_channel()[head + 1];
         ++next) {
      const std::uint32_t dependency = numbers.number(c, next);
      if (counts_[dependency] == 0) continue;
      if (position_[c] < position_[next]) {
        is_inserted_[dependency] = 1;
      } else {
        waiting_.push_back(dependency);
      }
    }
  }
  look_for_loop();
}

/// Depth-first search: a channel stands before all that it leads to, but for those that close a
/// cycle.
void CreditLoopWatch::order_channels() {
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
        position_[c] = --place;
        path.pop_back();
        continue;
      }
      ++path.back().second;
      if (is_seen[next] == 0 && counts_[numbers_.number(c, next)] != 0) enter(next);
    }
  }
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

/// False where it closes a cycle, which is in loop_ then.
bool CreditLoopWatch::insert(std::uint32_t dependency) {
  const std::uint32_t first = numbers_.first_of(dependency);
  const std::uint32_t second = numbers_.second_of(dependency, first);
  bool is_free = true;
  if (position_[first] > position_[second]) {
    is_free = search_forward(second, first);
    if (is_free) {
      search_backward(first, position_[second]);
      reorder();
    }
    for (const std::uint32_t c : forward_) is_found_[c] = 0;
    for (const std::uint32_t c : backward_) is_found_[c] = 0;
    forward_.clear();
    backward_.clear();
  }
  if (is_free) is_inserted_[dependency] = 1;
  return is_free;
}

/// All that `from` leads to and that stands before `goal`. False where it leads there.
bool CreditLoopWatch::search_forward(std::uint32_t from, std::uint32_t goal) {
  forward_.assign(1, from);
  is_found_[from] = 1;
  for (std::size_t i = 0; i < forward_.size(); ++i) {
    const std::uint32_t c = forward_[i];
    const std::uint32_t head = fabric_.channel_head()[c];
    for (std::uint32_t next = fabric_.first_channel()[head];
         next < fabric_.first_channel()[head + 1]; ++next) {
      if (is_found_[next] != 0 || position_[next] > position_[goal]) continue;
      if (is_inserted_[numbers_.number(c, next)] == 0) continue;
      found_from_[next] = c;
      if (next == goal) {
        for (std::uint32_t each = goal; each != from; each = found_from_[each]) {
          loop_.push_back(each);
        }
        loop_.push_back(from);
        std::ranges::reverse(loop_);
        return false;
      }
      is_found_[next] = 1;
      forward_.push_back(next);
    }
  }
  return true;
}

void CreditLoopWatch::search_backward(std::uint32_t from, std::uint32_t least_position) {
  backward_.assign(1, from);
  is_found_[from] = 1;
  for (std::size_t i = 0; i < backward_.size(); ++i) {
    const std::uint32_t c = backward_[i];
    const std::uint32_t tail = fabric_.channel_tail()[c];
    for (std::uint32_t out = fabric_.first_channel()[tail]; out < fabric_.first_channel()[tail + 1];
         ++out) {
      const std::uint32_t before = fabric_.channel_reverse()[out];
      if (is_found_[before] != 0 || position_[before] < least_position) continue;
      if (is_inserted_[numbers_.number(before, c)] == 0) continue;
      is_found_[before] = 1;
      backward_.push_back(before);
    }
  }
}

/// Those that lead to the new dependency come before those that it leads to, on the places that
/// they have together.
void CreditLoopWatch::reorder() {
  const auto by_position = [this](std::uint32_t c) { return position_[c]; };
  std::ranges::sort(backward_, {}, by_position);
  std::ranges::sort(forward_, {}, by_position);
  std::vector<std::uint32_t> channels = backward_;
  channels.insert(channels.end(), forward_.begin(), forward_.end());
  std::vector<std::uint32_t> positions;
  positions.reserve(channels.size());
  for (const std::uint32_t c : channels) positions.push_back(position_[c]);
  std::ranges::sort(positions);
  for (std::size_t i = 0; i < channels.size(); ++i) position_[channels[i]] = positions[i];
}

}  // namespace pssp
