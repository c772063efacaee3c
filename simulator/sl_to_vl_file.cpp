// opensm dumps a table per port; the simulator uses one table for all ports, as in the report of a
// plan. So the file contains only sixteen numbers, like the rows of such a dump.

#include "simulator/sl_to_vl_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/tables/service_levels.h"
#include "simulator/values.h"

namespace pssp {

std::vector<std::uint8_t> parse_sl_to_vl(std::string_view text, const std::string& name) {
  std::vector<std::uint8_t> lanes;
  TextLines lines(text, name);
  while (lines.next()) {
    std::string_view rest = lines.line().substr(0, lines.line().find('#'));
    while (!(rest = without_indent(rest)).empty()) {
      const std::string_view word = take_word(rest);
      try {
        lanes.push_back(
            static_cast<std::uint8_t>(read_count(word, "a lane", 0, max_data_lanes - 1)));
      } catch (const Error& error) {
        lines.fail(error.what());
      }
    }
  }
  if (lanes.size() != service_level_count) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: {} lanes; expected {}, one for each service level", name,
                            lanes.size(), service_level_count));
  }
  return lanes;
}

std::vector<std::uint8_t> read_sl_to_vl(const std::string& file) {
  constexpr std::size_t limit = 4096;
  return parse_sl_to_vl(read_file(file, limit), file);
}

}  // namespace pssp
