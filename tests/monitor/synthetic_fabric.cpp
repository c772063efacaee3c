#include "tests/monitor/synthetic_fabric.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_description.h"
#include "topologies/registry.h"

// The map is made from a Fabric, so all topology generators can be used. Counters are sums since
// the first sweep and never decrease unless a test changes a snapshot.

namespace pssp {
namespace {

constexpr std::uint64_t packet_bytes = 2048;

MapNode adapter_node(const EndPort& port) {
  MapNode node;
  node.guid = port.node_guid;
  node.kind = port.kind == EndPortKind::router ? NodeKind::router : NodeKind::channel_adapter;
  node.ports = port.port;
  node.description = description_or_name(port);
  return node;
}

void add_nodes(const Fabric& fabric, FabricMap& map) {
  for (const Switch& each : fabric.switches()) {
    MapNode node;
    node.guid = each.guid;
    node.kind = NodeKind::switch_node;
    node.ports = each.ports;
    node.lid = each.lid;
    node.description = description_or_name(each);
    map.nodes.push_back(node);
  }
  for (const EndPort& each : fabric.end_ports()) {
    if (!map.nodes.empty() && map.nodes.back().guid == each.node_guid) {
      map.nodes.back().ports = std::max(map.nodes.back().ports, each.port);
    } else {
      map.nodes.push_back(adapter_node(each));
    }
  }
  std::sort(map.nodes.begin(), map.nodes.end(),
            [](const MapNode& a, const MapNode& b) { return a.guid < b.guid; });
}

void add_ports(FabricMap& map) {
  for (std::uint32_t n = 0; n < map.nodes.size(); ++n) {
    MapNode& node = map.nodes[n];
    node.vendor = 0x2c9;
    node.first_port = static_cast<std::uint32_t>(map.ports.size());
    for (unsigned number = 1; number <= node.ports; ++number) {
      MapPort port;
      port.node = n;
      port.number = static_cast<PortNumber>(number);
      port.state = LinkState::down;
      port.physical = PhysicalState::polling;
      port.guid = node.kind == NodeKind::switch_node ? node.guid : node.guid + number;
      port.lid = node.lid;
      port.width_supported = port.width_enabled = 3;
      port.speed_supported = port.speed_enabled = 7;
      port.mtu_supported = port.mtu_active = 5;
      port.lanes_supported = port.lanes_operational = 4;
      map.ports.push_back(port);
    }
  }
}

void cable(FabricMap& map, std::uint32_t a, std::uint32_t b, LinkRate rate) {
  for (const auto& [self, peer] : {std::pair(a, b), std::pair(b, a)}) {
    MapPort& port = map.ports[self];
    port.peer = peer;
    port.state = LinkState::active;
    port.physical = PhysicalState::link_up;
    port.rate = rate.stated() ? rate : LinkRate{4, 50000};
  }
}

void add_cables(const Fabric& fabric, FabricMap& map) {
  const auto port_of = [&](SwitchId s, PortNumber number) {
    return *map.find_port(fabric.switch_at(s).guid, number);
  };
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    cable(map, port_of(SwitchId(fabric.channel_tail()[c]), fabric.channel_out_port()[c]),
          port_of(SwitchId(fabric.channel_head()[c]), fabric.channel_in_port()[c]),
          fabric.channel_rate()[c]);
  }
  for (const EndPort& each : fabric.end_ports()) {
    const std::uint32_t self = *map.find_port(each.node_guid, each.port);
    map.ports[self].guid = each.port_guid;
    map.ports[self].lid = each.lid;
    map.ports[self].lmc = each.lmc;
    if (each.attached.valid()) {
      cable(map, self, port_of(each.attached, each.switch_port), each.rate);
    }
  }
}

Fabric fabric_of(std::string_view specification) {
  const std::filesystem::path file(specification);
  if (!std::filesystem::is_regular_file(file)) return make_fabric(specification);
  return std::move(read_fabric_input(std::span(&file, 1)).fabric);
}

}  // namespace

FabricMap synthetic_map(std::string_view specification) {
  FabricMap map;
  map.fabric = std::make_shared<const Fabric>(fabric_of(specification));
  map.generation = 1;
  map.hash = 0x5eed;
  map.time_ms = 1'700'000'000'000;
  add_nodes(*map.fabric, map);
  add_ports(map);
  add_cables(*map.fabric, map);
  return map;
}

SyntheticFabric::SyntheticFabric(std::string_view specification, std::uint64_t seed)
    : map_(std::make_shared<FabricMap>(synthetic_map(specification))), seed_(seed) {
  values_.assign(map_->ports.size() * counter_count, 0);
}

void SyntheticFabric::send(std::uint32_t from, std::uint32_t to, double share, double seconds) {
  const double rate = map_->ports[from].rate.capacity() * 1e6 / 8;
  const auto packets =
      static_cast<std::uint64_t>(share * rate * seconds / static_cast<double>(packet_bytes));
  const auto add = [&](std::uint32_t port, Counter counter, std::uint64_t much) {
    values_[port * counter_count + static_cast<std::size_t>(counter)] += much;
  };
  add(from, Counter::transmit_bytes, packets * packet_bytes);
  add(from, Counter::transmit_packets, packets);
  add(from, Counter::unicast_transmit_packets, packets);
  add(to, Counter::receive_bytes, packets * packet_bytes);
  add(to, Counter::receive_packets, packets);
  add(to, Counter::unicast_receive_packets, packets);
  // The waiting time grows faster than the load.
  const double waited = share * share / (1.05 - std::min(share, 1.0)) / 4;
  add(from, Counter::transmit_wait, static_cast<std::uint64_t>(waited * rate * seconds / 4));
}

std::shared_ptr<Snapshot> SyntheticFabric::next(double seconds) {
  ++sweep_;
  now_ns_ += static_cast<std::int64_t>(seconds * 1e9);
  auto snapshot = std::make_shared<Snapshot>();
  const std::size_t ports = map_->ports.size();
  snapshot->sweep = sweep_;
  snapshot->time_ms = 1'700'000'000'000 + now_ns_ / 1'000'000;
  snapshot->begin_ns = now_ns_;
  snapshot->map = map_;
  snapshot->status.assign(ports, PortStatus::not_active);
  snapshot->read_ns.assign(ports, 0);
  snapshot->known.assign(ports, 0);
  snapshot->saturated.assign(ports, 0);
  snapshot->narrow.assign(ports, 0);
  for (std::uint32_t p = 0; p < ports; ++p) {
    const MapPort& port = map_->ports[p];
    if (port.state != LinkState::active) continue;
    RandomGenerator own(seed_, p);
    const double usual = unit_interval(own()), phase = unit_interval(own());
    const bool faulty = own.below(100) == 0;
    if (port.peer != MapPort::no_peer && sweep_ > 1) {
      const double wave = 0.5 + 0.5 * std::sin(0.2 * static_cast<double>(sweep_) + 6.28 * phase);
      send(p, port.peer, usual * usual * usual * wave, seconds);
    }
    if (faulty) {
      values_[p * counter_count + static_cast<std::size_t>(Counter::symbol_errors)] += 3;
    }
    snapshot->status[p] = PortStatus::read;
    snapshot->read_ns[p] = now_ns_ + p;
    snapshot->known[p] = all_counters;
    ++snapshot->figures.asked;
    ++snapshot->figures.answered;
  }
  snapshot->values = values_;
  snapshot->figures.mads = 2 * snapshot->figures.asked;
  snapshot->figures.duration_ns = 100'000'000;
  return snapshot;
}

SnapshotPointer SyntheticFabric::sweep(double seconds) { return next(seconds); }

}  // namespace pssp
