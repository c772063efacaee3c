#pragma once

// One byte per (switch, LID), for forwarding tables and service levels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

/// A contiguous byte matrix, switch-major, like InfiniBand's forwarding tables. Rows have max_lid +
/// 1 entries, including LID 0, which has no owner. `Meaning` distinguishes tables with different
/// content by type:
///
///   Meaning::Value            type of an entry, one byte
///   Meaning::none             the empty entry
///
/// Memory: switches * (max_lid + 1) bytes. Access is O(1) and unchecked.
template <class Meaning>
class SwitchLidTable {
 public:
  using Value = typename Meaning::Value;
  static constexpr Value none = Meaning::none;
  static_assert(sizeof(Value) == 1 && std::is_trivially_copyable_v<Value>);

  SwitchLidTable() = default;
  /// All entries are Meaning::none.
  SwitchLidTable(std::size_t switches, Lid max_lid)
      : switches_(switches), width_(std::size_t{max_lid} + 1), entries_(switches * width_, none) {}

  std::size_t switch_count() const noexcept { return switches_; }
  Lid max_lid() const noexcept { return static_cast<Lid>(width_ == 0 ? 0 : width_ - 1); }

  Value at(SwitchId s, Lid lid) const noexcept { return entries_[s.value() * width_ + lid]; }
  void set(SwitchId s, Lid lid, Value value) noexcept {
    entries_[s.value() * width_ + lid] = value;
  }
  std::span<const Value> row(SwitchId s) const noexcept {
    return std::span(entries_).subspan(s.value() * width_, width_);
  }
  /// The whole matrix, row by row.
  std::span<const Value> entries() const noexcept { return entries_; }
  std::span<Value> entries() noexcept { return entries_; }
  std::size_t width() const noexcept { return width_; }

  friend bool operator==(const SwitchLidTable&, const SwitchLidTable&) = default;

 private:
  std::size_t switches_ = 0;
  std::size_t width_ = 0;
  std::vector<Value> entries_;
};

}  // namespace pssp
