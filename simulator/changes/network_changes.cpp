// Switches and channels of a later state are converted to the numbers of the first state, which
// contains everything that a later state has; so the arrays of a run never grow.
//
// Between a failure and the first write, the old tables apply: a switch knows that its port is
// down, and drops the packets for this port.

#include "simulator/changes/network_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "simulator/network/port_links.h"
#include "simulator/values.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(std::size_t number, const std::string& text) {
  throw Error(ErrorKind::mismatch,
              fmt::format("change {}: {}; expected a part of the first fabric, with the same LIDs "
                          "(specify the fabric with all its cables first)",
                          number + 1, text));
}

/// Maps a later state to the first state.
class StateInNetwork {
 public:
  StateInNetwork(std::size_t number, const RoutedState& first, const Network& network,
                 const RoutedState& state)
      : number_(number),
        network_(network),
        fabric_(first.fabric),
        change_(first.fabric, state.fabric),
        links_(first.fabric, network),
        has_link_(network.links.size(), true) {
    require_known_switches();
    find_channels();
    find_hosts();
  }

  const std::vector<bool>& has_link() const noexcept { return has_link_; }
  std::uint32_t first_switch(std::uint32_t of_state) const { return first_switch_[of_state]; }

  /// Positions of the outputs in the tables of this state's fabric.
  std::vector<std::uint8_t> routes(const ForwardingTables& tables) const {
    std::vector<std::uint8_t> result(network_.routes.size(), no_position);
    const std::size_t known = std::min<std::size_t>(network_.width, tables.width());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const std::uint32_t there = change_.switch_after()[s];
      if (there == FabricChange::gone) continue;
      const std::vector<std::uint8_t> positions = positions_of_ports(SwitchId(s));
      const auto row = tables.row(SwitchId(there));
      for (std::size_t lid = 1; lid < known; ++lid) {
        result[s * network_.width + lid] = positions[row[lid]];
      }
    }
    return result;
  }

 private:
  void require_known_switches() {
    first_switch_.assign(change_.after().switch_count(), no_index);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (change_.switch_after()[s] != FabricChange::gone) {
        first_switch_[change_.switch_after()[s]] = s;
      }
    }
    for (std::uint32_t s = 0; s < first_switch_.size(); ++s) {
      if (first_switch_[s] != no_index) continue;
      refuse(number_, fmt::format("switch {} is new", change_.after().label(SwitchId(s))));
    }
  }

  void find_channels() {
    std::size_t found = 0;
    for (std::uint32_t c = 0; c < network_.channels; ++c) {
      has_link_[c] = change_.channel_after()[c] != FabricChange::gone;
      found += has_link_[c] ? 1 : 0;
    }
    const std::size_t all = change_.after().channel_count();
    if (found != all) refuse(number_, fmt::format("{} cables are new", (all - found) / 2));
  }

  void find_hosts() {
    const Fabric& after = change_.after();
    const std::vector<std::uint32_t> ranks = ranks_by_end_port(fabric_);
    for (const HostChange& host : change_.hosts()) {
      if (!host.before.valid()) {
        refuse(number_, fmt::format("host {} is new", after.label(host.after)));
      }
      const std::uint32_t rank = ranks[host.before.value()];
      const bool stays = host.after.valid();
      has_link_[network_.to_host(rank)] = has_link_[network_.from_host(rank)] = stays;
      if (stays) require_same_position(fabric_.end_port(host.before), after.end_port(host.after));
    }
  }

  void require_same_position(const EndPort& before, const EndPort& after) const {
    if (change_.switch_after()[before.attached.value()] != after.attached.value() ||
        before.switch_port != after.switch_port) {
      refuse(number_, fmt::format("host {} is at another port", after.name));
    }
    if (before.lid != after.lid) {
      refuse(number_,
             fmt::format("host {} has LID {} instead of {}", after.name, after.lid, before.lid));
    }
  }

  /// By port of a switch; no_position if the port has no link now.
  std::vector<std::uint8_t> positions_of_ports(SwitchId s) const {
    std::vector<std::uint8_t> positions = links_.positions(s);
    const std::uint32_t first = network_.switches[s.value()].first_port;
    for (std::uint8_t& place : positions) {
      if (place != no_position && !has_link_[network_.out_link[first + place]]) place = no_position;
    }
    return positions;
  }

  std::size_t number_;
  const Network& network_;
  const Fabric& fabric_;  // the first
  FabricChange change_;   // from the first state to this one
  PortLinks links_;       // of the first
  std::vector<bool> has_link_;
  std::vector<std::uint32_t> first_switch_;  // by switch of the state
};

