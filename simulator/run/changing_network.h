#pragma once

// Applies changes of the fabric: links fail and appear, and table entries change.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simulator/adapter/sending.h"
#include "simulator/changes/network_changes.h"
#include "simulator/kernel/event.h"
#include "simulator/switching/losing.h"

namespace pssp {

/// Packets on a failing link are lost at their arrival time, and return their credits then: so all
/// credits are at the sender when the link returns. A packet whose head is already in a switch
/// continues without its tail, and is discarded at the next switch or host.
template <class Run>
void fail_links(Run& run, const NetworkChange& change) {
  Network& network = run.network;
  for (const std::uint32_t id : change.failing) {
    Link& link = network.links[id];
    link.down = true;
    if (link.last_packet != no_index && link.tail_in > run.now) {
      run.packets[link.last_packet].lost = true;
    }
  }
  run.queue.for_each([&](const Event& event) {
    const bool is_on_link =
        event.kind() == SimulatorEventKind::arrival || event.kind() == SimulatorEventKind::taken;
    if (is_on_link && network.links[event.subject].down) run.packets[event.detail].lost = true;
  });
  for (const std::uint32_t id : change.failing) {
    const Link& link = network.links[id];
    if (!link.from_host) drain_output(run, link.tail, link.out);
  }
}

template <class Run>
void bring_links(Run& run, const NetworkChange& change) {
  for (const std::uint32_t id : change.coming) {
    Link& link = run.network.links[id];
    link.down = false;
    if (link.from_host) try_host(run, link.tail);
  }
}

/// Applies the next of several successive changes.
template <class Run>
void await_next(Run& run, std::uint32_t number, std::uint32_t update) {
  const NetworkChange& change = run.changes[number];
  if (update < change.updates.size()) {
    run.queue.push(change.updates[update].time, SimulatorEventKind::update, number, update);
  } else if (number + 1 < run.changes.size()) {
    run.queue.push(run.changes[number + 1].time, SimulatorEventKind::change, number + 1, 0);
  }
}

template <class Run>
void change_network(Run& run, const Event& event) {
  const NetworkChange& change = run.changes[event.subject];
  Network& network = run.network;
  if (event.kind() == SimulatorEventKind::change) {
    network.routes = change.routes_at_once;
    fail_links(run, change);
    bring_links(run, change);
    await_next(run, event.subject, 0);
    return;
  }
  const RouteUpdate& update = change.updates[event.detail];
  const std::size_t row = update.node * network.width;
  std::copy(change.routes.begin() + static_cast<std::ptrdiff_t>(row + update.first_lid),
            change.routes.begin() + static_cast<std::ptrdiff_t>(row + update.end_lid),
            network.routes.begin() + static_cast<std::ptrdiff_t>(row + update.first_lid));
  await_next(run, event.subject, event.detail + 1);
}

}  // namespace pssp
