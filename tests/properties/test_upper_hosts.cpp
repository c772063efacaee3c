// Hosts above the leaves of a tree: a management node may be plugged into a spine, or into a line
// module of a director, if no other port is free.

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "routing/engines/engine.h"
#include "routing/structured_suite/bisection_sample.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/lanes.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables tables_of(const Fabric& fabric, std::string_view engine) {
  return make_engine(engine, EngineOptions::parse(""))->route(fabric).tables;
}

double bandwidth_of(const Fabric& fabric, const ForwardingTables& tables) {
  const OrderedHosts order = order_hosts(fabric, HostOrderRule::name);
  return BisectionSample(fabric, order.hosts, {}).bandwidth(tables);
}

/// Adds hosts above the leaves, with permuted ports and shuffled GUIDs.
Fabric with_upper_hosts(const std::string& spec, int hosts, int seed) {
  return make_fabric(spec + " --permute-ports --shuffle-guids --upper-hosts " +
                     std::to_string(hosts) + " --seed " + std::to_string(seed));
}

}  // namespace

// dmodk, and heal which uses dmodk, also count the missing hosts of a leaf. On 64 hosts this costs
// them up to a sixteenth of the bandwidth, so the test does not check their bandwidth there.
TEST_CASE("one or two hosts above the leaves cost little bandwidth and no second virtual lane") {
  for (const char* const spec :
       {"chic", "k-ary-n-tree 4 3", "xgft 8,8,8 1,4,4", "xgft 24,20 1,16"}) {
    for (const std::string_view engine : {"dmodk", "heal", "best"}) {
      const Fabric whole = make_fabric(spec);
      const double tidy = bandwidth_of(whole, tables_of(whole, engine));
      const bool is_checked = engine == "best" || whole.host_count() > 64;
      for (const auto& [hosts, seed] : {std::pair{1, 3}, std::pair{2, 1}}) {
        INFO(engine << " on " << spec << " with " << hosts << " of them, seed " << seed);
        const Fabric fabric = with_upper_hosts(spec, hosts, seed);
        const ForwardingTables tables = tables_of(fabric, engine);
        if (is_checked) CHECK(bandwidth_of(fabric, tables) >= 0.97 * tidy);
        CHECK(verify_lanes(fabric, tables, level_zero(tables)).is_deadlock_free());
      }
    }
  }
}
