#pragma once

// Groups of ports as a file says them:
//
//   # comment
//   S00001 17: 3 4 5          packets for LID 17 may leave by these ports
//   "leaf 3" 0x1c: 1 2        a switch by its name or description, in quotes where it has blanks
//   0x0002c903000e0b72 *: 3 4 5 6   a switch by its GUID; all LIDs whose entry of the tables is one
//                             of these ports and that have no line of their own

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/adaptive/adaptive_groups.h"

namespace pssp {

inline constexpr std::size_t largest_groups_file = std::size_t{64} << 20U;

struct GroupLine {
  SwitchId node;
  std::optional<Lid> lid;  ///< none: any LID
  AdaptiveGroups::Members members{};
  std::size_t line = 0;
};

struct GroupsFile {
  std::string name;
  std::vector<GroupLine> lines;
};

/// Throws Error(unreadable_input) with file:line for an invalid line, an unknown or ambiguous
/// switch, a LID of no host, a port that leads to no switch or is repeated, a repeated pair of
/// switch and LID, or a port in two lines for any LID. O(size + fabric).
GroupsFile parse_groups(std::string_view text, std::string_view name, const Fabric& fabric);

/// The groups with these tables; unnamed LIDs and switches have none. Throws Error(mismatch) with
/// file:line if the table port of the LID is not in its line, or if a line for any LID contains the
/// table port of no LID, and the errors of require_arrival().
AdaptiveGroups groups_of_file(const GroupsFile& file, const Fabric& fabric,
                              const ForwardingTables& tables);

}  // namespace pssp
