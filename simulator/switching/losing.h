#pragma once

// Lost packets: on links that fail, and at switches without a route. Only for runs whose fabric
// changes (Run::can_lose).

#include <cstdint>
#include <vector>

#include "simulator/congestion/marking.h"
#include "simulator/network/network.h"
#include "simulator/switching/port_mask.h"
#include "simulator/switching/transmission.h"

namespace pssp {

/// Removes a packet and its reservation in the receiver's buffer. Links that still carry its tail
/// forget its number, which another packet may get before the tail arrives.
template <class Run>
void lose(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  std::vector<Link>& links = run.network.links;
  for (std::uint32_t at = link_id; links[at].last_packet == packet_id; at = links[at].from) {
    links[at].last_packet = no_index;
    if (links[at].from_host) break;
  }
  const Packet packet = run.packets[packet_id];
  return_credits(run, link_id, packet.lane, credits_of(packet.bytes));
  run.packets.give_back(packet_id);
  run.was_lost(packet);
}

/// For a packet whose header is in the switch at the head of a link, or that a host would take now.
/// Returns whether it is lost and removed.
template <class Run>
bool is_lost(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  const Packet& packet = run.packets[packet_id];
  LossCounts& counts = run.delivery.counts();
  if (packet.lost) {
    ++counts.on_links;
  } else if (!run.network.links[link_id].to_host && packet.out == no_position) {
    ++counts.without_route;
  } else {
    return false;
  }
  lose(run, link_id, packet_id);
  return true;
}

/// Loses all packets that wait for an output.
template <class Run>
void drain_output(Run& run, std::uint32_t node, std::uint32_t output) {
  Network& network = run.network;
  const SwitchPorts& at = network.switches[node];
  const std::uint32_t out_port = at.first_port + output;
  const std::uint32_t link = network.out_link[out_port];
  for (std::uint32_t input = 0; input < at.ports; ++input) {
    const std::uint32_t in_port = at.first_port + input;
    for (std::uint32_t lane = 0; lane < network.lanes; ++lane) {
      PacketQueue& queue = network.queue(at, input, output, lane);
      while (queue.first != no_index) {
        const std::uint32_t packet_id = queue.first;
        queue.first = run.packets[packet_id].next;
        static_cast<void>(leave_by(network, run.marking, link, run.packets[packet_id], run.now));
        ++run.delivery.counts().on_links;
        lose(run, network.in_link[in_port], packet_id);
      }
      clear_bit(
          &network.inputs_waiting[(std::size_t{out_port} * network.lanes + lane) * network.words],
          input);
    }
    clear_bit(&network.outputs_waiting[std::size_t{in_port} * network.words], output);
  }
  unblock(network.records[link], run.now);
}

}  // namespace pssp
