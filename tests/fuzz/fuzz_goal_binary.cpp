// Binary GOAL files: the schedule must be the same after it is written as text and read again, and
// is simulated.

#include "applications/formats/goal_binary.h"
#include "applications/formats/goal_text.h"
#include "applications/replay/loggp.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_goal_binary(std::string_view input) {
  const std::vector<RankSchedule> ranks = parse_goal_binary(input, "input");
  const Schedule schedule(ranks);
  std::string text;
  write_goal_text(schedule, [&](std::string_view part) { text += part; });
  const GoalText again = parse_goal_text(text, "again");
  require(again.ranks.size() == ranks.size(), "writing a binary schedule as text loses ranks");
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    require(again.ranks[r].operations == ranks[r].operations,
            "writing a binary schedule as text changes operations");
  }
  for (const std::string& waiting : replay_loggp(schedule, {}).standing_still) {
    require_message(waiting);
  }
}

}  // namespace pssp::test
