// What reads such an answer takes the first line and the status, and what follows a '|' for
// figures. The statuses of docs/reference/exit-codes.md mean other things to it, so that none of
// them is returned: 8 (not written) would be beyond its table, and is UNKNOWN.

#include "tools/kit/plugin_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace pssp {

std::string plugin_line(std::string_view subject, PluginStatus status, std::string text) {
  constexpr std::array<std::string_view, 4> words{"OK", "WARNING", "CRITICAL", "UNKNOWN"};
  std::ranges::replace(text, '|', '/');
  std::ranges::replace(text, '\n', ' ');
  return fmt::format("{} {} - {}\n", subject, words.at(static_cast<std::size_t>(status)), text);
}

int answer_as_plugin(const Report& report, const std::string& file, PluginStatus status,
                     std::string_view line) {
  try {
    write_file(file, line);
    return static_cast<int>(status);
  } catch (const Error& error) {
    report.print_line(error.what());
    return static_cast<int>(PluginStatus::unknown);
  }
}

}  // namespace pssp
