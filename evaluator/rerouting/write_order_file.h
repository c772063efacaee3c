#pragma once

// In which order blocks were written, for example as the log of an opensm tells it.
//
//   # comment
//   0x0002c90300000101 17          node GUID of a switch, number of the block

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "evaluator/rerouting/block_writes.h"

namespace pssp {

/// The blocks of `writes` in the order of the file. Blocks that do not differ are passed over, and
/// so is a block's second write. `name` stands for the file in messages. Throws
/// Error(unreadable_input) with file:line for what is no write, Error(mismatch) for a switch that
/// the fabric does not have, and where blocks of `writes` are missing. O(size).
std::vector<BlockWrite> parse_write_order(std::string_view text, std::string_view name,
                                          const Fabric& fabric, std::span<const BlockWrite> writes);

}  // namespace pssp
