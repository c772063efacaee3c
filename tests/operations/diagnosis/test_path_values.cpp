// Compares values of paths with sums over the links from FlowAlternatives::append().

#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "operations/diagnosis/path_values.h"
#include "routing/engines/engine.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("diagnosis: the value of a path counts channels with the same flows as one channel") {
  const auto simulated =
      diagnosed_fabric("xgft 4,3,2 1,2,3 --permute-ports --kill-links 3", "pssp");
  const FlowAlternatives& alternatives = *simulated->alternatives;
  RandomGenerator random = random_stream(7, 1, 0);
  std::vector<double> weight;
  std::vector<std::uint64_t> crossed_by;
  for (std::uint32_t c = 0; c < alternatives.channel_count(); ++c) {
    // Multiples of 1/64, so that sums are exact in single and double precision.
    weight.push_back(static_cast<double>(1 + random.below(64)) / 64);
    crossed_by.push_back(random.below(3));
  }
  PathValues values(alternatives);
  for (std::uint32_t from = 0; from < alternatives.endpoint_count(); ++from) {
    for (std::uint32_t to = 0; to < alternatives.endpoint_count(); ++to) {
      if (from == to) continue;
      CHECK(values.value(alternatives.row_of(from), to) < 0);
      if (to % 2 == 0) values.open(alternatives.row_of(from), to, weight, crossed_by);
      std::vector<std::uint32_t> links;
      REQUIRE(alternatives.append({from, to}, links));
      double sum = 0;
      for (std::size_t i = 1; i + 1 < links.size(); ++i) {
        const std::uint64_t print = crossed_by[links[i]];
        const bool again = i > 1 && print != 0 && print == crossed_by[links[i - 1]];
        if (!again) sum += weight[links[i]];
      }
      CHECK(static_cast<double>(values.value(alternatives.row_of(from), to)) ==
            (to % 2 == 0 ? sum : -1));
      values.close(alternatives.row_of(from), to);
    }
  }
}

TEST_CASE("diagnosis: a path that does not exist stays closed") {
  const Fabric fabric = make_fabric("xgft 3,3 1,2 --lids");
  ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const Lid lost = fabric.end_port(fabric.endpoints()[0]).lid;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) tables.set(SwitchId(s), lost, no_port);
  const FlowAlternatives alternatives(fabric, tables);
  PathValues values(alternatives);
  const std::vector<double> weight(alternatives.channel_count(), 1.0);
  const std::vector<std::uint64_t> nobody(alternatives.channel_count(), 0);
  const std::uint32_t last = alternatives.endpoint_count() - 1;
  values.open(alternatives.row_of(last), 0, weight, nobody);
  CHECK(values.value(alternatives.row_of(last), 0) < 0);
  values.open(alternatives.row_of(0), last, weight, nobody);
  CHECK(values.value(alternatives.row_of(0), last) > 0);
}
