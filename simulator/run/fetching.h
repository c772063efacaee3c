#pragma once

// Prefetches the memory that the next events use: in a network of thousands of ports, an event
// would otherwise mostly wait for memory. Results do not change.

#include "simulator/kernel/event.h"
#include "simulator/kernel/fetch.h"
#include "simulator/network/network.h"

namespace pssp {

/// Called by the queue of a run (CalendarQueue::pop_before).
template <class Run>
class Fetching {
 public:
  explicit Fetching(const Run& run) : run_(run) {}

  /// Prefetches what an event of the next day names directly.
  void of_next_day(const Event& event) const {
    const Network& network = run_.network;
    switch (event.kind()) {
      case SimulatorEventKind::arrival:
      case SimulatorEventKind::taken:
        fetch(&run_.packets[event.detail]);
        fetch(&network.links[event.subject]);
        break;
      case SimulatorEventKind::link_free:
        fetch(&network.links[event.subject]);
        fetch(&network.lane_state(event.subject, 0));
        break;
      case SimulatorEventKind::credits:
        fetch(&network.links[event.subject]);
        fetch(&network.lane_state(event.subject, event.detail >> 24U));
        break;
      default:
        break;
    }
  }

  /// For an event of today, prefetches what the memory fetched a day earlier refers to.
  void of_today(const Event& event) const {
    const Network& network = run_.network;
    if (event.kind() == SimulatorEventKind::arrival) {
      const Link& link = network.links[event.subject];
      const Packet& packet = run_.packets[event.detail];
      const std::uint8_t out = network.route(link.head, packet.lid);
      if (out == no_position) return;
      fetch(&network.queue(network.switches[link.head], link.in, out, packet.lane));
    } else if (event.kind() == SimulatorEventKind::link_free) {
      const Link& link = network.links[event.subject];
      if (link.from_host) return;
      const std::uint32_t port = network.switches[link.tail].first_port + link.out;
      fetch(&network.inputs_waiting[std::size_t{port} * network.lanes * network.words]);
      fetch(&network.links[link.from]);
    }
  }

 private:
  const Run& run_;
};

}  // namespace pssp
