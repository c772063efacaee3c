#pragma once

// One byte for each (switch, LID): what forwarding tables and service levels are stored in.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

/// A contiguous byte matrix, switch-major, as InfiniBand itself has its forwarding tables. Rows
/// have max_lid + 1 entries, that of LID 0 included, which no one owns. `Meaning` says what the
/// entries are, so that tables of different meaning are different types:
///
///   Meaning::Value            type of an entry, one byte
///   Meaning::none             the entry that says "there is nothing here"
///
/// Memory: switches * (max_lid + 1) bytes. Access is O(1) and not checked.
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
  /// The whole matrix, row after row.
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
