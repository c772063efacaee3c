// Tests GOAL text: accepted syntax, errors with line numbers, and round trips.

#include <catch2/catch.hpp>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/replay/loggp.h"
#include "base/error.h"

namespace pssp {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_goal_text(text, "f");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return "taken";
}
std::string goal_text(const Schedule& schedule) {
  std::string text;
  write_goal_text(schedule, [&](std::string_view part) { text += part; });
  return text;
}

TEST_CASE("GOAL text may contain all types of statements, comments and blanks") {
  const GoalText goal = parse_goal_text(
      "/* a comment\n over lines */ num_ranks 4 // and one to the end\n"
      "rank 2 {\n"
      "  a: calc 100 cpu 1\n"
      "b : send 10b to 1 tag 7 cpu 2 nic 3\n"
      "recv 20 b from -1 tag -1\n"
      "b requires a\n b irequires a\n"
      "}rank 0{ calc 5 }\n",
      "f");
  REQUIRE(goal.ranks.size() == 4);
  CHECK(goal.ranks[2].operations ==
        std::vector<Operation>{{OperationKind::compute, 1, 0, 0, 0, 100},
                               {OperationKind::send, 2, 3, 1, 7, 10},
                               {OperationKind::receive, 0, 0, any_rank, any_tag, 20}});
  CHECK(goal.ranks[2].dependencies == std::vector<Dependency>{{0, 1, false}, {0, 1, true}});
  CHECK(goal.ranks[0].operations.size() == 1);
  REQUIRE(goal.warnings.size() == 1);
  CHECK(goal.warnings[0].find("2 of 4 ranks") != std::string::npos);
  CHECK(goal.warnings[0].find("rank 1") != std::string::npos);
}

TEST_CASE("malformed GOAL text is refused with the line number") {
  const auto refused = [](const std::string& text, const std::string& with) {
    const std::string message = refusal(text);
    INFO(text << " -> " << message);
    CHECK(message.find(with) != std::string::npos);
  };
  const std::string two = "num_ranks 2\nrank 0 {\n";
  refused("", "num_ranks");
  refused("rank 0 {\n}\n", "f:1: found 'rank'; expected 'num_ranks'");
  refused("num_ranks 0\n", "f:1: num_ranks is 0");
  refused("num_ranks 1000001\n",
          "f:1: found '1000001'; expected the number of ranks, 0 .. 1000000");
  refused(two, "the '}' of the last rank is missing");
  refused(two + "}\nrank 0 {\n}\n", "f:4: rank 0 is already described");
  refused(two + "}\nrank 2 {\n}\n", "f:4: found '2'; expected a rank, 0 .. 1");
  refused(two + "}\nmore\n", "f:4: found 'more'; expected 'rank'");
  refused(two + "jump 5\n}\n", "f:3: found 'jump'; expected calc, send, recv");
  refused(two + "send 5b to 2\n}\n", "f:3: found '2'; expected a rank, 0 .. 1");
  refused(two + "send 5b to 9999999\n}\n", "f:3");
  refused(two + "send 5 to 1\n}\n", "f:3: found 'to'; expected 'b'");
  refused(two + "send 9223372036854775809b to 1\n}\n", "f:3");
  refused(two + "send 99999999999999999999b to 1\n}\n", "f:3");
  refused(two + "send 5b to -1\n}\n", "f:3");
  refused(two + "calc 5 tag 3\n}\n", "f:3: found 'tag'; expected the end of the line");
  refused(two + "calc 5 cpu 256\n}\n", "f:3: found '256'; expected a processor, 0 .. 255");
  refused(two + "a: calc 5\na: calc 6\n}\n",
          "f:4: found 'a'; expected a label that is not yet set");
  refused(two + "a: calc 5\na requires b\n}\n",
          "f:4: found 'b'; expected a label that this rank has already set");
  refused(two + "1a: calc 5\n}\n", "f:3: found '1a'; expected a label:");
  refused(two + "calc\n}\n", "f:3: found the end of the line; expected nanoseconds");
  refused(two + "}\n/* never ended\n", "does not end with */");
}

TEST_CASE("GOAL text that is truncated anywhere is accepted or refused with an error") {
  ApplicationSize size;
  size.ranks = 3;
  size.bytes = 10;
  const std::string text =
      goal_text(Schedule(written(find_application("bcast:binomial").make(size))));
  for (std::size_t end = 0; end < text.size() - 2; ++end) {
    // Text that ends after the closing brace of a rank is accepted, with a warning about missing
    // ranks.
    const std::string message = refusal(text.substr(0, end));
    const bool is_cut_between_ranks = message == "taken";
    CHECK((!is_cut_between_ranks ||
           text.substr(0, end).find_last_not_of('\n') == text.substr(0, end).rfind('}') ||
           text.substr(0, end).find("rank 0") == std::string::npos));
  }
}

TEST_CASE("every application survives a round trip through GOAL text and takes the same time") {
  for (const ApplicationDescription* const application : applications()) {
    CAPTURE(application->name);
    ApplicationSize size;
    size.ranks = 6;
    size.bytes = 100'001;
    size.iterations = 2;
    size.window = 2;
    size.compute_ns = 77;
    size.grid = {3, 2, 1};
    size.pattern = "tree";
    size.barrier = true;
    size.training = {2, 3, 70'000, 99, 2};
    const Schedule schedule(written(application->make(size)));
    const std::string text = goal_text(schedule);
    const Schedule again(parse_goal_text(text, "f").ranks);
    CHECK(goal_text(again) == text);
    const ReplayResult first = replay_loggp(schedule, {});
    CHECK(first.time > 0);
    CHECK(first.standing_still.empty());
    CHECK(replay_loggp(again, {}).rank_ends == first.rank_ends);
  }
}

TEST_CASE("a schedule with cyclic dependencies is refused and an operation of the cycle is named") {
  const GoalText goal = parse_goal_text(
      "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\n"
      "b requires a\nb requires c\nc irequires b\n}\n",
      "f");
  try {
    const Schedule schedule(goal.ranks);
    FAIL("taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::verification_failed);
    CHECK(std::string(error.what()).find("operation 1 of rank 0: compute 2 ns") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace pssp
