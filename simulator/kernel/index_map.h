#pragma once

// Maps 64-bit keys to indices in one array: a node-based map made a run of thousands of hosts five
// times slower.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "base/random.h"

namespace pssp {

/// Open addressing with linear probing, at most half full. Keys cannot be removed.
class IndexMap {
 public:
  /// The index of a key; a new key gets `fresh`. Mean O(1).
  std::uint32_t find_or_add(std::uint64_t key, std::uint32_t fresh) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[place_of(key)];
    if (entry.index == no_index) {
      entry = {key, fresh};
      ++used_;
    }
    return entry.index;
  }
  std::size_t bytes() const noexcept { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t index = no_index;
  };

  std::size_t place_of(std::uint64_t key) const noexcept {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = mix64(key) & mask;
    while (entries_[at].index != no_index && entries_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 16 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.index != no_index) entries_[place_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace pssp
