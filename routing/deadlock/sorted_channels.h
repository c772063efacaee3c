#pragma once

// A topological order of channels that is updated when a dependency is added (Pearce, Kelly: "A
// Dynamic Topological Sort Algorithm for Directed Acyclic Graphs", Journal of Experimental
// Algorithmics, 2006).

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pssp {

/// The caller stores the dependencies. Removing a dependency never invalidates the order.
class SortedChannels {
 public:
  /// By channel, its position: a permutation of 0 .. channels - 1.
  explicit SortedChannels(std::vector<std::uint32_t> position)
      : position_(std::move(position)),
        found_from_(position_.size()),
        is_found_(position_.size(), 0) {}

  bool is_before(std::uint32_t a, std::uint32_t b) const noexcept {
    return position_[a] < position_[b];
  }

  /// Moves channels such that `first` comes before `second`. Returns false and moves nothing if
  /// `second` leads to `first`, because the dependency would close cycle(). `for_next(c, visit)`
  /// and `for_previous(c, visit)` call visit() for each channel that directly depends on c, or on
  /// which c directly depends. O(dependencies of the channels between both positions).
  template <class ForNext, class ForPrevious>
  bool move_before(std::uint32_t first, std::uint32_t second, const ForNext& for_next,
                   const ForPrevious& for_previous) {
    if (is_before(first, second)) return true;
    const bool is_free = search_forward(second, first, for_next);
    if (is_free) {
      search_backward(first, position_[second], for_previous);
      reorder();
    }
    for (const std::uint32_t c : forward_) is_found_[c] = 0;
    for (const std::uint32_t c : backward_) is_found_[c] = 0;
    forward_.clear();
    backward_.clear();
    return is_free;
  }

  /// After move_before() has returned false: the channels from `second` to `first`.
  std::span<const std::uint32_t> cycle() const noexcept { return cycle_; }

 private:
  /// Visits all channels that `from` leads to and that come before `goal`. Returns false if `from`
  /// leads to `goal`.
  template <class ForNext>
  bool search_forward(std::uint32_t from, std::uint32_t goal, const ForNext& for_next) {
    forward_.assign(1, from);
    is_found_[from] = 1;
    bool is_free = true;
    for (std::size_t i = 0; i < forward_.size() && is_free; ++i) {
      const std::uint32_t c = forward_[i];
      for_next(c, [&](std::uint32_t next) {
        if (!is_free || is_found_[next] != 0 || position_[next] > position_[goal]) return;
        found_from_[next] = c;
        if (next == goal) {
          is_free = false;
          return;
        }
        is_found_[next] = 1;
        forward_.push_back(next);
      });
    }
    if (!is_free) trace_cycle(from, goal);
    return is_free;
  }

  template <class ForPrevious>
  void search_backward(std::uint32_t from, std::uint32_t least_position,
                       const ForPrevious& for_previous) {
    backward_.assign(1, from);
    is_found_[from] = 1;
    for (std::size_t i = 0; i < backward_.size(); ++i) {
      for_previous(backward_[i], [&](std::uint32_t before) {
        if (is_found_[before] != 0 || position_[before] < least_position) return;
        is_found_[before] = 1;
        backward_.push_back(before);
      });
    }
  }

  void trace_cycle(std::uint32_t from, std::uint32_t goal);
  void reorder();

  std::vector<std::uint32_t> position_;    // by channel
  std::vector<std::uint32_t> found_from_;  // by channel: its predecessor in the current search
  std::vector<std::uint8_t> is_found_;
  std::vector<std::uint32_t> forward_, backward_, cycle_;
};

}  // namespace pssp
