#pragma once

// How the lines of forwarding table dumps begin. Used by the reader of dumps, and by
// content_kind.cpp, which tells a dump by its lines.

#include <string_view>

namespace pssp {

/// The head of a switch's table in the output of dump_fts and in opensm-lfts.dump, and that of
/// dump_fts -M.
inline constexpr std::string_view lft_header = "Unicast lids [";
inline constexpr std::string_view multicast_header = "Multicast mlids";
/// Removes `dump_ucast_routes: Switch ` from the front of a line of opensm.fdbs, with what older
/// programs put before it in the name of their function.
bool take_fdbs_header(std::string_view& line);

}  // namespace pssp
