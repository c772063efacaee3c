#pragma once

// The beginnings of lines in forwarding table dumps, for the reader of dumps and for
// content_kind.cpp, which recognizes dumps by their lines.

#include <string_view>

namespace pssp {

/// The header of a switch's table in the output of dump_fts and in opensm-lfts.dump, and that of
/// dump_fts -M.
inline constexpr std::string_view lft_header = "Unicast lids [";
inline constexpr std::string_view multicast_header = "Multicast mlids";
/// Removes `dump_ucast_routes: Switch ` from the front of a line of opensm.fdbs, including the
/// prefix of the function name in older programs.
bool take_fdbs_header(std::string_view& line);

}  // namespace pssp