/// When each block is written.
std::vector<SimulatedTime> times_of(const LaterState& later, std::size_t writes) {
  std::vector<SimulatedTime> times;
  if (!later.order.times_ns.empty()) {
    for (const std::int64_t ns : later.order.times_ns) {
      times.push_back(later.time + ns * picoseconds_per_nanosecond);
    }
    return times;
  }
  const double each = static_cast<double>(later.spread_over) / static_cast<double>(writes);
  for (std::size_t i = 1; i <= writes; ++i) {
    times.push_back(later.time + later.tables_after +
                    static_cast<SimulatedTime>(each * static_cast<double>(i)));
  }
  return times;
}

std::vector<RouteUpdate> updates_of(const LaterState& later, const std::vector<BlockWrite>& writes,
                                    const StateInNetwork& state, std::size_t width) {
  const std::vector<SimulatedTime> times = times_of(later, writes.size());
  std::vector<RouteUpdate> updates;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::uint32_t first = writes[i].block * lids_per_block;
    const auto end = static_cast<std::uint32_t>(
        std::min<std::size_t>(width, std::size_t{first} + lids_per_block));
    if (first < end)
      updates.push_back({times[i], state.first_switch(writes[i].at_switch), first, end});
  }
  return updates;
}

}  // namespace

std::vector<BlockWrite> writes_between(const RoutedState& before, const RoutedState& after) {
  const FabricChange change(before.fabric, after.fabric);
  return table_changes(tables_before_writing(change, before, after), after).writes;
}

SimulatedTime last_write(const LaterState& later) {
  if (later.order.times_ns.empty()) return later.time + later.tables_after + later.spread_over;
  return later.time + later.order.times_ns.back() * picoseconds_per_nanosecond;
}

std::vector<NetworkChange> network_changes(const RoutedState& first, const Network& network,
                                           const LaterStates& later) {
  std::vector<NetworkChange> changes;
  std::vector<bool> had_link(network.links.size(), true);
  SimulatedTime free_from = 0;
  const RoutedState* before = &first;
  for (std::size_t k = 0; k < later.states.size(); ++k) {
    const LaterState& next = later.states[k];
    if (next.time < free_from) {
      throw Error(ErrorKind::usage, fmt::format("change {} at {}: the previous change is not over "
                                                "until {}; expected changes one after the other",
                                                k + 1, time_text(next.time), time_text(free_from)));
    }
    const StateInNetwork state(k, first, network, next.state);
    const FabricChange step(before->fabric, next.state.fabric);
    const ForwardingTables old_tables = tables_before_writing(step, *before, next.state);
    NetworkChange& change = changes.emplace_back();
    change.time = next.time;
    for (std::uint32_t link = 0; link < network.links.size(); ++link) {
      if (had_link[link] == state.has_link()[link]) continue;
      (had_link[link] ? change.failing : change.coming).push_back(link);
    }
    change.routes_at_once = state.routes(old_tables);
    change.routes = state.routes(next.state.tables);
    change.updates =
        updates_of(next,
                   next.order.writes.empty() ? table_changes(old_tables, next.state).writes
                                             : next.order.writes,
                   state, network.width);
    free_from = last_write(next);
    had_link = state.has_link();
    before = &next.state;
  }
  return changes;
}

}  // namespace pssp
