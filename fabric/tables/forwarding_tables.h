#pragma once

// Linear forwarding tables of all switches: one contiguous byte matrix, switch-major, as in
// InfiniBand itself.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

/// Entry (switch, LID) is the port by which the switch forwards packets for that LID, no_port where
/// it has no route. Rows have max_lid + 1 entries; entry 0 is always no_port.
class ForwardingTables {
 public:
  ForwardingTables() = default;
  /// All entries no_port.
  ForwardingTables(std::size_t switches, Lid max_lid)
      : switches_(switches),
        width_(std::size_t{max_lid} + 1),
        entries_(switches * width_, no_port) {}

  std::size_t switch_count() const noexcept { return switches_; }
  Lid max_lid() const noexcept { return static_cast<Lid>(width_ == 0 ? 0 : width_ - 1); }

  PortNumber at(SwitchId s, Lid lid) const noexcept { return entries_[s.value() * width_ + lid]; }
  void set(SwitchId s, Lid lid, PortNumber port) noexcept {
    entries_[s.value() * width_ + lid] = port;
  }
  std::span<const PortNumber> row(SwitchId s) const noexcept {
    return std::span(entries_).subspan(s.value() * width_, width_);
  }
  /// The whole matrix, row after row.
  std::span<const PortNumber> entries() const noexcept { return entries_; }
  std::span<PortNumber> entries() noexcept { return entries_; }
  std::size_t width() const noexcept { return width_; }

  friend bool operator==(const ForwardingTables&, const ForwardingTables&) = default;

 private:
  std::size_t switches_ = 0;
  std::size_t width_ = 0;
  std::vector<PortNumber> entries_;
};

}  // namespace pssp
