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
  /// When each of `writes` was sent, ascending, since the fault; empty where the file does not say.
  std::vector<std::int64_t> times_ns;
};

/// The blocks of `writes` in the order of the file. Blocks that do not differ are passed over, and
/// so is a block's second write. `name` stands for the file in messages. Throws
/// Error(unreadable_input) with file:line for what is no write, for times that run backwards or are
/// not in each line, Error(mismatch) for a switch that the fabric does not have, and where blocks
/// of `writes` are missing. O(size).
WriteOrder parse_write_order(std::string_view text, std::string_view name, const Fabric& fabric,
                             std::span<const BlockWrite> writes);

}  // namespace pssp
