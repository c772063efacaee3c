#pragma once

// Reader of node ordering files, as of ORCS: the hosts that play the first ranks, in this order.
//
//   # comment
//   0x0002c903000e0b72            one host a line, by the GUID of its port or node, hexadecimal
//   2c903000e0b76 node12          0x may be left out; what follows a GUID is passed over
//   node13                        or by name or description
//   "node14 HCA-1 # spare"        in quotes where the text might be taken for a GUID or a comment

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

struct NodeOrdering {
  /// Positions in Fabric::endpoints(), at least one, none twice: HostMappingOptions::fixed_first.
  std::vector<std::uint32_t> hosts;
  /// "file:line: ..." for lines that name no host of the fabric, or one that takes no part in
  /// traffic: they are passed over. The first few, and how many there are.
  std::vector<std::string> warnings;
};

/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line when the
/// text is no such file or names a host twice, Error(mismatch) when a line fits several hosts or
/// when no line fits any. O(size + end ports).
NodeOrdering parse_node_ordering(std::string_view text, std::string_view name,
                                 const Fabric& fabric);

/// Reads the file, "-" for standard input, of at most 64 MiB.
NodeOrdering read_node_ordering(const std::filesystem::path& path, const Fabric& fabric);

/// The same file as an order of all hosts that have a LID: every line must name one, and every one
/// must be named. Throws Error(unreadable_input) with file:line otherwise.
std::vector<EndPortId> parse_host_order(std::string_view text, std::string_view name,
                                        const Fabric& fabric);
std::vector<EndPortId> read_host_order(const std::filesystem::path& path, const Fabric& fabric);

}  // namespace pssp
