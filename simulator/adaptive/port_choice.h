#pragma once

// Chooses the output port of a packet at a switch. The choice is a template parameter of the run
// (simulator/run/run_state.h), so that runs without adaptive routing contain none of its code.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "simulator/adaptive/adaptive_groups.h"
#include "simulator/network/network.h"

namespace pssp {

/// How packets choose ports; the groups must outlive the run.
struct AdaptiveRouting {
  const AdaptiveGroups* groups = nullptr;
  bool by_message = false;  ///< the first packet of a message at a switch chooses for all
  /// Limit of the table port's load in full packets; above it, another port may be used.
  std::uint32_t busy_packets = 1;
};

/// A choice for all packets of a message.
struct KeptPort {
  std::uint32_t node = 0;
  std::uint8_t out = 0;
};

/// Uses the port of the tables.
class TablePorts {
 public:
  /// Whether such runs can lose packets.
  static constexpr bool can_lose = false;

  explicit TablePorts(const AdaptiveRouting* /*none*/, const Network& /*network*/) {}

  /// Mbit/s of the port by which a packet will leave a switch; 0: no route.
  static std::uint32_t most_megabits(const Network& network, std::uint32_t node,
                                     const Packet& packet) noexcept {
    const std::uint8_t out = network.route(node, packet.lid);
    if (out == no_position) return 0;
    return network.links[network.out_link[network.switches[node].first_port + out]].megabits;
  }
  /// Called when the packet's header is in the switch, before the packet waits.
  template <class Run>
  static void choose(const Run& run, std::uint32_t node, Packet& packet) noexcept {
    packet.out = run.network.route(node, packet.lid);
  }
};

/// Uses tables that change during the run. Packet::out can be no_position.
class ChangingPorts : public TablePorts {
 public:
  static constexpr bool can_lose = true;

  using TablePorts::TablePorts;
};

/// Uses the table port, unless its load exceeds the limit and another group port has less load:
/// then the port with the least load, of equals the next in cyclic order after the table port. The
/// load of a port is the bytes of packets that wait for it, over all inputs and lanes, plus a full
/// packet while it sends.
class AdaptivePorts {
 public:
  static constexpr bool can_lose = false;

  AdaptivePorts(const AdaptiveRouting* routing, const Network& network)
      : groups_(*routing->groups),
        by_message_(routing->by_message),
        allowed_(std::uint64_t{routing->busy_packets} * network.packet_bytes) {
    for (std::uint32_t channel = 1; channel < network.channels; ++channel) {
      has_one_rate_ &= network.links[channel].megabits == network.links.front().megabits;
    }
  }

  /// The rate of the fastest port of the group, so that no choice makes a packet underrun. A packet
  /// that may use a faster link waits for its tail, even if it then uses another link.
  std::uint32_t most_megabits(const Network& network, std::uint32_t node,
                              const Packet& packet) const noexcept {
    std::uint32_t most = TablePorts::most_megabits(network, node, packet);
    if (has_one_rate_) return most;
    for (const std::uint32_t link : groups_.channels(node, packet.lid)) {
      most = std::max(most, network.links[link].megabits);
    }
    return most;
  }

  template <class Run>
  void choose(Run& run, std::uint32_t node, Packet& packet) const {
    TablePorts::choose(run, node, packet);
    if (!by_message_) {
      packet.out = least_loaded(run.network, node, packet);
    } else if (packet.flow != no_index) {
      keep(run.network, node, packet, run.messages.kept_ports(packet.flow, packet.sequence));
    }
  }

 private:
  void keep(const Network& network, std::uint32_t node, Packet& packet,
            std::vector<KeptPort>& ports) const {
    for (const KeptPort& each : ports) {
      if (each.node != node) continue;
      packet.out = each.out;
      return;
    }
    packet.out = least_loaded(network, node, packet);
    ports.push_back({node, packet.out});
  }

  static std::uint64_t load(const Network& network, std::uint32_t link) noexcept {
    return std::uint64_t{network.records[link].queue_bytes} +
           (network.links[link].busy ? network.packet_bytes : 0);
  }

  std::uint8_t least_loaded(const Network& network, std::uint32_t node,
                            const Packet& packet) const noexcept {
    const std::uint32_t of_tables =
        network.out_link[network.switches[node].first_port + packet.out];
    std::uint64_t least = load(network, of_tables);
    if (least <= allowed_) return packet.out;
    // Cyclic order: from after the table port to the end, then from the beginning.
    const auto group = groups_.channels(node, packet.lid);
    std::uint32_t best = of_tables;
    const auto ask = [&](std::uint32_t link) {
      const std::uint64_t its = load(network, link);
      if (its >= least) return;
      least = its;
      best = link;
    };
    std::size_t start = 0;
    while (start < group.size() && group[start] != of_tables) ++start;
    for (std::size_t i = start + 1; i < group.size(); ++i) ask(group[i]);
    for (std::size_t i = 0; i < std::min(start, group.size()); ++i) ask(group[i]);
    return network.links[best].out;
  }

  const AdaptiveGroups& groups_;
  bool by_message_;
  std::uint64_t allowed_;     // limit of the load in bytes
  bool has_one_rate_ = true;  // of the channels
};

}  // namespace pssp
