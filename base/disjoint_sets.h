#pragma once

// Connected components of 0 .. size - 1 while pairs are joined.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/no_index.h"

namespace pssp {

/// Union-find with path halving: each call takes amortized O(log size).
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  /// Adds an element in its own set.
  std::uint32_t add() {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return parent_.back();
  }
  /// The smallest member of the set.
  std::uint32_t root(std::uint32_t member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }
  /// Joins two sets; returns false if they were already one.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }
  bool together(std::uint32_t a, std::uint32_t b) { return root(a) == root(b); }
  /// By member the number of its set, numbered by ascending smallest member; and the number of
  /// sets.
  std::pair<std::vector<std::uint32_t>, std::uint32_t> numbered() {
    std::vector<std::uint32_t> number(parent_.size(), no_index);
    std::uint32_t count = 0;
    for (std::uint32_t member = 0; member < parent_.size(); ++member) {
      const std::uint32_t top = root(member);
      if (number[top] == no_index) number[top] = count++;
      number[member] = number[top];
    }
    return {std::move(number), count};
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace pssp
