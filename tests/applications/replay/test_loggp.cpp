// Compares the LogGP simulation with times that LogGOPSim computed with its default parameters.

#include <catch2/catch.hpp>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/replay/loggp.h"

namespace pssp {
namespace {

const MessageCosts loggopsim_defaults{.overhead = 1'500'000,
                                      .overhead_per_byte = 0,
                                      .gap = 1'000'000,
                                      .latency = 2'500'000,
                                      .gap_per_byte = 6'000,
                                      .eager = 65535};

ApplicationSize of(std::uint32_t ranks, std::uint64_t bytes) {
  ApplicationSize size;
  size.ranks = ranks;
  size.bytes = bytes;
  return size;
}

ReplayResult replayed(std::string_view name, const ApplicationSize& size) {
  return replay_loggp(Schedule(written(find_application(name).make(size))), loggopsim_defaults);
}
ReplayTime nanoseconds(std::string_view name, const ApplicationSize& size) {
  const ReplayResult result = replayed(name, size);
  CHECK(result.standing_still.empty());
  CHECK(result.time % 1000 == 0);
  return result.time / 1000;
}

ReplayResult replayed_text(std::string_view text) {
  return replay_loggp(Schedule(parse_goal_text(text, "text").ranks), loggopsim_defaults);
}

TEST_CASE("built-in applications take exactly the time that LogGOPSim computes") {
  CHECK(nanoseconds("barrier:dissemination", of(8, 1024)) == 34914);
  CHECK(nanoseconds("bcast:binomial", of(8, 1024)) == 34914);
  CHECK(nanoseconds("allreduce:ring", of(8, 1024)) == 87668);
  CHECK(nanoseconds("allreduce:rabenseifner", of(8, 1024)) == 43716);
  CHECK(nanoseconds("incast", of(8, 1024)) == 57466);
  CHECK(nanoseconds("alltoall:pairwise", of(12, 3000)) == 258434);
  ApplicationSize all_at_once = of(8, 1024);
  all_at_once.window = 7;
  CHECK(nanoseconds("alltoall:linear", all_at_once) == 81466);
  CHECK(nanoseconds("alltoall:bruck", of(13, 500)) == 87976);
  CHECK(nanoseconds("incast", of(9, 4000)) == 207952);
  CHECK(nanoseconds("allreduce:rabenseifner", of(12, 1'000'000)) == 25545446);
}

TEST_CASE("a broadcast ends at each rank at the time that LogGOPSim computes") {
  std::vector<ReplayTime> ends = replayed("bcast:binomial", of(8, 1024)).rank_ends;
  std::ranges::sort(ends);
  CHECK(ends == std::vector<ReplayTime>{15776000, 20276000, 20276000, 24776000, 25914000, 30414000,
                                        30414000, 34914000});
}

TEST_CASE("a LogGP ping-pong of 1000 bytes takes the expected time") {
  const ReplayResult result = replayed_text(
      "num_ranks 2\n"
      "rank 0 {\n a: send 1000b to 1\n b: recv 1000b from 1\n b requires a\n}\n"
      "rank 1 {\n a: recv 1000b from 0\n b: send 1000b to 0\n b requires a\n}\n");
  CHECK(result.rank_ends == std::vector<ReplayTime>{22988000, 12994000});
}

TEST_CASE("an operation that finds its processor busy keeps its position in the LogGP queue") {
  // Calculated by hand: the first byte occupies rank 1 from 4 us to 5.5 us. The second byte was
  // sent before 5.5 us, so rank 1 receives it before it sends the answer, which the first byte
  // frees. The answer leaves at 7 us and is received at 12.5 us.
  const ReplayResult result = replayed_text(
      "num_ranks 4\nrank 0 {\n send 1b to 1\n}\n"
      "rank 1 {\n a: recv 1b from 0\n recv 1b from 2\n b: send 1b to 3\n b requires a\n}\n"
      "rank 2 {\n a: calc 1\n b: send 1b to 1\n b requires a\n}\n"
      "rank 3 {\n recv 1b from 1\n}\n");
  CHECK(result.rank_ends == std::vector<ReplayTime>{1500000, 8500000, 1501000, 12500000});
}

TEST_CASE("the LogGP simulation names an operation that waits for a message that never arrives") {
  const ReplayResult result = replayed_text(
      "num_ranks 2\nrank 0 {\n a: recv 8b from 1 tag 3\n b: calc 5\n b requires a\n}\n"
      "rank 1 {\n send 8b to 0 tag 4\n}\n");
  CHECK(result.standing_still == std::vector<std::string>{"rank 0: receive 8 bytes from 1 tag 3"});
  CHECK(result.operations == 1);
}

}  // namespace
}  // namespace pssp
