#pragma once

// A switch: at each input, packets wait in one queue per output (virtual output queues), and each
// free output chooses among the inputs.
//
// An output chooses the lane by weighted round-robin, then the input by round-robin among the
// inputs that have a packet for it, whose packet has credits, and which can be read: the number of
// packets that leave an input at once is limited. The turn advances only when a packet is sent.
//
// Bit masks store the possible choices. For an output and lane: the inputs with a packet for it.
// For an input: the outputs for which it has a packet. For the switch: the inputs that can be read,
// and the grantable outputs, which are idle and not known to lack credits. Between events nothing
// can be granted; an event enables one thing, and only its consequences are examined. So each
// choice is one intersection of masks and one count of zeros.

#include <cstdint>

#include "simulator/congestion/marking.h"
#include "simulator/network/network.h"
#include "simulator/switching/losing.h"
#include "simulator/switching/port_mask.h"
#include "simulator/switching/transmission.h"

namespace pssp {

struct ArbiterChoice {
  std::uint32_t input = no_port_position;
  bool short_of_credits = false;  ///< a packet waits, but credits suffice for none
  bool waits_for_input = false;   ///< a packet waits and has credits, but its input cannot be read
};

/// Chooses among packets of several sizes if credits do not suffice for all. O(inputs).
template <class Run>
ArbiterChoice choose_by_size(const Run& run, const SwitchPorts& at, std::uint32_t output,
                             std::uint32_t lane, const LaneState& state,
                             const std::uint64_t* waiting, const std::uint64_t* readable) {
  ArbiterChoice choice;
  choice.short_of_credits = true;
  for (std::uint32_t step = 0; step < at.ports; ++step) {
    std::uint32_t input = state.next_input + step;
    if (input >= at.ports) input -= at.ports;
    if (!has_bit(waiting, input)) continue;
    const Packet& head = run.packets[run.network.queue(at, input, output, lane).first];
    if (static_cast<std::int32_t>(credits_of(head.bytes)) > state.credits) continue;
    choice.short_of_credits = false;
    choice.waits_for_input = true;
    if (!has_bit(readable, input)) continue;
    choice.input = input;
    break;
  }
  return choice;
}

template <class Run>
ArbiterChoice choose_input(const Run& run, std::uint32_t node, std::uint32_t output,
                           std::uint32_t lane) {
  const Network& network = run.network;
  const SwitchPorts& at = network.switches[node];
  const std::uint32_t port = at.first_port + output;
  const LaneState& state = network.lane_state(network.out_link[port], lane);
  const std::uint64_t* waiting =
      &network.inputs_waiting[(std::size_t{port} * network.lanes + lane) * network.words];
  const std::uint64_t* readable = &network.readable[std::size_t{node} * network.words];
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < network.words; ++word) any |= waiting[word];
  if (any == 0) return {};
  if (state.credits >= static_cast<std::int32_t>(network.full_credits)) {
    return {first_of_both(waiting, readable, network.words, state.next_input), false, true};
  }
  return choose_by_size(run, at, output, lane, state, waiting, readable);
}

/// Sends the first packet of a queue.
template <class Run>
void forward(Run& run, std::uint32_t node, std::uint32_t input, std::uint32_t output,
             std::uint32_t lane) {
  Network& network = run.network;
  const SwitchPorts& at = network.switches[node];
  const std::uint32_t out_port = at.first_port + output;
  const std::uint32_t in_port = at.first_port + input;
  PacketQueue& queue = network.queue(at, input, output, lane);
  const std::uint32_t packet_id = queue.first;
  Packet& packet = run.packets[packet_id];
  queue.first = packet.next;
  if (queue.first == no_index) {
    clear_bit(
        &network.inputs_waiting[(std::size_t{out_port} * network.lanes + lane) * network.words],
        input);
    bool other_lane = false;
    for (std::uint32_t other = 0; other < network.lanes && !other_lane; ++other) {
      other_lane = network.queue(at, input, output, other).first != no_index;
    }
    if (!other_lane) {
      clear_bit(&network.outputs_waiting[std::size_t{in_port} * network.words], output);
    }
  }
  const std::uint32_t link = network.out_link[out_port];
  LaneState& state = network.lane_state(link, lane);
  state.credits -= static_cast<std::int32_t>(credits_of(packet.bytes));
  state.next_input = static_cast<std::uint8_t>(input + 1 == at.ports ? 0 : input + 1);
  if (leave_by(network, run.marking, link, packet, run.now) && !packet.fecn) {
    packet.fecn = true;
    ++network.records[link].marks;
  }
  network.links[link].from = network.in_link[in_port];
  clear_bit(&network.grantable[std::size_t{node} * network.words], output);
  if (++network.reading[in_port] == network.most_reading[in_port]) {
    clear_bit(&network.readable[std::size_t{node} * network.words], input);
  }
  launch(run, link, packet_id);
}

