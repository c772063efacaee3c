#include "fabric/formats/lft_lines.h"

#include <algorithm>

namespace pssp {

bool take_fdbs_header(std::string_view& line) {
  constexpr std::string_view header = "dump_ucast_routes: Switch ";
  const std::size_t at = line.find(header);
  const std::string_view function = line.substr(0, std::min(at, line.size()));
  const bool is_header = at != std::string_view::npos &&
                         std::all_of(function.begin(), function.end(),
                                     [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
  if (is_header) line.remove_prefix(at + header.size());
  return is_header;
}

}  // namespace pssp
