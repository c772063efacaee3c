// Checks that operations generated on demand give the same simulation as the written schedule, and
// that only operations in progress are held in memory.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "applications/generators/applications.h"
#include "applications/networks/flow_network.h"
#include "applications/replay/application_source.h"
#include "applications/replay/network_replay.h"
#include "base/random.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

const Fabric& fabric_of_source() {
  static const Fabric fabric = make_fabric("k-ary-n-tree 3 3");
  return fabric;
}

/// Twelve ranks on random hosts, each with two end ports.
RankPlacement positions_by_chance(std::uint64_t seed) {
  std::vector<EndPortId> hosts(fabric_of_source().endpoints().begin(),
                               fabric_of_source().endpoints().end());
  RandomGenerator random = random_stream(seed, 1, 2);
  shuffle(hosts, random);
  RankPlacement positions;
  for (std::uint32_t r = 0; r < 12; ++r) {
    positions.hosts.push_back(hosts[2 * r]);
    positions.adapters.push_back({hosts[2 * r], hosts[2 * r + 1]});
  }
  return positions;
}

ApplicationSize every_size(std::uint64_t bytes) {
  ApplicationSize size;
  size.ranks = 12;
  size.bytes = bytes;
  size.iterations = 3;
  size.window = 5;
  size.compute_ns = 2'000;
  size.grid = {3, 2, 2};
  size.pattern = "rand";
  size.barrier = true;
  size.training = {3, 4, 50'000, 3'000, 2};
  return size;
}

TEST_CASE(
    "generated operations give the same simulation as the written schedule of every application") {
  const Routing routing = make_engine("pssp", {})->route(fabric_of_source());
  for (const ApplicationDescription* const each : applications()) {
    for (const std::uint64_t bytes : {1U, 20'000U}) {
      for (const std::uint64_t eager : {std::uint64_t{0}, std::uint64_t{1} << 40U}) {
        for (const LinkSharing sharing : {LinkSharing::equal, LinkSharing::max_min}) {
          for (const ReplayTime latency : {ReplayTime{0}, ReplayTime{700'000}}) {
            CAPTURE(each->name, bytes, eager, latency);
            const Application application = each->make(every_size(bytes));
            MessageCosts costs;
            costs.eager = eager;
            costs.latency = latency;
            costs.gap = 300'000;
            const RankPlacement positions = positions_by_chance(bytes + eager);
            FlowNetwork first(fabric_of_source(), &routing.tables, {}, sharing);
            const ReplayResult made =
                replay_on_network(application, extent_of(application), costs, first, positions);
            FlowNetwork second(fabric_of_source(), &routing.tables, {}, sharing);
            const ReplayResult read =
                replay_on_network(Schedule(written(application)), costs, second, positions);
            CHECK(made.standing_still.empty());
            CHECK(made.operations == read.operations);
            CHECK(made.rank_ends == read.rank_ends);
            CHECK(made.eager_together == read.eager_together);
            CHECK(std::ranges::equal(first.link_bytes(), second.link_bytes()));
          }
        }
      }
    }
  }
}

TEST_CASE("the extent of an application matches its written schedule") {
  for (const ApplicationDescription* const each : applications()) {
    CAPTURE(each->name);
    const Application application = each->make(every_size(1001));
    const ApplicationExtent extent = extent_of(application);
    std::size_t dependencies = 0;
    const std::vector<RankSchedule> ranks = written(application);
    for (const RankSchedule& rank : ranks) dependencies += rank.dependencies.size();
    const Schedule schedule(ranks);
    CHECK(extent.operations == schedule.operation_count());
    CHECK(extent.dependencies == dependencies);
    CHECK(extent.messages == schedule.message_count());
    CHECK(extent.bytes == schedule.byte_count());
    CHECK(extent.received == schedule.byte_count());
    CHECK(extent.adapter == (each->name == "train" ? 1 : 0));
  }
}

TEST_CASE("an all-to-all holds two operations of each rank in memory") {
  ApplicationSize size;
  size.ranks = 50;
  const Application application = find_application("alltoall:pairwise").make(size);
  ApplicationSource source(application);
  std::vector<std::uint32_t> free;
  source.first(free);
  std::uint32_t most = 0;
  std::size_t count = 0;
  while (!free.empty()) {
    const std::uint32_t number = free.back();
    free.pop_back();
    most = std::max(most, number);
    ++count;
    source.ended(number, free);
    source.forget(number);
  }
  CHECK(count == 2 * 50 * 49);
  // An operation is forgotten only after the operations that it frees are generated.
  CHECK(most < 2 * 50 + 2);
  CHECK(source.waiting(10).empty());
}

TEST_CASE("operations that wait are named by rank and in order") {
  ApplicationSize size;
  size.ranks = 4;
  size.bytes = 7;
  const Application application = find_application("bcast:binomial").make(size);
  ApplicationSource source(application);
  std::vector<std::uint32_t> free;
  source.first(free);
  CHECK(source.waiting(2) == std::vector<std::string>{"rank 0: send 7 bytes to 2 tag 0",
                                                      "rank 0: send 7 bytes to 1 tag 0"});
  CHECK(source.waiting(10).size() == 5);
}

}  // namespace
}  // namespace pssp
