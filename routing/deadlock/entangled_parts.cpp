// A cycle of channels that wait for each other lies within one strongly connected component of the
// dependencies. So channels can be ordered component by component, and only those steps of a route
// matter whose two channels are in the same component. On a fat tree with missing links, most
// routes go up, over and down again, and only the step at the top can be part of a cycle: the 64
// million routes of the full LID space have three million distinct relevant parts, nearly all of
// one step.
//
// Parts are built from the destination on: the part of a node is the part of its parent, preceded
// by the first step of the node if this step matters. So each node costs at most one lookup in a
// table of known parts.

#include "routing/deadlock/entangled_parts.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/no_index.h"

namespace pssp {
namespace {

/// Tarjan's algorithm with an explicit stack. A component is complete only after all components
/// that it leads to, so components are numbered in reverse. routing/verify has its own
/// implementation, because the proof of lanes shares no code with the search.
class CreditLoopSearch {
 public:
  CreditLoopSearch(std::size_t channels, const RouteForest& forest)
      : second_(forest.second_channel()),
        first_(channels + 1, 0),
        index_(channels, no_index),
        low_(channels),
        credit_loop_(channels, no_index) {
    for (const std::uint32_t channel : forest.first_channel()) ++first_[channel + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  std::vector<std::uint32_t> run() && {
    for (std::uint32_t c = 0; c < credit_loop_.size(); ++c) {
      if (index_[c] != no_index) continue;
      enter(c);
      while (!calls_.empty()) advance();
    }
    for (std::uint32_t& credit_loop : credit_loop_) credit_loop = credit_loops_ - 1 - credit_loop;
    return std::move(credit_loop_);
  }

 private:
  struct Call {
    std::uint32_t channel;
    std::uint32_t next;  // next dependency to follow
  };

  void enter(std::uint32_t channel) {
    index_[channel] = low_[channel] = entered_++;
    open_.push_back(channel);
    calls_.push_back({channel, first_[channel]});
  }

  void advance() {
    Call& call = calls_.back();
    const std::uint32_t channel = call.channel;
    if (call.next == first_[channel + 1]) {
      leave(channel);
      return;
    }
    const std::uint32_t to = second_[call.next++];
    if (index_[to] == no_index) {
      enter(to);
    } else if (credit_loop_[to] == no_index) {
      low_[channel] = std::min(low_[channel], index_[to]);
    }
  }

  void leave(std::uint32_t channel) {
    calls_.pop_back();
    if (!calls_.empty()) {
      std::uint32_t& low = low_[calls_.back().channel];
      low = std::min(low, low_[channel]);
    }
    if (low_[channel] != index_[channel]) return;
    std::uint32_t member = no_index;
    while (member != channel) {
      member = open_.back();
      open_.pop_back();
      credit_loop_[member] = credit_loops_;
    }
    ++credit_loops_;
  }

  std::span<const std::uint32_t> second_;
  std::vector<std::uint32_t> first_;  // by channel: its first dependency
  std::vector<std::uint32_t> index_, low_, credit_loop_;
  std::vector<std::uint32_t> open_;
  std::vector<Call> calls_;
  std::uint32_t entered_ = 0, credit_loops_ = 0;
};

/// Distinct sequences of dependencies, stored as a tree by their common ends. Part 0 is empty.
class PartTree {
 public:
  PartTree() : rest_(1, no_index), dependency_(1, no_index), is_rest_(1, 1), slots_(1024, 0) {}

  /// The part that consists of `dependency` followed by the part `rest`.
  std::uint32_t find(std::uint32_t rest, std::uint32_t dependency) {
    if (2 * rest_.size() > slots_.size()) grow();
    std::uint32_t& slot = slot_of(rest, dependency);
    if (slot == 0) {
      slot = static_cast<std::uint32_t>(rest_.size());
      rest_.push_back(rest);
      dependency_.push_back(dependency);
      is_rest_.push_back(0);
      is_rest_[rest] = 1;
    }
    return slot;
  }

  /// The parts that are not the rest of another part. A longer part implies every part at its end.
  RouteBundles bundles(std::size_t dependencies) const {
    std::vector<std::uint8_t> is_in_longer(dependencies, 0);
    for (std::uint32_t p = 1; p < rest_.size(); ++p) {
      if (is_rest_[p] != 0 || rest_[p] == 0) continue;
      for (std::uint32_t at = p; at != 0; at = rest_[at]) is_in_longer[dependency_[at]] = 1;
    }
    RouteBundles bundles;
    for (std::uint32_t p = 1; p < rest_.size(); ++p) {
      if (is_rest_[p] != 0 || (rest_[p] == 0 && is_in_longer[dependency_[p]] != 0)) continue;
      for (std::uint32_t at = p; at != 0; at = rest_[at]) bundles.steps.push_back(dependency_[at]);
      bundles.first_step.push_back(static_cast<std::uint32_t>(bundles.steps.size()));
      bundles.first_path.push_back(static_cast<std::uint32_t>(bundles.first_step.size() - 1));
    }
    return bundles;
  }

 private:
  std::uint32_t& slot_of(std::uint32_t rest, std::uint32_t dependency) {
    const std::uint64_t key = std::uint64_t{rest} << 32 | dependency;
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15U;
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (mixed ^ mixed >> 32) & mask;
    while (slots_[i] != 0 && (rest_[slots_[i]] != rest || dependency_[slots_[i]] != dependency)) {
      i = (i + 1) & mask;
    }
    return slots_[i];
  }

  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::uint32_t p = 1; p < rest_.size(); ++p) slot_of(rest_[p], dependency_[p]) = p;
  }

  std::vector<std::uint32_t> rest_, dependency_;
  std::vector<std::uint8_t> is_rest_;
  std::vector<std::uint32_t> slots_;  // a hash table of parts; 0: free
};

}  // namespace

ChannelCreditLoops::ChannelCreditLoops(std::size_t channels, const RouteForest& forest)
    : forest_(forest), of_channel_(CreditLoopSearch(channels, forest).run()) {}

ChannelOrder ChannelCreditLoops::untangled(const ChannelOrder& order) const {
  std::vector<std::uint32_t> sequence = order.sequence();
  std::stable_sort(sequence.begin(), sequence.end(), [this](std::uint32_t a, std::uint32_t b) {
    return of_channel_[a] < of_channel_[b];
  });
  return ChannelOrder(sequence);
}

RouteBundles entangled_parts(const RouteForest& forest, const ChannelCreditLoops& credit_loops) {
  std::vector<std::uint8_t> is_entangled(forest.dependency_count());
  for (std::uint32_t d = 0; d < is_entangled.size(); ++d) {
    is_entangled[d] = credit_loops.is_entangled(d) ? 1 : 0;
  }
  PartTree parts;
  std::vector<std::uint32_t> part_of;  // by node of the routes to one switch
  for (std::size_t at = 0; at + 1 < forest.first_node().size(); ++at) {
    const std::uint32_t first = forest.first_node()[at], end = forest.first_node()[at + 1];
    part_of.assign(end - first, 0);
    for (std::uint32_t n = first; n < end; ++n) {
      const std::uint32_t dependency = forest.dependency()[n];
      if (dependency == no_index) continue;
      const std::uint32_t rest = part_of[forest.parent()[n] - first];
      part_of[n - first] = is_entangled[dependency] != 0 ? parts.find(rest, dependency) : rest;
    }
  }
  return parts.bundles(forest.dependency_count());
}

}  // namespace pssp
