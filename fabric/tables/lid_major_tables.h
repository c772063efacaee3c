#pragma once

// Forwarding tables by LID instead of by switch.

#include <cstddef>
#include <span>
#include <vector>

#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// A copy of forwarding tables for reading the entries of all switches for one LID, in any order of
/// LIDs. For ascending LIDs, TableColumns needs less memory. Memory: as the tables.
class LidMajorTables {
 public:
  /// O(entries).
  explicit LidMajorTables(const ForwardingTables& tables);

  /// By SwitchId. A LID beyond the tables has no entries. O(1).
  std::span<const PortNumber> column(Lid lid) const noexcept {
    const std::size_t at = lid < width_ ? lid : no_lid;  // no switch has an entry for no_lid
    return std::span(entries_).subspan(at * switches_, switches_);
  }

 private:
  std::size_t switches_, width_;
  std::vector<PortNumber> entries_;  // column by column
};

}  // namespace pssp
