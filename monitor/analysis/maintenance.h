#pragma once

// Ports that are in maintenance; the monitor reports nothing about them until the work ends. The
// file has lines of this form:
//
//   0x0002c90300000101 17  2026-02-01T12:00:00Z  cable ordered   # node, port, end (UTC), reason
//   0x0002c90300000102 *   2026-02-02            moved to row 7  # all ports of the node

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct MaintainedPort {
  Guid node = 0;
  PortNumber port = 0;        ///< 0: all ports of the node
  std::int64_t until_ms = 0;  ///< end of the maintenance, since 1970
  std::string why;            ///< reason; may be empty
};

/// Throws Error(unreadable_input), "name:line: ..", for an invalid line. O(size).
std::vector<MaintainedPort> parse_maintenance(std::string_view text, std::string_view name);
/// Reads a file of at most 1 MiB; returns an empty list if the name is empty.
std::vector<MaintainedPort> read_maintenance(const std::filesystem::path& file);

/// The entry that covers the port at this time; null if there is none. O(lines).
const MaintainedPort* maintenance_of(const std::vector<MaintainedPort>& all, Guid node,
                                     PortNumber port, std::int64_t time_ms);

}  // namespace pssp
