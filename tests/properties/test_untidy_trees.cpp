// Numbers of ports and GUIDs say nothing of a tree: where they are in no order, tables are as good
// as where they follow the structure. Both fabrics have the same cables between hosts and switches
// of the same names, so traffic is compared between the same hosts.

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <string_view>

#include "routing/engines/engine.h"
#include "routing/portfolio/bisection_sample.h"
#include "routing/portfolio/portfolio.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

struct Figures {
  double bandwidth, slowdown;
};

/// Of bisections and structured traffic of hosts in the order of their names.
Figures figures(const std::string& spec, std::string_view engine) {
  const Fabric fabric = make_fabric(spec);
  const ForwardingTables tables =
      make_engine(engine, EngineOptions::parse(""))->route(fabric).tables;
  const OrderedHosts hosts = order_hosts(fabric, HostOrderRule::name);
  return {
      BisectionSample(fabric, hosts.hosts, {}).bandwidth(tables),
      Portfolio(fabric, hosts, false, Portfolio::Extent::summary).measure(tables).without_rails};
}

std::string untidy(std::string_view spec, int seed) {
  return std::string(spec) + " --permute-ports --shuffle-guids --seed " + std::to_string(seed);
}

constexpr std::array engines{"pssp", "dmodk", "heal", "best"};

}  // namespace

TEST_CASE("complete trees have equal tables whatever their ports and GUIDs are") {
  for (const char* const spec :
       {"chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 4 3", "xgft 24,20 1,16"}) {
    for (const char* const engine : engines) {
      const Figures tidy = figures(spec, engine);
      for (const int seed : {1, 2}) {
        INFO(engine << " on " << untidy(spec, seed));
        const Figures now = figures(untidy(spec, seed), engine);
        CHECK(now.bandwidth == Approx(tidy.bandwidth).epsilon(1e-9));
        CHECK(now.slowdown == Approx(tidy.slowdown).epsilon(1e-9));
      }
    }
  }
}

// Which of several equal switches is counted first hangs on GUIDs, so that a fault does not change
// it; but on a damaged tree they are not equal any more, and some seeds have more luck than others.
TEST_CASE("damaged trees have tables as good on average whatever their ports and GUIDs are") {
  for (const char* const engine : {"heal", "best"}) {
    double product = 1;
    int compared = 0;
    for (const char* const spec :
         {"chic --kill-links 20", "chic --kill-switches 4", "xgft 8,8,8 1,4,4 --kill-links 20",
          "k-ary-n-tree 4 3 --kill-links 20", "xgft 24,20 1,16 --kill-links 12"}) {
      for (const int seed : {1, 2}) {
        INFO(engine << " on " << untidy(spec, seed));
        const Figures tidy = figures(std::string(spec) + " --seed " + std::to_string(seed), engine);
        const Figures now = figures(untidy(spec, seed), engine);
        CHECK(now.bandwidth >= 0.98 * tidy.bandwidth);
        CHECK(now.slowdown <= 1.1 * tidy.slowdown);
        product *= now.slowdown / tidy.slowdown;
        ++compared;
      }
    }
    CHECK(std::pow(product, 1.0 / compared) <= 1.02);
  }
}
