#pragma once

// In which order blocks were written, for example as the log of an opensm tells it.
//
//   # comment
//   0x0002c90300000101 17             node GUID of a switch, number of the block
//   0x0002c90300000101 17 257500 us   and microseconds since the fault, in each line or in none

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "evaluator/rerouting/block_writes.h"

namespace pssp {

struct WriteOrder {
  std::vector<BlockWrite> writes;
  /// When each of `writes` was sent, relative to the fault, ascending; empty without times.
  std::vector<std::int64_t> times_ns;
};

/// The blocks of `writes` in the order of the file. Ignores unchanged blocks and repeated writes of
/// a block. `name` stands for the file in messages. Throws Error(unreadable_input) with file:line
/// for invalid lines, for times that decrease or are missing in some lines, and Error(mismatch) for
/// an unknown switch, or if blocks of `writes` are missing. O(size).
WriteOrder parse_write_order(std::string_view text, std::string_view name, const Fabric& fabric,
                             std::span<const BlockWrite> writes);

}  // namespace pssp
