#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/error.h"
#include "simulator/traffic/pattern_traffic.h"

using namespace pssp;

TEST_CASE("pattern traffic among selected hosts maps ranks to these hosts") {
  const std::vector<std::uint32_t> ranks{7, 3, 5};
  const auto rounds = pattern_rounds("ring", ranks, 1);
  REQUIRE(rounds.size() == 3);
  CHECK(rounds[0] == std::vector<Flow>{{7, 3}});
  CHECK(rounds[2] == std::vector<Flow>{{5, 7}});
  CHECK(pattern_rounds("null", ranks, 1).empty());
  CHECK_THROWS_AS(pattern_rounds("nonesuch", ranks, 1), Error);
}

TEST_CASE("pattern traffic is complete if it is larger than one block of flows") {
  const std::vector<std::uint32_t> ranks = random_rank_order(300, 1);
  const auto rounds = pattern_rounds("all_to_all", ranks, 1);
  REQUIRE(rounds.size() == 1);
  CHECK(rounds[0].size() == 300 * 299);
}

TEST_CASE("an incast has distinct senders and one receiver") {
  const std::vector<StaticFlow> flows = incast(10, 9, 3);
  REQUIRE(flows.size() == 9);
  std::set<std::uint32_t> senders;
  for (const StaticFlow& flow : flows) {
    senders.insert(flow.hosts.source);
    CHECK(flow.hosts.destination == flows[0].hosts.destination);
  }
  CHECK(senders.size() == 9);
  CHECK_FALSE(senders.contains(flows[0].hosts.destination));
  CHECK_THROWS_AS(incast(10, 10, 1), Error);
  CHECK_THROWS_AS(incast(0, 1, 1), Error);
}

TEST_CASE("busiest_host_bytes adds up the bytes of the busiest host in each round") {
  RoundTraffic rounds;
  rounds.bytes = 10;
  rounds.rounds = {{{0, 1}, {2, 1}}, {{1, 0}}};
  CHECK(busiest_host_bytes(rounds, 3) == 30);
}
