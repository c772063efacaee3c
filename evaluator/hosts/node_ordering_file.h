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
  /// Distinct positions in Fabric::endpoints(), at least one: HostMappingOptions::fixed_first.
  std::vector<std::uint32_t> hosts;
  /// "file:line: ..." for ignored lines, which name no host of the fabric or a host without
  /// traffic: the first few, and their number.
  std::vector<std::string> warnings;
};

/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line if the
/// text is invalid or names a host twice, and Error(mismatch) if a line matches several hosts or if
/// no line matches any. O(size + end ports).
NodeOrdering parse_node_ordering(std::string_view text, std::string_view name,
                                 const Fabric& fabric);

/// Reads a file of at most 64 MiB, or standard input for "-".
NodeOrdering read_node_ordering(const std::filesystem::path& path, const Fabric& fabric);

/// The same file as an order of all hosts with a LID: every line must name a host, and every host
/// must be named. Throws Error(unreadable_input) with file:line otherwise.
std::vector<EndPortId> parse_host_order(std::string_view text, std::string_view name,
                                        const Fabric& fabric);
std::vector<EndPortId> read_host_order(const std::filesystem::path& path, const Fabric& fabric);

}  // namespace pssp
