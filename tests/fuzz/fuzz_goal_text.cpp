// GOAL texts: a schedule of at most 1000 ranks must be the same after it is written and read again,
// and is simulated.

#include "applications/formats/goal_text.h"
#include "applications/replay/loggp.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_goal_text(std::string_view input) {
  GoalText goal = parse_goal_text(input, "input");
  for (const std::string& warning : goal.warnings) require_message(warning);
  constexpr std::size_t quick = 1000;
  if (goal.ranks.size() > quick) return;
  const Schedule schedule(goal.ranks);
  std::string text;
  write_goal_text(schedule, [&](std::string_view part) { text += part; });
  const GoalText again = parse_goal_text(text, "again");
  require(again.ranks.size() == goal.ranks.size(), "writing a schedule loses ranks");
  for (std::size_t r = 0; r < goal.ranks.size(); ++r) {
    require(again.ranks[r].operations == goal.ranks[r].operations,
            "writing a schedule changes operations");
    require(again.ranks[r].dependencies.size() == goal.ranks[r].dependencies.size(),
            "writing a schedule loses dependencies");
  }
  for (const std::string& waiting : replay_loggp(schedule, {}).standing_still) {
    require_message(waiting);
  }
}

}  // namespace pssp::test
