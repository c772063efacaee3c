#include "tools/eval_lft/question_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pssp {

/// Messages identify an option by its first long name.
void QuestionLine::note(const Position& place, const std::string& names) {
  const std::size_t begin = names.find("--");
  const std::size_t end = names.find(',', begin);
  placed_.push_back({names.substr(begin, end - begin), place.questions, place.elsewhere});
}

void QuestionLine::refuse_useless(Question asked) const {
  for (const Placed& each : placed_) {
    if (!line_.given(each.name) || std::ranges::count(each.questions, asked) != 0) continue;
    throw Error(ErrorKind::usage, fmt::format("{} {}", each.name, each.elsewhere));
  }
}

}  // namespace pssp
