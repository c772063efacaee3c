// Compares upper bounds of the effective bisection bandwidth with all tables of tiny fabrics, with
// the tables of engines on larger fabrics, and with values calculated by hand.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/ceiling.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// `links[i]`: the two switches that cable i connects; `hosts[s]`: the number of hosts at switch s.
/// The first cable has the rate `rate`; all other cables are 4xSDR.
Fabric small_fabric(const std::vector<std::pair<unsigned, unsigned>>& links,
                    const std::vector<unsigned>& hosts, const char* rate = "4xSDR") {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  std::vector<PortNumber> ports(hosts.size(), 0);
  for (std::size_t s = 0; s < hosts.size(); ++s) {
    switches.push_back(builder.add_switch(0x100 + s, 40, "", ""));
  }
  bool is_first = true;
  for (const auto& [a, b] : links) {
    builder.connect(switches[a], ++ports[a], switches[b], ++ports[b],
                    *parse_link_rate(is_first ? rate : "4xSDR"));
    is_first = false;
  }
  Guid guid = 0x1000;
  for (std::size_t s = 0; s < hosts.size(); ++s) {
    for (unsigned h = 0; h < hosts[s]; ++h) {
      const NodeId host =
          builder.add_adapter(guid += 0x10, 1, EndPortKind::channel_adapter, "", "");
      builder.connect(host, 1, switches[s], ++ports[s], *parse_link_rate("4xSDR"));
    }
  }
  builder.assign_lids();
  return std::move(builder).build();
}

double mean_of(const Fabric& fabric, const ForwardingTables& tables) {
  return effective_bisection_bandwidth(RouteStore(fabric, tables), {.patterns = 400}).mean;
}

/// The largest bandwidth of all possible tables. Every entry for a host at another switch is a
/// digit of a counter that runs through all channels out of the switch.
double best_of_all_tables(const Fabric& fabric) {
  struct Choice {
    SwitchId at;
    Lid lid;
    std::uint32_t first, count;
  };
  std::vector<Choice> choices;
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    const Delivery delivery = fabric.delivery(lid);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const std::uint32_t first = fabric.first_channel()[s];
      if (SwitchId(s) == delivery.at) {
        tables.set(SwitchId(s), lid, delivery.port);
      } else {
        choices.push_back({SwitchId(s), lid, first, fabric.first_channel()[s + 1] - first});
      }
    }
  }
  std::vector<std::uint32_t> digits(choices.size(), 0);
  double best = 0;
  for (bool more = true; more;) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      tables.set(choices[i].at, choices[i].lid,
                 fabric.channel_out_port()[choices[i].first + digits[i]]);
    }
    best = std::max(best, mean_of(fabric, tables));
    more = false;
    for (std::size_t i = 0; i < choices.size() && !more; ++i) {
      more = ++digits[i] < choices[i].count;
      if (!more) digits[i] = 0;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("no tables of a tiny fabric exceed its bandwidth ceilings") {
  const std::vector<Fabric> fabrics = [] {
    std::vector<Fabric> made;
    made.push_back(small_fabric({{0, 1}, {0, 1}}, {2, 2}));
    made.push_back(small_fabric({{0, 1}, {0, 1}}, {3, 2}));
    made.push_back(small_fabric({{0, 1}, {0, 1}}, {3, 2}, "4xDDR"));
    made.push_back(small_fabric({{0, 1}, {1, 2}, {2, 0}}, {2, 1, 1}));
    return made;
  }();
  for (const Fabric& fabric : fabrics) {
    const double best = best_of_all_tables(fabric);
    CAPTURE(best);
    CHECK(one_stage_ceiling(fabric) >= best - 0.03);  // sampling error of 400 bisections
    CHECK(adaptive_ceiling(fabric, {.bisections = 400}) >= best - 1e-9);
  }
}

TEST_CASE("bandwidth ceilings match values calculated by hand") {
  // Two hosts on two switches with one cable: one flow, which shares no channel.
  CHECK(one_stage_ceiling(small_fabric({{0, 1}}, {1, 1})) == Approx(1));
  // Two hosts on each of two switches, one cable. One of three matchings stays on the switches:
  // bandwidth 2. In the other two, both flows use the cable: in the same direction with probability
  // 1/2 (bandwidth 1 together), otherwise in opposite directions (2).
  const Fabric one_cable = small_fabric({{0, 1}}, {2, 2});
  CHECK(one_stage_ceiling(one_cable) == Approx((2.0 / 3 * 1.5 + 1.0 / 3 * 2) / 2));
  CHECK(adaptive_ceiling(one_cable, {.bisections = 3000}) ==
        Approx((2.0 / 3 * 1.5 + 1.0 / 3 * 2) / 2).margin(0.03));
  // All hosts on one switch; then a third host alone on its switch, so that each bisection has one
  // flow.
  CHECK(one_stage_ceiling(small_fabric({}, {5})) == Approx(1));
  CHECK(one_stage_ceiling(small_fabric({{0, 1}}, {2, 1})) == Approx(1));
  CHECK_FALSE(bandwidth_ceiling(small_fabric({}, {1}), {}).has_value());
}

TEST_CASE("ceilings of known fabrics have known values, and no engine exceeds them") {
  const auto one_stage = [](const char* spec) { return one_stage_ceiling(make_fabric(spec)); };
  CHECK(one_stage("chic") == Approx(0.811).margin(0.002));
  CHECK(one_stage("deimos") == Approx(0.813).margin(0.002));
  CHECK(one_stage("xgft 8,8,8 1,4,4") == Approx(0.665).margin(0.002));
  CHECK(one_stage("torus 6x6x4") == Approx(1));
  CHECK(one_stage("mesh 5x5 --hosts 2") == Approx(0.922).margin(0.003));
  CHECK(adaptive_ceiling(make_fabric("mesh 5x5 --hosts 2"), {}) == Approx(0.733).margin(0.02));
  for (const char* spec :
       {"mesh 4x4 --hosts 2", "xgft 4,4 1,2", "dragonfly --switches 4 --global-links 1"}) {
    const Fabric fabric = make_fabric(spec);
    const auto ceiling = bandwidth_ceiling(fabric, {.effort = 2, .bisections = 50});
    for (const char* engine : {"pssp", "cassp"}) {
      INFO(spec << ' ' << engine);
      const auto bandwidth = effective_bisection_bandwidth(
          RouteStore(fabric, make_engine(engine, {})->route(fabric).tables), {.patterns = 50});
      CHECK(bandwidth.mean <= *ceiling->value() + 3 * bandwidth.standard_error);
    }
  }
  CHECK_FALSE(bandwidth_ceiling(make_fabric("mesh 2x2"), {.effort = 0})->adaptive);
  CHECK_FALSE(bandwidth_ceiling(make_fabric("mesh 2x2"), {.one_lid = false})->one_stage);
}
