// Text is read part by part. A binary file is read completely, because a table of ranks precedes
// its parts.

#include "applications/formats/goal_file.h"

#include "applications/formats/goal_binary.h"
#include "base/text_lines.h"

namespace pssp {

GoalText read_goal_file(const std::filesystem::path& path) {
  constexpr std::size_t of_cookie = 8;
  FileReader file(path);
  if (is_goal_binary(file.peek(of_cookie))) {
    return {parse_goal_binary(read_file(file), file.name()), {}};
  }
  TextLines lines(file, file.name());
  return parse_goal_text(lines);
}

}  // namespace pssp
