// Arbitrary answers of a fabric in which any node may lie, to all requests: discovery, forwarding
// tables, subnet managers, counters and congestion control.

#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "congestion/profiles.h"
#include "monitor/collector/collector.h"
#include "monitor/discovery/fabric_walk.h"
#include "monitor/discovery/manager_watch.h"
#include "monitor/discovery/table_reader.h"
#include "routing/verify/verify.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/hostile_port.h"
#include "tests/fuzz/targets.h"
#include "tools/congestion/dialogues.h"
#include "tools/congestion/node_text.h"

namespace pssp::test {
namespace {

constexpr std::size_t most_ports = 300;
/// The walk makes three requests per node and two per port, each up to twice.
constexpr std::size_t most_requests_of_walk = 2 * 6 * (most_ports + max_port_number);

ExchangeOptions two_tries() {
  ExchangeOptions options;
  options.retries = 1;
  return options;
}

/// The components that share one MAD port, which sends only Get requests.
struct Watcher {
  explicit Watcher(std::string_view input)
      : port(input), gate(port), exchange(gate, two_tries(), [this] { return port.now(); }) {}

  template <class Busy>
  void work(const Busy& busy) {
    while (busy()) exchange.step(port.now() + std::chrono::seconds(1));
  }

  HostilePort port;
  GetOnlyPort gate;
  Exchange exchange;
};

DiscoveredFabric walk(Watcher& watcher) {
  WalkOptions options;
  options.most_ports = most_ports;
  FabricWalk walking(watcher.exchange, options);
  walking.begin();
  watcher.work([&] {
    require(watcher.port.sent() < most_requests_of_walk, "the discovery sends too many requests");
    return walking.busy();
  });
  DiscoveredFabric found = to_fabric_map(walking.take_nodes());
  if (!found.problem.empty()) require_message(found.problem);
  const FabricMap& map = *found.map;
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    const MapPort& port = map.ports[p];
    require(port.node < map.nodes.size(), "a port has no node");
    require(port.peer == MapPort::no_peer ||
                (port.peer < map.ports.size() && map.ports[port.peer].peer == p && port.peer != p),
            "the two ends of a cable do not refer to each other");
  }
  if (map.fabric) require_sound(*map.fabric);
  return found;
}

void read_tables(Watcher& watcher, const DiscoveredFabric& found) {
  TableReader reader(watcher.exchange, 0);
  for (unsigned times = 0; times < 2; ++times) {
    reader.begin(found.map, found.routes);
    watcher.work([&] { return reader.busy(); });
    const LiveTablesPointer tables = reader.take();
    require(tables != nullptr && tables->by_node.size() == found.map->nodes.size(),
            "the tables do not match the nodes");
    // A switch may have entries for ports that it does not have, which a file cannot express.
    if (found.map->fabric) {
      require_messages(verify(*found.map->fabric, tables->tables()).examples);
    }
  }
}

void watch_managers(Watcher& watcher, const DiscoveredFabric& found) {
  ManagerWatch managers(watcher.exchange, 0);
  for (unsigned times = 0; times < 2; ++times) {
    managers.begin(found.map);
    watcher.work([&] { return managers.busy(); });
  }
}

void sweep(Watcher& watcher, const DiscoveredFabric& found) {
  Collector collector(watcher.exchange, watcher.gate, {}, [&] { return watcher.port.now(); });
  collector.set_map(found.map);
  for (unsigned times = 0; times < 3; ++times) {
    watcher.port.now() += std::chrono::seconds(1);
    collector.begin();
    while (collector.step(watcher.port.now() + std::chrono::seconds(1))) {
    }
    require(collector.finish() != nullptr, "a sweep has no result");
  }
  watcher.exchange.end_in_order();
}

void require_explained(const NodeDialogue& dialogue) {
  if (dialogue.has_failed()) require_message(dialogue.failure());
}

/// Queries one switch and one adapter, applies a parameter set to them, and compares and describes
/// the settings that they report.
void set_congestion_control(std::string_view input) {
  static const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes{{true, 100, 1, "S", "", {PortRole::unconnected}},
                                  {false, 21, 11, "H", "", {}}};
  HostilePort port(input);
  Exchange exchange(port, two_tries(), [&port] { return port.now(); });
  std::vector<std::unique_ptr<QueryDialogue>> queries;
  std::vector<std::unique_ptr<NodeDialogue>> others;
  for (const CcNode& node : nodes) {
    queries.push_back(std::make_unique<QueryDialogue>(node));
    others.push_back(std::make_unique<SurveyDialogue>(node, set));
    others.push_back(std::make_unique<ApplyDialogue>(node, set));
  }
  for (const auto& dialogue : queries) exchange.add(*dialogue);
  for (const auto& dialogue : others) exchange.add(*dialogue);
  while (exchange.step(port.now() + std::chrono::seconds(1))) {
  }
  for (const auto& dialogue : others) require_explained(*dialogue);
  for (const auto& query : queries) {
    require_explained(*query);
    if (query->has_failed()) continue;
    for (const NamedSetting& line : describe(query->node(), query->reading(), false)) {
      require_message(line.name + " = " + line.value);
    }
    for (const SettingDifference& each : differences(query->node(), query->reading(), set)) {
      require_message(each.name + ": " + each.found + ", expected " + each.expected);
    }
    require(restoring_requests(query->node(), query->reading()).size() <= 260,
            "restoring a node takes too many requests");
  }
}

}  // namespace

void fuzz_mads(std::string_view input) {
  Watcher watcher(input);
  const DiscoveredFabric found = walk(watcher);
  read_tables(watcher, found);
  watch_managers(watcher, found);
  sweep(watcher, found);
  set_congestion_control(input);
}

}  // namespace pssp::test
