#pragma once

// Reader of forwarding table dumps: dump_fts / dump_lfts (infiniband-diags), opensm-lfts.dump and
// the input of `opensm -R file -U FILE` (one notation), and opensm.fdbs. The kind is recognised
// from the content.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "routing/fabric/ids.h"

namespace pssp {

enum class LftFormat : std::uint8_t { dump_fts, opensm_lfts, opensm_fdbs };

struct LftEntry {
  Lid lid = no_lid;
  PortNumber port = no_port;
};

/// One switch's table as the file states it. What the file does not say is 0 or empty.
struct LftSwitch {
  Guid guid = 0;
  Lid lid = no_lid;
  std::string description;
  std::vector<LftEntry> entries;
  std::size_t line = 0;  ///< where it begins, for messages
};

/// What a comment behind an entry says of the owner of the LID.
struct LftDestination {
  Lid lid = no_lid;
  Guid port_guid = 0;
  bool is_switch = false;
  std::string description;
};

struct LftFile {
  std::string name;
  LftFormat format = LftFormat::dump_fts;
  std::vector<LftSwitch> switches;
  std::vector<LftDestination> destinations;  ///< ascending by LID, each LID once
  /// Highest LID of the dump where dump_fts 44.0 lost its entries, so that its owner looks
  /// unreachable; else no_lid.
  Lid lost_lid = no_lid;
  std::vector<std::string> warnings;  ///< e.g. the lost last LID of dump_fts 44.0 (FACTS)
};

/// Throws Error(unreadable_input) with file:line.
LftFile read_lft(const std::filesystem::path& path);
LftFile parse_lft(std::string_view text, std::string_view name);

}  // namespace pssp
