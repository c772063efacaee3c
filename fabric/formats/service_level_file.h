#pragma once

// Writes and reads dumps of service levels. One line per source switch, one hexadecimal digit per
// LID:
//
//   # comment
//   service-levels max-lid 8             highest LID
//   0x0000000000200000 .01010.11         node GUID, levels to LID 0, 1, 2 ...; '.' is no route
//   0x0000000000200001 .00110.10
//   2 switches                           the end

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_io.h"
#include "fabric/fabric.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// The levels of one source switch in the file.
struct StatedServiceLevels {
  Guid guid = 0;
  std::vector<ServiceLevel> levels;  ///< by LID, 0 .. max_lid; no_service_level: no route
  std::size_t line = 0;
};

struct ServiceLevelFile {
  std::string name;
  Lid max_lid = no_lid;
  std::vector<StatedServiceLevels> switches;
};

/// Throws Error(unreadable_input) with file:line, also if the end is missing.
ServiceLevelFile read_service_levels(const std::filesystem::path& path);
/// The same for text in memory; `name` stands for the file in messages.
ServiceLevelFile parse_service_levels(std::string_view text, std::string_view name);

/// Throws Error(mismatch) with file:line if the switches of the file and the fabric differ, or if
/// the file's highest LID is not the fabric's.
ServiceLevels match_service_levels(const ServiceLevelFile& file, const Fabric& fabric);

/// The beginning of every dump.
inline constexpr std::string_view service_level_mark =
    "# One line a source switch, one hexadecimal digit a LID from 0 on; ";

/// Passes the dump to `sink` switch by switch.
void write_service_levels(const Fabric& fabric, const ServiceLevels& levels,
                          const ContentSink& sink);

}  // namespace pssp
