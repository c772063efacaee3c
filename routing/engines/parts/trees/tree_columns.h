#pragma once

// The trees of destinations before they become tables.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// A column for each LID with a tree: by SwitchId the output channel of packets to the LID.
/// Channels are numbered from 0 for each switch; a switch has at most 254.
///
/// Memory: LIDs of the fabric * switches bytes, used as columns are added.
class TreeColumns {
 public:
  static constexpr std::uint8_t no_path = std::numeric_limits<std::uint8_t>::max();

  explicit TreeColumns(const Fabric& fabric);

  /// Adds a column filled with no_path. Call it once for each LID in use.
  std::span<std::uint8_t> add(Lid lid);
  /// Empty if none was added.
  std::span<const std::uint8_t> of(Lid lid) const noexcept;

  /// Converts the columns to tables: ports instead of channel numbers, and at the root of a tree
  /// the port of the destination. O(LIDs * switches).
  ForwardingTables to_tables() const;

 private:
  static constexpr std::uint32_t no_column = std::numeric_limits<std::uint32_t>::max();

  const Fabric& fabric_;
  std::size_t height_;
  std::uint32_t columns_ = 0;
  std::vector<std::uint32_t> column_of_;   // by LID, in the order in which they were added
  std::unique_ptr<std::uint8_t[]> paths_;  // column after column
};

}  // namespace pssp
