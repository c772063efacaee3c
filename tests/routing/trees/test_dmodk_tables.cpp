#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fabric/tables/service_levels.h"
#include "routing/engines/parts/local_search/dmodk_gaps.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/trees/dmodk_tables.h"
#include "routing/trees/numbered_tree.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables route(const Fabric& fabric, unsigned workers = 1, const DmodkCount& count = {}) {
  const NumberedTree tree = number_by_structure(fabric);
  return with_original_numbers(tree, route_dmodk(tree.fabric, nullptr, count, workers, {}));
}

/// Largest number of flows on one channel if every host sends to the `distance`-th next host by
/// name. Follows each flow.
std::uint32_t most_in_shift(const Fabric& fabric, const ForwardingTables& tables,
                            const std::vector<EndPortId>& hosts, std::size_t distance) {
  std::vector<std::uint32_t> flows(fabric.channel_count(), 0);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const Lid to = fabric.end_port(hosts[(i + distance) % hosts.size()]).lid;
    SwitchId at = fabric.end_port(hosts[i]).attached;
    for (PortTarget next = fabric.behind(at, tables.at(at, to));
         next.kind == PortTarget::Kind::channel; next = fabric.behind(at, tables.at(at, to))) {
      ++flows[next.index];
      at = SwitchId(fabric.channel_head()[next.index]);
    }
  }
  return *std::max_element(flows.begin(), flows.end());
}

std::uint32_t most_in_any_shift(const Fabric& fabric, LeafStart start) {
  const ForwardingTables tables = route(fabric, 1, {.start = start});
  REQUIRE(verify(fabric, tables).usable());
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  std::uint32_t most = 0;
  for (std::size_t distance = 1; distance < hosts.size(); ++distance) {
    most = std::max(most, most_in_shift(fabric, tables, hosts, distance));
  }
  return most;
}

}  // namespace

TEST_CASE("dmodk has at most as many flows on a link in a shift as hosts per uplink, rounded up") {
  struct Case {
    const char* spec;
    std::uint32_t hosts_per_path;
  };
  for (const Case& each :
       {Case{"k-ary-n-tree 4 2", 1}, Case{"k-ary-n-tree 3 3", 1}, Case{"xgft 24,20 1,16", 2},
        Case{"xgft 20,18 1,16", 2}, Case{"xgft 22,16 1,14", 2},
        Case{"xgft 6,6 1,3 --parallel 2", 1}, Case{"xgft 12,8 1,4", 3}, Case{"xgft 5,7 1,3", 2}}) {
    for (const char* how : {"", " --permute-ports --shuffle-guids --seed 7"}) {
      INFO(each.spec << how);
      const Fabric fabric = make_fabric(std::string(each.spec) + how);
      CHECK(most_in_any_shift(fabric, LeafStart::next) == each.hosts_per_path);
      CHECK(most_in_any_shift(fabric, LeafStart::first) == each.hosts_per_path);
    }
  }
}

TEST_CASE("dmodk uses different uplinks for the servers if each leaf has one") {
  // If servers were counted with the other hosts, every server would have a number 16 n - 1.
  const Fabric fabric = make_fabric("xgft 16,8 1,8 --servers 1");
  const ForwardingTables tables = route(fabric);
  std::vector<Lid> servers;
  const auto ends = fabric.end_ports();
  for (const EndPort& end : ends) {
    if (!end.description.starts_with(ends.front().description.substr(0, 1)))
      servers.push_back(end.lid);
  }
  REQUIRE(servers.size() == 8);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.endpoints_per_switch()[s] == 0) continue;
    std::vector<PortNumber> ports;
    for (const Lid lid : servers) ports.push_back(tables.at(SwitchId(s), lid));
    std::sort(ports.begin(), ports.end());
    CHECK(std::unique(ports.begin(), ports.end()) == ports.end());
  }
}

TEST_CASE("dmodk uses all upper paths for hosts at the same position of all leaves") {
  // Each leaf has twice as many hosts as uplinks. Without turns, the last hosts of all leaves would
  // use, in the first fabric, only two of the four upper paths.
  for (const char* spec : {"xgft 8,8,8 1,4,4", "xgft 16,8,4 1,8,2", "xgft 12,12,4 1,6,6",
                           "xgft 8,8,8 1,4,4 --permute-ports --shuffle-guids"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name));
    const SuiteTimes times = structured_suite.measure(route(fabric));
    CHECK(times.find("shifts")->slowdown == Approx(1).margin(1e-9));
    CHECK(times.find("jobs")->slowdown == Approx(1).margin(1e-9));
    // The last host of each leaf counts as a server.
    CHECK(times.find("servers_all")->slowdown < 3.2);
  }
}

TEST_CASE("harmless gaps of dmodk do not increase the number of flows on a link in shifts") {
  const Fabric fabric = make_fabric("xgft 22,16 1,14");
  const std::vector<std::uint32_t> gaps = harmless_gaps(fabric);
  CHECK(gaps == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
  for (const std::uint32_t gap : gaps) {
    INFO(gap);
    const ForwardingTables tables = route(fabric, 1, {.gap = gap});
    const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
    for (const std::size_t distance : {21, 22, 31, 45, 176, 330}) {
      CHECK(most_in_shift(fabric, tables, hosts, distance) == 2);
    }
  }
  CHECK(harmless_gaps(make_fabric("chic")).empty());
  CHECK(harmless_gaps(make_fabric("xgft 24,24 1,12")).empty());
  CHECK(harmless_gaps(make_fabric("xgft 20,10 1,4 --parallel 3")).size() == 4);
}

TEST_CASE("dmodk gives the same tables for any number of threads") {
  for (const char* spec : {"chic", "xgft 8,8,8 1,4,4 --lmc 1", "deimos"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(route(fabric, 1) == route(fabric, 4));
    CHECK(verify(fabric, route(fabric)).usable());
  }
}

// Hosts form groups that use two uplinks for both of their LIDs, and no other group uses these
// uplinks. So both parts of a striped flow compete with the same hosts.
TEST_CASE("in dmodk, both parts of a striped flow compete with the same hosts") {
  const Fabric fabric = make_fabric("xgft 24,6 1,16 --lmc 1");
  const ForwardingTables tables = route(fabric);
  REQUIRE(verify(fabric, tables).usable());
  const SwitchId leaf = fabric.end_port(fabric.endpoints().front()).attached;
  std::map<std::set<PortNumber>, std::size_t> hosts_by_paths;
  for (const EndPortId e : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(e);
    if (port.attached == leaf) continue;
    ++hosts_by_paths[{tables.at(leaf, port.lid), tables.at(leaf, port.lid + 1)}];
  }
  CHECK(hosts_by_paths.size() == 8);
  for (const auto& [paths, hosts] : hosts_by_paths) CHECK(paths.size() == 2);
}

TEST_CASE("dmodk is deadlock-free on one lane, including management traffic of switches") {
  for (const char* spec :
       {"chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 4 3", "xgft 24,20 1,16", "odin"}) {
    const Fabric fabric =
        make_fabric(std::string(spec) + " --permute-ports --shuffle-guids --seed 3");
    INFO(spec);
    const ForwardingTables tables = route(fabric);
    CHECK(verify_lanes(fabric, tables, level_zero(tables)).is_deadlock_free());
  }
}
