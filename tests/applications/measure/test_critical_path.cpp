// Checks that the parts of a critical path add up to the total time and that its segments are
// contiguous, and compares some paths with values calculated by hand.

#include <catch2/catch.hpp>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/measure/critical_path.h"
#include "applications/replay/network_replay.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

const Fabric& tree() {
  static const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  return fabric;
}
const ForwardingTables& tables() {
  static const Routing routing = make_engine("pssp", {})->route(tree());
  return routing.tables;
}
RankPlacement all_hosts() { return {{tree().endpoints().begin(), tree().endpoints().end()}}; }

ReplayTime part(const CriticalPath& path, PathPart which) {
  return path.parts[static_cast<std::size_t>(which)];
}

CriticalPath checked_path(const Schedule& schedule, const MessageCosts& costs,
                          LinkSharing sharing = LinkSharing::equal) {
  ReplayRecord record;
  NetworkReplayOptions options;
  options.record = &record;
  const ReplayResult result =
      replay_on_links(schedule, costs, tree(), &tables(), all_hosts(), sharing, {}, options);
  REQUIRE(result.standing_still.empty());
  CriticalPath path = critical_path(schedule, record);
  ReplayTime sum = 0;
  for (const ReplayTime each : path.parts) sum += each;
  CHECK(sum == result.time);
  ReplayTime at = 0;
  for (const PathSegment& segment : path.segments) {
    CHECK(segment.begin == at);
    CHECK(segment.end > segment.begin);
    at = segment.end;
  }
  CHECK(at == result.time);
  return path;
}

TEST_CASE("the parts of the critical path add up to the total time for every application") {
  for (const ApplicationDescription* const application : applications()) {
    for (const std::uint64_t eager : {std::uint64_t{0}, std::uint64_t{1} << 40U}) {
      for (const ReplayTime gap : {ReplayTime{0}, ReplayTime{3'000'000}}) {
        CAPTURE(application->name, eager, gap);
        ApplicationSize size;
        size.ranks = 12;
        size.bytes = 70'000;
        size.iterations = 2;
        size.window = 3;
        size.compute_ns = 2'000;
        size.grid = {3, 2, 2};
        size.pattern = "neighbor2d";
        size.training = {3, 4, 50'000, 3'000, 1};
        MessageCosts costs;
        costs.eager = eager;
        costs.gap = gap;
        const Schedule schedule(written(application->make(size)));
        checked_path(schedule, costs);
        checked_path(schedule, costs, LinkSharing::max_min);
      }
    }
  }
}

TEST_CASE("the critical path of a rendezvous message matches values calculated by hand") {
  const Schedule schedule(
      parse_goal_text("num_ranks 2\nrank 0 {\n a: calc 1000\n b: send 400000b to 1\n"
                      " b requires a\n}\nrank 1 {\n recv 400000b from 0\n}\n",
                      "text")
          .ranks);
  const CriticalPath path = checked_path(schedule, {});
  CHECK(part(path, PathPart::computing) == 1'000'000);
  CHECK(part(path, PathPart::overhead) == 1'000'000);
  // Envelope, answer and data each cross two links and a switch: both hosts are on one leaf.
  CHECK(part(path, PathPart::latency) == ReplayTime{3} * (700'000 + 110'000));
  CHECK(part(path, PathPart::wire) == 100'000'000);
  CHECK(part(path, PathPart::congestion) == 0);
  CHECK(path.messages == std::vector<std::uint32_t>{1});
}

TEST_CASE("the critical path counts time lost to other messages on a link as congestion") {
  // Three messages to one rank; each would take 100 us alone.
  const Schedule schedule(
      parse_goal_text("num_ranks 4\nrank 0 {\n recv 400000b from 1\n recv 400000b from 2\n"
                      " recv 400000b from 3\n}\nrank 1 {\n send 400000b to 0\n}\n"
                      "rank 2 {\n send 400000b to 0\n}\nrank 3 {\n send 400000b to 0\n}\n",
                      "text")
          .ranks);
  MessageCosts costs;
  costs.eager = 1U << 30U;
  const CriticalPath path = checked_path(schedule, costs);
  CHECK(part(path, PathPart::wire) == 100'000'000);
  CHECK(part(path, PathPart::congestion) == 200'000'000);
  // One o for the send and three for the receives, one after the other.
  CHECK(part(path, PathPart::overhead) == 2'000'000);
}

TEST_CASE("a rank that starts later waits on the critical path") {
  const Schedule schedule(
      parse_goal_text("num_ranks 2\nrank 0 {\n calc 1000\n}\nrank 1 {\n calc 10\n}\n", "text")
          .ranks);
  ReplayRecord record;
  NetworkReplayOptions options;
  options.record = &record;
  options.starts = {0, 5'000'000};
  const ReplayResult result = replay_on_links(schedule, {}, tree(), &tables(), all_hosts(),
                                              LinkSharing::equal, {}, options);
  CHECK(result.time == 5'010'000);
  const CriticalPath path = critical_path(schedule, record);
  CHECK(part(path, PathPart::waiting) == 5'000'000);
  CHECK(part(path, PathPart::computing) == 10'000);
}

}  // namespace
}  // namespace pssp
