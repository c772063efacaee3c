#pragma once

// Ports that somebody works at: nothing is said of them until the work is to be done. A file of
// lines
//
//   0x0002c90300000101 17  2026-02-01T12:00:00Z  cable ordered     # node GUID, port, end (UTC),
//   why 0x0002c90300000102 *   2026-02-02            moved to row 7    # all ports of the node

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct MaintainedPort {
  Guid node = 0;
  PortNumber port = 0;        ///< 0: all of the node
  std::int64_t until_ms = 0;  ///< since 1970; from then on it is as any other
  std::string why;            ///< may be empty
};

/// Throws Error(unreadable_input), "name:line: ..", for a line that is none. O(size).
std::vector<MaintainedPort> parse_maintenance(std::string_view text, std::string_view name);
/// A file of at most 1 MiB; none where the name is empty.
std::vector<MaintainedPort> read_maintenance(const std::filesystem::path& file);

/// The line that a port is maintained by at that time; null: none. O(lines).
const MaintainedPort* maintenance_of(const std::vector<MaintainedPort>& all, Guid node,
                                     PortNumber port, std::int64_t time_ms);

}  // namespace pssp
