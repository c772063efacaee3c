// Tests how a change affects the links and routes of a run, and which changes are refused.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "simulator/changes/network_changes.h"
#include "simulator/network/network_builder.h"
#include "tests/simulator/oracles/simulated.h"
#include "topologies/survivors.h"

namespace pssp {
namespace {

using namespace test;

struct TwoStates {
  RoutedNetwork first, second;
  Network network;
  LaterStates later{};

  TwoStates(RoutedNetwork before, RoutedNetwork after)
      : first(std::move(before)),
        second(std::move(after)),
        network(build_network(first.fabric, first.tables, equal_links(), 2176)) {
    later.states.push_back({microseconds(10), {second.fabric, second.tables}});
  }
  std::vector<NetworkChange> changes() const {
    return network_changes({first.fabric, first.tables}, network, later);
  }
  /// The error message for the changes; empty if they are accepted.
  std::string refusal() const {
    try {
      static_cast<void>(changes());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

RoutedNetwork damaged(const RoutedNetwork& whole, std::vector<SwitchId> switches,
                      std::vector<ChannelId> channels) {
  Fabric fabric = survivors(whole.fabric, switches, channels);
  ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  return {std::move(fabric), std::move(tables)};
}

TEST_CASE("failed cables and switches remove their links, and routes follow the new tables") {
  const std::string spec = "k-ary-n-tree 4 2 --lids=hosts-first --permute-ports --shuffle-guids";
  RoutedNetwork whole = routed(spec, "pssp");
  // A switch without hosts, and a cable that does not belong to it.
  std::uint32_t dead = no_index;
  for (std::uint32_t s = 0; s < whole.fabric.switch_count(); ++s) {
    if (whole.fabric.end_ports_of(SwitchId(s)).empty()) dead = s;
  }
  REQUIRE(dead != no_index);
  ChannelId cable;
  for (std::uint32_t c = 0; c < whole.fabric.channel_count(); ++c) {
    if (whole.fabric.channel_tail()[c] != dead && whole.fabric.channel_head()[c] != dead) {
      cable = ChannelId(c);
    }
  }
  RoutedNetwork less = damaged(whole, {SwitchId(dead)}, {cable});
  TwoStates states(std::move(whole), std::move(less));
  const auto changes = states.changes();
  REQUIRE(changes.size() == 1);
  // Four cables of the switch and one other cable, in both directions.
  CHECK(changes[0].failing.size() == 10);
  CHECK(changes[0].coming.empty());
  const Network& network = states.network;
  const std::size_t width = network.width;
  // Each entry leads to the same neighbor, by GUID, as in the new tables, or to no port.
  std::size_t without = 0;
  for (std::uint32_t s = 0; s < states.first.fabric.switch_count(); ++s) {
    const auto there =
        states.second.fabric.find_switch(states.first.fabric.switch_at(SwitchId(s)).guid);
    for (std::size_t lid = 1; lid < width; ++lid) {
      const std::uint8_t place = changes[0].routes[s * width + lid];
      const std::uint8_t at_once = changes[0].routes_at_once[s * width + lid];
      if (!there) {
        CHECK(place == no_position);
        CHECK(at_once == no_position);
        continue;
      }
      const auto leads_to = [&](std::uint8_t at) {
        return network.out_link[network.switches[s].first_port + at];
      };
      if (at_once != no_position) {
        CHECK(at_once == network.route(s, static_cast<std::uint16_t>(lid)));
        CHECK(std::ranges::count(changes[0].failing, leads_to(at_once)) == 0);
      } else if (network.route(s, static_cast<std::uint16_t>(lid)) != no_position) {
        ++without;
      }
      if (place == no_position) continue;
      const PortTarget behind = states.second.fabric.behind(
          *there, states.second.tables.at(*there, static_cast<Lid>(lid)));
      const Link& link = network.links[leads_to(place)];
      if (link.to_host) {
        CHECK(behind.kind == PortTarget::Kind::end_port);
      } else {
        REQUIRE(behind.kind == PortTarget::Kind::channel);
        CHECK(states.second.fabric
                  .switch_at(SwitchId(states.second.fabric.channel_head()[behind.index]))
                  .guid == states.first.fabric.switch_at(SwitchId(link.head)).guid);
      }
    }
  }
  CHECK(without > 0);
}

TEST_CASE("table blocks are written in the order of OpenSM over the configured time") {
  RoutedNetwork whole = routed("k-ary-n-tree 4 2 --lids", "pssp");
  RoutedNetwork less = damaged(whole, {}, {ChannelId(0)});
  TwoStates states(std::move(whole), std::move(less));
  LaterState& later = states.later.states.front();
  later.tables_after = microseconds(5);
  later.spread_over = microseconds(20);
  const std::vector<BlockWrite> writes = writes_between(
      {states.first.fabric, states.first.tables}, {states.second.fabric, states.second.tables});
  const auto updates = states.changes().front().updates;
  REQUIRE(updates.size() == writes.size());
  REQUIRE(writes.size() > 1);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    CHECK(updates[i].time ==
          microseconds(15) + static_cast<SimulatedTime>(static_cast<double>(microseconds(20)) *
                                                        static_cast<double>(i + 1) /
                                                        static_cast<double>(updates.size())));
    CHECK(updates[i].first_lid == writes[i].block * 64);
    CHECK(states.first.fabric.switch_at(SwitchId(updates[i].node)).guid ==
          states.second.fabric.switch_at(SwitchId(writes[i].at_switch)).guid);
  }
  CHECK(updates.back().time == last_write(later));

  // A write order with times determines both order and times.
  later.order.writes.assign(writes.rbegin(), writes.rend());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    later.order.times_ns.push_back(static_cast<std::int64_t>(100 * i));
  }
  const auto timed = states.changes().front().updates;
  CHECK(timed.front().time == microseconds(10));
  CHECK(timed.back().time ==
        microseconds(10) + static_cast<SimulatedTime>(writes.size() - 1) * 100'000);
  CHECK(timed.back().node == updates.front().node);
}

TEST_CASE("a change is refused if the first state lacks a host, cable or LID of the new state") {
  const RoutedNetwork whole = routed("k-ary-n-tree 4 2 --lids", "pssp");
  const auto copy = [&] { return RoutedNetwork{whole.fabric, whole.tables}; };
  CHECK(TwoStates(damaged(whole, {}, {ChannelId(0)}), copy()).refusal().find("1 cables are new") !=
        std::string::npos);
  // Hosts-first LIDs differ from the LIDs that OpenSM assigns.
  CHECK(TwoStates(copy(), routed("k-ary-n-tree 4 2 --lids=hosts-first", "pssp"))
            .refusal()
            .find("has LID") != std::string::npos);
  const EndPortId host = whole.fabric.endpoints()[5];
  Fabric without = survivors(whole.fabric, {}, {}, {&host, 1});
  ForwardingTables tables = make_engine("pssp", {})->route(without).tables;
  CHECK(TwoStates({std::move(without), std::move(tables)}, copy()).refusal().find("is new") !=
        std::string::npos);
  CHECK(TwoStates(copy(), routed("mesh 3x3 --hosts 1 --lids", "pssp"))
            .refusal()
            .find("two fabrics") != std::string::npos);
}

TEST_CASE("a change must not begin before the previous change has ended") {
  RoutedNetwork whole = routed("k-ary-n-tree 4 2 --lids", "pssp");
  RoutedNetwork less = damaged(whole, {}, {ChannelId(0)});
  TwoStates states(std::move(whole), std::move(less));
  states.later.states.front().spread_over = microseconds(20);
  states.later.states.push_back({microseconds(29), {states.first.fabric, states.first.tables}});
  CHECK(states.refusal().find("not over until 30us") != std::string::npos);
  states.later.states.back().time = microseconds(30);
  const auto changes = states.changes();
  REQUIRE(changes.size() == 2);
  CHECK(changes[1].coming == changes[0].failing);
  CHECK(changes[1].routes == states.network.routes);
}

}  // namespace
}  // namespace pssp
