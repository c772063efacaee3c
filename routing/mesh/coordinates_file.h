#pragma once

// Reader of files that state the coordinates of switches in a mesh or torus
// (docs/reference/engines/meshdor.md):
//
//   # comment
//   dimensions 5 5t                  optional: sizes, t for a torus dimension
//   0x00000000002000a1       0 0     one line per switch: node GUID, name or description,
//   S00002                   0 1     then the coordinates
//   "leaf 3 of rack B"       0 2

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// One switch in the file.
struct StatedCoordinates {
  std::string text;                        ///< GUID, name or description, without quotes
  bool quoted = false;                     ///< a text in quotes is never a GUID
  std::vector<std::uint32_t> coordinates;  ///< may start at any number
  std::size_t line = 0;
};

/// One dimension of the header line.
struct StatedDimension {
  std::uint32_t size = 0;
  bool torus = false;
};

struct CoordinatesFile {
  std::string name;
  std::size_t dimension_count = 0;
  std::vector<StatedDimension> dimensions;  ///< empty if the file has no header line
  std::size_t header_line = 0;
  std::vector<StatedCoordinates> switches;  ///< at least one; each with dimension_count coordinates
};

/// Throws Error(unreadable_input) with file:line, also if the file is not a regular file: the
/// engine that reads the file may run inside opensm, which must not wait for a pipe.
CoordinatesFile read_coordinates(const std::filesystem::path& path);
CoordinatesFile parse_coordinates(std::string_view text, std::string_view name);

/// The switch of each line, by GUID, or else by name, or else by description; invalid if there is
/// no such switch, for example because the switch is down. Throws Error(mismatch) with file:line if
/// a line matches several switches, if two lines match one switch, or if no line matches a switch.
/// Also throws it if a switch with links to other switches has no line, which detects wrong names.
std::vector<SwitchId> match_coordinates(const CoordinatesFile& file, const Fabric& fabric);

}  // namespace pssp
