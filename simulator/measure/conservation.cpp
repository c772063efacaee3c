// Counts everything again, from the queues of the switches and the pending events, because the sums
// that the run keeps are what is checked.
//
// A packet that a switch sends occupies two buffers: the one that it leaves until its tail is out,
// and the next one from the beginning.

#include "simulator/measure/conservation.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {

ConservationCheck::ConservationCheck(const Network& network, const PacketPool& packets)
    : network_(network),
      packets_(packets),
      held_(network.lane_states.size()),
      pending_(network.lane_states.size()) {
  for (const SwitchPorts& at : network.switches) {
    for (std::uint32_t output = 0; output < at.ports; ++output) {
      for (std::uint32_t lane = 0; lane < network.lanes; ++lane) {
        for (std::uint32_t input = 0; input < at.ports; ++input) {
          std::uint32_t packet = network.queue(at, input, output, lane).first;
          for (; packet != no_index; packet = packets[packet].next) {
            hold(network.in_link[at.first_port + input], lane, credits_of(packets[packet].bytes));
            ++found_;
          }
        }
      }
    }
  }
}

void ConservationCheck::hold(std::uint32_t link, std::uint32_t lane, std::uint32_t credits) {
  held_[std::size_t{link} * network_.lanes + lane] += credits;
}

void ConservationCheck::add(const Event& event) {
  const std::uint32_t link = event.subject;
  const auto pend = [&](std::uint32_t at, std::uint32_t lane) {
    pending_[std::size_t{at} * network_.lanes + lane] = true;
  };
  if (event.kind() == SimulatorEventKind::arrival || event.kind() == SimulatorEventKind::taken) {
    const Packet& packet = packets_[event.detail];
    hold(link, packet.lane, credits_of(packet.bytes));
    pend(link, packet.lane);
    ++found_;
  } else if (event.kind() == SimulatorEventKind::credits) {
    hold(link, event.detail >> 24U, event.detail & 0xFFFFFF);
    pend(link, event.detail >> 24U);
  } else if (event.kind() == SimulatorEventKind::link_free && !network_.links[link].from_host) {
    const Link& sender = network_.links[link];
    hold(sender.from, sender.sending_lane, sender.sending_credits);
    pend(sender.from, sender.sending_lane);
  }
}

void ConservationCheck::check(std::uint64_t in_flight) const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const auto credits = static_cast<std::int64_t>(network_.lane_states[i].credits);
    const std::int64_t all = credits + static_cast<std::int64_t>(held_[i]);
    if (credits < 0 || all != static_cast<std::int64_t>(network_.buffer_credits)) {
      throw Error(
          ErrorKind::internal,
          fmt::format("link {} lane {} has {} credits, {} of them at its sender; expected {}",
                      i / network_.lanes, i % network_.lanes, all, credits,
                      network_.buffer_credits));
    }
  }
  if (found_ != in_flight) {
    throw Error(ErrorKind::internal,
                fmt::format("{} packets are in the network; expected {}", found_, in_flight));
  }
}

}  // namespace pssp
