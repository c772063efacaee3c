#pragma once

// What events that come soon will touch is fetched into the cache before they come: in a network of
// thousands of ports each event would wait for memory several times, and does little else. Fetching
// changes nothing but time.

#include "simulator/kernel/event.h"
#include "simulator/kernel/fetch.h"
#include "simulator/network/network.h"

namespace pssp {

/// Told by the queue of a run (CalendarQueue::pop_before).
template <class Run>
class Fetching {
 public:
  explicit Fetching(const Run& run) : run_(run) {}

  /// An event of the next day: what it names itself.
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

  /// An event of today: what follows from what was fetched the day before.
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
