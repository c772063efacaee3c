#pragma once

// Reads switch-major tables LID by LID.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

/// The entries of all switches for one LID, contiguously. In the tables, each of them is on another
/// cache line, so for ascending consecutive LIDs, 64 columns are transposed at once. For one
/// thread; 64 bytes per switch.
template <class Table>
class TableColumns {
 public:
  using Value = typename Table::Value;

  /// The tables must outlive the object and not change.
  explicit TableColumns(const Table& tables)
      : tables_(tables), entries_(at_once * tables.switch_count()) {}

  /// By SwitchId, valid until the next call. A LID beyond the tables has no entries. Amortized
  /// O(switches).
  std::span<const Value> column(Lid lid) {
    const std::size_t switches = tables_.switch_count();
    if (lid < first_ || lid >= first_ + count_) {
      // A request for the next LID is likely to be followed by more.
      turn_over(lid, lid == first_ + count_ ? at_once : 1);
    }
    return std::span<const Value>(entries_).subspan((lid - first_) * switches, switches);
  }

 private:
  static constexpr std::size_t at_once = 64;

  void turn_over(Lid lid, std::size_t wanted) {
    const std::size_t switches = tables_.switch_count(), width = tables_.width();
    first_ = lid;
    count_ = lid < width ? std::min(wanted, width - lid) : 1;
    if (lid >= width) {
      std::fill_n(entries_.begin(), switches, Table::none);
      return;
    }
    for (std::size_t s = 0; s < switches; ++s) {
      const Value* const row = tables_.entries().data() + s * width + lid;
      for (std::size_t k = 0; k < count_; ++k) entries_[k * switches + s] = row[k];
    }
  }

  const Table& tables_;
  std::vector<Value> entries_;  // column by column
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace pssp