/// Advances the turn after a lane has sent a packet.
inline void pass_turn(const Network& network, Link& link, std::uint32_t lane) {
  if (lane != link.lane_now) {
    link.lane_now = static_cast<std::uint8_t>(lane);
    link.lane_left = network.lane_weights[lane];
  }
  if (--link.lane_left != 0) return;
  link.lane_now = static_cast<std::uint8_t>(lane + 1 == network.lanes ? 0 : lane + 1);
  link.lane_left = network.lane_weights[link.lane_now];
}

/// Lets an idle output send a packet if it can.
template <class Run>
void try_output(Run& run, std::uint32_t node, std::uint32_t output) {
  Network& network = run.network;
  const std::uint32_t link_id = network.out_link[network.switches[node].first_port + output];
  Link& link = network.links[link_id];
  bool short_of_credits = false;
  bool waits_for_input = false;
  for (std::uint32_t step = 0; step < network.lanes; ++step) {
    std::uint32_t lane = link.lane_now + step;
    if (lane >= network.lanes) lane -= network.lanes;
    const ArbiterChoice choice = choose_input(run, node, output, lane);
    if (choice.input != no_port_position) {
      if (network.lanes > 1) pass_turn(network, link, lane);
      forward(run, node, choice.input, output, lane);
      return;
    }
    short_of_credits |= choice.short_of_credits;
    waits_for_input |= choice.waits_for_input;
  }
  if (short_of_credits) {
    block(network.records[link_id], run.now);
  } else {
    unblock(network.records[link_id], run.now);
  }
  std::uint64_t* grantable = &network.grantable[std::size_t{node} * network.words];
  if (short_of_credits && !waits_for_input) {
    clear_bit(grantable, output);
  } else {
    set_bit(grantable, output);
  }
}

/// The packet may now be forwarded.
template <class Run>
void arrive(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  Network& network = run.network;
  const Link& link = network.links[link_id];
  const std::uint32_t node = link.head;
  const SwitchPorts& at = network.switches[node];
  Packet& packet = run.packets[packet_id];
  run.ports.choose(run, node, packet);
  if constexpr (Run::can_lose) {
    if (is_lost(run, link_id, packet_id)) return;
  }
  const std::uint32_t output = packet.out;
  PacketQueue& queue = network.queue(at, link.in, output, packet.lane);
  packet.next = no_index;
  const std::uint32_t out_port = at.first_port + output;
  const bool was_empty = queue.first == no_index;
  if (was_empty) {
    queue.first = packet_id;
    set_bit(
        &network
             .inputs_waiting[(std::size_t{out_port} * network.lanes + packet.lane) * network.words],
        link.in);
    set_bit(&network.outputs_waiting[std::size_t{at.first_port + link.in} * network.words], output);
  } else {
    run.packets[queue.last].next = packet_id;
  }
  queue.last = packet_id;
  const std::uint32_t out_link = network.out_link[out_port];
  wait_for(network, run.marking, out_link, packet, run.now);
  // Behind another packet, it changes nothing. An output without credits is tried again for a
  // smaller packet, or one on another lane.
  if (was_empty && !network.links[out_link].busy) try_output(run, node, output);
}

/// A packet over a link from a switch has left.
template <class Run>
void end_of_packet(Run& run, std::uint32_t link_id) {
  Network& network = run.network;
  Link& link = network.links[link_id];
  const std::uint32_t node = link.tail;
  const std::uint32_t from = link.from;
  const std::uint32_t input = network.links[from].in;
  const std::uint32_t in_port = network.switches[node].first_port + input;
  link.busy = false;
  std::uint64_t* grantable = &network.grantable[std::size_t{node} * network.words];
  std::uint64_t* readable = &network.readable[std::size_t{node} * network.words];
  set_bit(grantable, link.out);
  const bool was_readable = has_bit(readable, input);
  --network.reading[in_port];
  set_bit(readable, input);
  return_credits(run, from, link.sending_lane, link.sending_credits);
  try_output(run, node, link.out);
  if (was_readable) return;
  // The input can be read again, by any output that had to skip it.
  const std::uint64_t* waiting = &network.outputs_waiting[std::size_t{in_port} * network.words];
  std::uint32_t start = network.next_output[in_port];
  const std::uint32_t ports = network.switches[node].ports;
  for (std::uint32_t probes = 0; probes < ports && has_bit(readable, input); ++probes) {
    const std::uint32_t output = first_of_both(waiting, grantable, network.words, start);
    if (output == no_port_position) break;
    start = output + 1 == ports ? 0 : output + 1;
    try_output(run, node, output);
    if (!has_bit(readable, input)) network.next_output[in_port] = static_cast<std::uint8_t>(start);
  }
}

/// Credits have returned to a switch.
template <class Run>
void credits_at_switch(Run& run, std::uint32_t link_id) {
  Network& network = run.network;
  const Link& link = network.links[link_id];
  if (link.busy) return;
  set_bit(&network.grantable[std::size_t{link.tail} * network.words], link.out);
  try_output(run, link.tail, link.out);
}

}  // namespace pssp
