// Cycles are found as strongly connected components (Tarjan's algorithm). The algorithm has its own
// stack, because the graph of a real fabric is deep enough to overflow the stack of the thread. In
// the first component with several channels, breadth-first searches from a few channels find a
// short cycle, which is easier to read.

#include "routing/verify/channel_dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/no_index.h"

namespace pssp {
namespace {

/// Limits the number of searches in a component of many thousand channels.
constexpr std::size_t max_cycle_searches = 32;

/// Tarjan's algorithm. Stops at the first component with at least two channels; a channel never
/// waits for itself, because it does not lead back to the same switch.
class ComponentSearch {
 public:
  ComponentSearch(const ChannelDependencies& graph, std::size_t channels)
      : graph_(graph), index_(channels, no_index), low_(channels), on_stack_(channels, 0) {}

  std::vector<std::uint32_t> first_cyclic() {
    for (std::uint32_t c = 0; c < index_.size(); ++c) {
      if (index_[c] != no_index) continue;
      enter(c);
      while (!calls_.empty()) {
        if (advance()) return component_;
      }
    }
    return {};
  }

 private:
  struct Call {
    std::uint32_t channel;
    std::size_t next;  // position in successors_ of the successor to visit next
    std::size_t end;
  };

  void enter(std::uint32_t channel) {
    index_[channel] = low_[channel] = counter_++;
    stack_.push_back(channel);
    on_stack_[channel] = 1;
    const std::size_t begin = successors_.size();
    graph_.successors(ChannelId(channel), successors_);
    calls_.push_back({channel, begin, successors_.size()});
  }

  /// One step; true when a component with a cycle is complete.
  bool advance() {
    Call& call = calls_.back();
    while (call.next < call.end) {
      const std::uint32_t to = successors_[call.next++];
      if (index_[to] == no_index) {
        enter(to);
        return false;
      }
      if (on_stack_[to] != 0) low_[call.channel] = std::min(low_[call.channel], index_[to]);
    }
    return leave();
  }

  bool leave() {
    const std::uint32_t channel = calls_.back().channel;
    calls_.pop_back();
    successors_.resize(calls_.empty() ? 0 : calls_.back().end);
    if (!calls_.empty()) {
      std::uint32_t& low = low_[calls_.back().channel];
      low = std::min(low, low_[channel]);
    }
    if (low_[channel] != index_[channel]) return false;
    component_.clear();
    std::uint32_t member = no_index;
    do {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[member] = 0;
      component_.push_back(member);
    } while (member != channel);
    return component_.size() > 1;
  }

  const ChannelDependencies& graph_;
  std::vector<std::uint32_t> index_, low_;
  std::vector<std::uint8_t> on_stack_;
  std::vector<std::uint32_t> stack_, component_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> successors_;  // of all active calls, one range each
  std::uint32_t counter_ = 0;
};

/// Shortest cycle through `start`, which must be on a cycle.
std::vector<ChannelId> shortest_cycle(const ChannelDependencies& graph, std::uint32_t start,
                                      std::size_t channels) {
  std::vector<std::uint32_t> came_from(channels, no_index);
  std::vector<std::uint32_t> queue{start};
  std::vector<std::uint32_t> next;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    next.clear();
    graph.successors(ChannelId(queue[i]), next);
    for (const std::uint32_t to : next) {
      if (to == start) {
        std::vector<ChannelId> cycle;
        for (std::uint32_t c = queue[i]; c != start; c = came_from[c]) cycle.emplace_back(c);
        cycle.emplace_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (came_from[to] != no_index) continue;
      came_from[to] = queue[i];
      queue.push_back(to);
    }
  }
  return {};
}

}  // namespace

ChannelDependencies::ChannelDependencies(const Fabric& fabric) : fabric_(fabric) {
  std::uint64_t words = 0;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    first_word_.push_back(words);
    const std::uint32_t head = fabric.channel_head()[c];
    words += (fabric.first_channel()[head + 1] - fabric.first_channel()[head] + 63) / 64;
  }
  first_word_.push_back(words);
  words_.assign(words, 0);
}

std::uint64_t ChannelDependencies::count() const noexcept {
  std::uint64_t bits = 0;
  for (const std::uint64_t word : words_) bits += static_cast<std::uint64_t>(std::popcount(word));
  return bits;
}

void ChannelDependencies::successors(ChannelId c1, std::vector<std::uint32_t>& successors) const {
  std::uint32_t base = fabric_.first_channel()[fabric_.channel_head()[c1.value()]];
  for (std::uint64_t w = first_word_[c1.value()]; w < first_word_[c1.value() + 1];
       ++w, base += 64) {
    for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
      successors.push_back(base + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
}

std::vector<ChannelId> ChannelDependencies::find_cycle() const {
  const std::size_t channels = fabric_.channel_count();
  const std::vector<std::uint32_t> component = ComponentSearch(*this, channels).first_cyclic();
  std::vector<ChannelId> shortest;
  for (std::size_t i = 0; i < std::min(component.size(), max_cycle_searches); ++i) {
    std::vector<ChannelId> cycle = shortest_cycle(*this, component[i], channels);
    if (shortest.empty() || cycle.size() < shortest.size()) shortest = std::move(cycle);
  }
  return shortest;
}

std::string describe_cycle(const Fabric& fabric, std::span<const ChannelId> cycle) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    text += fmt::format("{} waits for the next channel{}\n", fabric.channel_label(cycle[i]),
                        i + 1 == cycle.size() ? " (the first one again)" : "");
  }
  return text;
}

}  // namespace pssp
