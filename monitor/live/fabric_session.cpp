#include "monitor/live/fabric_session.h"

#include <array>

namespace pssp {
namespace {

/// Of no other class can a MAD be sent.
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

}  // namespace

FabricSession::FabricSession(const FabricOptions& options, std::uint64_t sweeps_before)
    : adapter_(options.adapter, options.port, watched_classes),
      port_(adapter_),
      exchange_(port_, options.exchange),
      collector_(exchange_, port_, collector_options(options, sweeps_before)) {}

SnapshotPointer FabricSession::sweep() {
  collector_.begin();
  while (collector_.step(Collector::Clock::now() + std::chrono::seconds(1))) {
  }
  return collector_.finish();
}

DiscoveredFabric find_fabric(const FabricOptions& options) {
  if (!options.topology_file.empty()) return read_topology_map(options.topology_file);
  DiscoveryOptions discovery;
  discovery.adapter = options.adapter;
  discovery.port = options.port;
  discovery.timeout_ms = static_cast<unsigned>(options.exchange.timeout.count());
  discovery.retries = options.exchange.retries;
  discovery.m_key = options.m_key;
  return discover_fabric(discovery);
}

}  // namespace pssp
