#include "monitor/live/fabric_session.h"

#include <array>

#include "base/error.h"
#include "monitor/discovery/topology_map.h"

namespace pssp {
namespace {

/// MADs of other classes are not sent.
constexpr std::array watched_classes{performance_class, subnet_class, directed_subnet_class};

CollectorOptions collector_options(const FabricOptions& options, std::uint64_t sweeps_before) {
  CollectorOptions of_collector;
  of_collector.hosts = options.hosts;
  of_collector.verify_nodes = options.verify_nodes;
  of_collector.interval = std::chrono::seconds(options.interval_s);
  of_collector.m_key = options.m_key;
  of_collector.sweeps_before = sweeps_before;
  return of_collector;
}

void label(const NodeNameMap& labels, Guid guid, std::string& description) {
  const auto known = labels.find(guid);
  if (known != labels.end()) description = known->second;
}

}  // namespace

void label_nodes(const NodeNameMap& labels, FabricMap& map) {
  for (MapNode& node : map.nodes) label(labels, node.guid, node.description);
}

FabricSession::FabricSession(const FabricOptions& options, std::uint64_t sweeps_before)
    : adapter_(find_adapter_pair(options.adapters), watched_classes),
      port_(adapter_),
      exchange_(port_, options.exchange),
      walk_(exchange_, {options.m_key}),
      collector_(exchange_, port_, collector_options(options, sweeps_before)),
      labels_(options.labels) {}

FabricSession::~FabricSession() {
  try {
    exchange_.abandon();
  } catch (const std::exception&) {
    // The port is gone, and so are all outstanding requests.
  }
}

SnapshotPointer FabricSession::sweep() {
  collector_.begin();
  while (collector_.step(Collector::Clock::now() + std::chrono::seconds(1))) {
  }
  return collector_.finish();
}

DiscoveredFabric FabricSession::discover() {
  walk_.begin();
  while (walk_.busy()) exchange_.step(Exchange::Clock::now() + std::chrono::seconds(1));
  static_cast<void>(walk_.take_done());
  return end_walk();
}

std::optional<DiscoveredFabric> fabric_of_file(const FabricOptions& options) {
  if (options.topology_file.empty()) return std::nullopt;
  DiscoveredFabric found = read_topology_map(options.topology_file);
  label_nodes(options.labels, *found.map);
  return found;
}

DiscoveredFabric found_fabric(FabricWalk& walk, const NodeNameMap& labels) {
  std::vector<FoundNode> nodes = walk.take_nodes();
  if (nodes.empty()) {
    throw Error(ErrorKind::fabric_access,
                "the local port does not answer subnet management packets: check its link, and "
                "configure the M_Key if the fabric requires one");
  }
  for (FoundNode& node : nodes) label(labels, node.guid, node.description);
  DiscoveredFabric found = to_fabric_map(nodes);
  if (walk.was_cut_short()) {
    found.problem =
        "discovery found more ports than a subnet can have and stopped: a node probably reports "
        "neighbors that do not exist; the rest of the fabric is not monitored";
  }
  return found;
}

}  // namespace pssp
