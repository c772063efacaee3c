// Tests the collector with a simulated fabric: nodes that answer, are silent, are replaced by other
// nodes, lack capabilities, or report impossible counts.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "monitor/collector/collector.h"
#include "tests/monitor/simulated_port.h"
#include "wire/big_endian.h"

using namespace pssp;
using namespace std::chrono_literals;

namespace {

/// Answers all requests except those to silent LIDs.
class ObservedFabric final : public pssp::test::SimulatedPort {
 public:
  bool send(const MadBytes& mad, const Destination& to,
            std::chrono::milliseconds timeout) override {
    ++asked[to.lid];
    waited[to.lid] += timeout;
    methods.insert(mad[3]);
    MadBytes answer = mad;
    if (silent.contains(to.lid)) {
      times_out(mad);
      return true;
    }
    answer[3] = static_cast<std::uint8_t>(MadMethod::get_response);
    const MadHeader header = header_of(mad);
    MadData data{};
    if (header.attribute == node_info_attribute) {
      put(std::span<std::uint8_t>(data).subspan(12), guid_at[to.lid]);
    } else if (header.attribute == 0x01) {
      data = encode(info);
    } else if (header.attribute == 0x10) {
      ++asked_for_ticks[to.lid];
      if (!tick_at.contains(to.lid)) {
        times_out(mad);
        return true;
      }
      data[2] = tick_at[to.lid];
    } else {
      PortCounters counters = counters_at[to.lid];
      counters.port = mad[64 + 1];
      data = header.attribute == 0x12 ? encode_port_counters(counters)
                                      : encode_port_counters_extended(counters, additional());
    }
    std::copy(data.begin(), data.end(), answer.begin() + 64);
    arrives(answer);
    return true;
  }
  bool additional() const {
    return (info.capabilities2 & performance_capability::additional_extended) != 0;
  }

  std::map<Lid, unsigned> asked, asked_for_ticks;
  std::map<Lid, std::uint8_t> tick_at;              // LIDs without an entry do not answer
  std::map<Lid, std::chrono::milliseconds> waited;  // sum of the timeouts of the requests
  std::set<std::uint8_t> methods;
  std::set<Lid> silent;
  std::map<Lid, Guid> guid_at;
  std::map<Lid, PortCounters> counters_at;
  PerformanceInfo info{performance_capability::extended_width | performance_capability::xmit_wait,
                       0, 0};
};

/// A switch with GUID 100, LID 1 and `hosts` ports, and hosts with GUIDs 1, 2, .. and LIDs 2, 3, ..
std::shared_ptr<FabricMap> star(unsigned hosts) {
  auto map = std::make_shared<FabricMap>();
  const auto add = [&](Guid guid, NodeKind kind, unsigned ports, Lid lid) {
    const auto first = static_cast<std::uint32_t>(map->ports.size());
    map->nodes.push_back({guid, kind, static_cast<std::uint8_t>(ports), lid, 0, 0, "n", first});
    for (unsigned p = 1; p <= ports; ++p) {
      MapPort port;
      port.node = static_cast<std::uint32_t>(map->nodes.size() - 1);
      port.number = static_cast<PortNumber>(p);
      port.lid = lid;
      port.state = LinkState::active;
      port.rate = {4, 25'000};
      map->ports.push_back(port);
    }
  };
  for (unsigned h = 1; h <= hosts; ++h) {
    add(h, NodeKind::channel_adapter, 1, static_cast<Lid>(h + 1));
  }
  add(100, NodeKind::switch_node, hosts, 1);
  return map;
}

struct Watched {
  explicit Watched(unsigned hosts, const CollectorOptions& wanted = {})
      : gate(simulated),
        exchange(gate, options(), [this] { return simulated.now; }),
        collector(exchange, gate, wanted, [this] { return simulated.now; }) {
    for (unsigned h = 1; h <= hosts; ++h) simulated.guid_at[static_cast<Lid>(h + 1)] = h;
    simulated.guid_at[1] = 100;
    collector.set_map(star(hosts));
  }
  static ExchangeOptions options() {
    ExchangeOptions o;
    o.retries = 1;
    return o;
  }
  SnapshotPointer sweep() {
    simulated.asked.clear();
    simulated.now += 1s;
    collector.begin();
    while (collector.step(simulated.now + 1s)) {
    }
    return collector.finish();
  }
  std::size_t events_of(EventKind kind) {
    const auto events = collector.take_events();
    return static_cast<std::size_t>(std::ranges::count(events, kind, &MonitorEvent::kind));
  }

  ObservedFabric simulated;
  GetOnlyPort gate;
  Exchange exchange;
  Collector collector;
};

std::uint64_t value(const Snapshot& snapshot, std::uint32_t port, Counter counter) {
  return snapshot.counters(port)[static_cast<std::size_t>(counter)];
}

}  // namespace

TEST_CASE("a sweep reads every port and sends only Gets", "[monitor]") {
  Watched watched(3);
  watched.simulated.counters_at[2].transmit_words = 1000;
  watched.simulated.counters_at[2].symbol_errors = 65'535;
  for (Lid lid = 1; lid <= 4; ++lid) watched.simulated.tick_at[lid] = 0;
  const SnapshotPointer snapshot = watched.sweep();
  CHECK(snapshot->figures.asked == 6);
  CHECK(snapshot->figures.answered == 6);
  CHECK(value(*snapshot, 0, Counter::transmit_bytes) == 4000);
  CHECK(snapshot->saturated[0] == mask_of(Counter::symbol_errors));
  CHECK((snapshot->known[0] & mask_of(Counter::qp1_dropped)) == 0);
  CHECK((snapshot->narrow[0] & mask_of(Counter::transmit_bytes)) == 0);
  CHECK(watched.simulated.methods == std::set<std::uint8_t>{1});
  // Once per node: NodeInfo, ClassPortInfo and PortSamplesControl. Two requests per port.
  CHECK(snapshot->figures.mads == 4 * 3 + 6 * 2);
  CHECK(watched.sweep()->figures.mads == 6 * 2);
}

TEST_CASE("the capabilities of a node decide which requests it gets", "[monitor]") {
  Watched watched(1);
  watched.simulated.counters_at[2].transmit_words = 0x1'0000'0001;
  SECTION("all counters with 64 bits") {
    watched.simulated.info = {performance_capability::xmit_wait,
                              performance_capability::additional_extended, 0};
    const SnapshotPointer snapshot = watched.sweep();
    CHECK(snapshot->narrow[0] == 0);
    CHECK(value(*snapshot, 0, Counter::transmit_bytes) == 0x4'0000'0004);
    CHECK(watched.sweep()->figures.mads == 2);
  }
  SECTION("data counters with 32 bits") {
    watched.simulated.info = {0, 0, 0};
    const SnapshotPointer snapshot = watched.sweep();
    CHECK((snapshot->saturated[0] & mask_of(Counter::transmit_bytes)) != 0);
    CHECK((snapshot->known[0] & mask_of(Counter::transmit_wait)) == 0);
    CHECK((snapshot->known[0] & mask_of(Counter::unicast_transmit_packets)) == 0);
    CHECK(watched.sweep()->figures.mads == 2);
  }
}

TEST_CASE("a sweep waits one and a half timeouts for a node that becomes silent", "[monitor]") {
  Watched watched(3);
  watched.sweep();
  watched.simulated.silent = {1, 2};
  watched.simulated.waited.clear();
  watched.sweep();
  CHECK(watched.simulated.waited[2] == 750ms);
  // The switch has three ports, and each of them may use its own timeouts.
  CHECK(watched.simulated.waited[1] <= 3 * 750ms);
}

TEST_CASE("a silent node is probed less and less often, and used again when it answers",
          "[monitor][faults]") {
  Watched watched(2);
  CHECK(watched.sweep()->figures.answered == 4);
  watched.simulated.silent.insert(1);
  CHECK(watched.sweep()->figures.answered == 2);
  CHECK(watched.events_of(EventKind::node_silent) == 1);
  CHECK(watched.collector.take_wish_for_discovery());
  unsigned asked = 0;
  for (int i = 0; i < 16; ++i) {
    const SnapshotPointer snapshot = watched.sweep();
    CHECK(snapshot->figures.answered == 2);
    CHECK(snapshot->status[2] == PortStatus::backed_off);
    asked += watched.simulated.asked[1];
  }
  // Probes come after 1, 2, 4 and 8 sweeps, with two tries each.
  CHECK(asked >= 6);
  CHECK(asked <= 10);
  watched.simulated.silent.clear();
  unsigned sweeps = 0;
  while (watched.sweep()->figures.answered != 4 && sweeps < 40) ++sweeps;
  CHECK(sweeps < 40);
  CHECK(watched.events_of(EventKind::node_answers) == 1);
}

TEST_CASE("a sweep repeats a request only once, whatever the retries of the exchange",
          "[monitor]") {
  Watched watched(2);
  watched.sweep();
  ExchangeOptions patient;
  patient.retries = 7;
  watched.exchange.set_options(patient);
  watched.simulated.silent = {2};
  watched.sweep();
  CHECK(watched.simulated.asked[2] == 2);
}

TEST_CASE("readings from another node are not used", "[monitor][faults]") {
  CollectorOptions options;
  options.verify_nodes = 2;
  Watched watched(2, options);
  watched.sweep();
  watched.simulated.guid_at[2] = 77;
  const SnapshotPointer one = watched.sweep();
  const SnapshotPointer two = watched.sweep();
  CHECK((one->status[0] == PortStatus::doubtful || two->status[0] == PortStatus::doubtful));
  CHECK(two->known[0] == 0);
  CHECK(watched.events_of(EventKind::wrong_node) >= 1);
  CHECK(watched.collector.take_wish_for_discovery());
  watched.simulated.guid_at[2] = 1;
  CHECK(watched.sweep()->status[0] == PortStatus::read);
}

TEST_CASE("an identity change takes back the readings since the last identity check",
          "[monitor][faults]") {
  CollectorOptions options;
  options.verify_nodes = 8;
  Watched watched(2, options);
  std::vector<SnapshotPointer> sweeps{watched.sweep()};
  const auto sweep_until_reported = [&](EventKind kind) {
    for (int i = 0; i < 10; ++i) {
      sweeps.push_back(watched.sweep());
      for (const MonitorEvent& event : watched.collector.take_events()) {
        if (event.kind == kind) return event;
      }
    }
    FAIL("nothing was reported");
    return MonitorEvent{};
  };
  SECTION("another node answers at the LID") {
    watched.sweep();
    watched.simulated.guid_at[2] = 77;
    const MonitorEvent event = sweep_until_reported(EventKind::wrong_node);
    CHECK(event.node == 1);
    CHECK(event.until_sweep == sweeps.back()->sweep);
    CHECK(event.since_sweep >= 1);
    CHECK(event.since_sweep + options.verify_nodes >= event.until_sweep);
    CHECK(event.takes_back(event.until_sweep));
    CHECK_FALSE(event.takes_back(event.since_sweep));
    // The event is reported once, however long the state lasts, and takes back no further readings.
    watched.sweep();
    CHECK(watched.events_of(EventKind::wrong_node) == 0);
    // The first reading after the right node has returned has no reading to compare with.
    watched.simulated.guid_at[2] = 1;
    const SnapshotPointer first = watched.sweep();
    const SnapshotPointer second = watched.sweep();
    CHECK(first->status[0] == PortStatus::read);
    CHECK(differences(*sweeps.front(), *first)[0].ns == 0);
    CHECK(differences(*sweeps.front(), *first)[1].ns != 0);
    CHECK(differences(*first, *second)[0].ns != 0);
  }
  SECTION("discovery finds the node at another LID") {
    watched.sweep();
    auto map = star(2);
    std::swap(map->ports[0].lid, map->ports[1].lid);
    watched.simulated.guid_at[2] = 2;
    watched.simulated.guid_at[3] = 1;
    watched.collector.set_map(map);
    const std::vector<MonitorEvent> events = watched.collector.take_events();
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == EventKind::lid_changed);
    CHECK(events[0].node == 1);
    CHECK(events[0].until_sweep == 2);
    const SnapshotPointer after = watched.sweep();
    CHECK(after->status[0] == PortStatus::read);
    CHECK(differences(*sweeps.back(), *after)[0].ns == 0);
    CHECK(differences(*after, *watched.sweep())[0].ns != 0);
  }
}

TEST_CASE("counts that a link cannot carry are discarded, without a report of a reset",
          "[monitor][faults]") {
  Watched watched(1);
  watched.sweep();
  watched.simulated.counters_at[2].transmit_words = std::uint64_t{1} << 60;
  const SnapshotPointer garbled = watched.sweep();
  CHECK((garbled->known[0] & mask_of(Counter::transmit_bytes)) == 0);
  // The other counters of the same answer are discarded, too; those of the other answer are kept.
  CHECK((garbled->known[0] & mask_of(Counter::receive_bytes)) == 0);
  CHECK((garbled->known[0] & mask_of(Counter::symbol_errors)) != 0);
  CHECK(garbled->figures.implausible == 1);
  CHECK(watched.events_of(EventKind::implausible) == 1);
  watched.simulated.counters_at[2].transmit_words = 5;
  CHECK(watched.sweep()->figures.implausible == 0);
  CHECK(watched.events_of(EventKind::counters_reset) == 0);
}

TEST_CASE("counter resets, link failures and full counters are events", "[monitor][faults]") {
  Watched watched(1);
  watched.simulated.counters_at[2].receive_errors = 9;
  watched.sweep();
  watched.simulated.counters_at[2] = {};
  watched.sweep();
  CHECK(watched.events_of(EventKind::counters_reset) == 1);
  watched.simulated.counters_at[2].link_downed = 1;
  watched.sweep();
  CHECK(watched.events_of(EventKind::link_downed) == 1);
  watched.simulated.counters_at[2].link_downed = 255;
  watched.sweep();
  CHECK(watched.events_of(EventKind::counter_saturated) == 1);
  watched.sweep();
  CHECK(watched.events_of(EventKind::counter_saturated) == 0);
}

TEST_CASE("full wait counters of many ports are one event of the fabric", "[monitor]") {
  Watched watched(3);
  watched.sweep();
  const auto fill = [&](Lid lid) {
    watched.simulated.counters_at[lid].transmit_wait = 0xffff'ffff;
  };
  fill(2);
  fill(3);
  watched.sweep();
  const std::vector<MonitorEvent> events = watched.collector.take_events();
  const auto full = std::ranges::find(events, EventKind::counter_saturated, &MonitorEvent::kind);
  REQUIRE(full != events.end());
  CHECK(std::ranges::count(events, EventKind::counter_saturated, &MonitorEvent::kind) == 1);
  CHECK(full->node == 0);
  CHECK_THAT(full->text, Catch::Contains("PortXmitWait") && Catch::Contains("is not a fault"));
  // The text has two sentences.
  CHECK(std::ranges::count(full->text, '.') == 2);
  fill(4);
  watched.sweep();
  CHECK(watched.events_of(EventKind::counter_saturated) == 0);
  watched.simulated.counters_at.clear();
  watched.sweep();
  fill(2);
  watched.sweep();
  CHECK(watched.events_of(EventKind::counter_saturated) == 1);
}

TEST_CASE("many port events of one kind in a sweep are combined into one event", "[monitor]") {
  Watched watched(40);
  for (unsigned h = 2; h < 42; ++h)
    watched.simulated.counters_at[static_cast<Lid>(h)].symbol_errors = 3;
  watched.sweep();
  watched.simulated.counters_at.clear();
  watched.sweep();
  CHECK(watched.events_of(EventKind::counters_reset) == 1);
}

TEST_CASE("ports of hosts can be left out", "[monitor]") {
  CollectorOptions options;
  options.hosts = false;
  Watched watched(2, options);
  const SnapshotPointer snapshot = watched.sweep();
  CHECK(snapshot->figures.asked == 2);
  CHECK(snapshot->status[0] == PortStatus::left_out);
  CHECK(watched.simulated.asked[2] == 0);
}

TEST_CASE("the tick of PortXmitWait is requested once per node and converts waits to words",
          "[monitor]") {
  Watched watched(3);
  auto map = star(3);
  map->ports[1].rate = {1, 25'000};
  watched.collector.set_map(map);
  watched.simulated.tick_at = {{1, 0}, {2, 7}, {3, 3}};
  watched.sweep();
  const SnapshotPointer before = watched.sweep();
  REQUIRE(before->tick_bytes.size() == 6);
  CHECK(before->tick_bytes[0] == 32);  // 8 symbols on 4 lanes
  CHECK(before->tick_bytes[1] == 4);   // 4 symbols on one lane
  CHECK(before->tick_bytes[2] == 0);   // unknown, because the node did not answer
  CHECK(before->tick_bytes[3] == 4);   // tick 0 of a switch with 4 lanes: one word
  for (const Lid lid : std::initializer_list<Lid>{2, 3, 4}) {
    watched.simulated.counters_at[lid].transmit_wait = 1000;
    watched.simulated.counters_at[lid].transmit_words = 8000;
  }
  const SnapshotPointer after = watched.sweep();
  CHECK(value(*after, 0, Counter::transmit_wait) == 1000);  // in ticks, as the node counts
  const auto found = differences(*before, *after);
  CHECK(found[0].of(Counter::transmit_wait) == 8000);
  CHECK(waiting_share(found[0]) == Approx(0.5));
  CHECK(found[1].of(Counter::transmit_wait) == 1000);
  CHECK(found[2].of(Counter::transmit_wait) == 1000);
  CHECK(waiting_share(found[2]) == Approx(1.0 / 9));
  for (int i = 0; i < 40; ++i) watched.sweep();
  CHECK(watched.simulated.asked_for_ticks[1] == 1);
  CHECK(watched.simulated.asked_for_ticks[2] == 1);
  CHECK(watched.simulated.asked_for_ticks[4] == 2);  // two requests without an answer
}

TEST_CASE("each link speed has its own tick, which is requested when a port of that speed appears",
          "[monitor]") {
  Watched watched(2);
  auto map = star(2);
  map->ports[3].rate = {4, 12'500};
  watched.collector.set_map(map);
  watched.simulated.tick_at = {{1, 1}, {2, 1}, {3, 1}};
  watched.sweep();
  watched.sweep();
  CHECK(watched.simulated.asked_for_ticks[1] == 2);
  CHECK(watched.simulated.asked_for_ticks[2] == 1);
  auto other = star(2);
  other->ports[0].rate = {4, 5'000};
  watched.simulated.tick_at[2] = 0;
  watched.collector.set_map(other);
  watched.sweep();
  const SnapshotPointer after = watched.sweep();
  CHECK(after->tick_bytes[0] == 4);
  CHECK(after->tick_bytes[1] == 8);
  CHECK(watched.simulated.asked_for_ticks[1] == 2);
  CHECK(watched.simulated.asked_for_ticks[2] == 2);
}

TEST_CASE("nodes of a type are no longer asked for ticks after the first ones did not answer",
          "[monitor]") {
  Watched watched(40);
  watched.sweep();
  for (int i = 0; i < 60; ++i) watched.sweep();
  unsigned asked = 0;
  for (const auto& [lid, times] : watched.simulated.asked_for_ticks) asked += times;
  CHECK(asked <= 2 * 7);
  CHECK(watched.sweep()->figures.answered == 80);
}

TEST_CASE("a node that was silent is asked for its tick again", "[monitor][faults]") {
  Watched watched(1);
  watched.simulated.tick_at = {{1, 1}, {2, 1}};
  watched.sweep();
  watched.simulated.silent = {2};
  watched.sweep();
  watched.simulated.silent.clear();
  watched.simulated.tick_at[2] = 3;
  for (int i = 0; i < 6; ++i) watched.sweep();
  const SnapshotPointer after = watched.sweep();
  CHECK(after->tick_bytes[0] == 16);
  CHECK(watched.simulated.asked_for_ticks[2] == 2);
}

TEST_CASE("a fabric that is cut off causes one event, not one per node", "[monitor]") {
  constexpr unsigned hosts = 30;
  Watched watched(hosts);
  watched.sweep();
  for (Lid lid = 1; lid <= hosts + 1; ++lid) watched.simulated.silent.insert(lid);
  watched.sweep();
  const auto events = watched.collector.take_events();
  REQUIRE(std::ranges::count(events, EventKind::node_silent, &MonitorEvent::kind) == 1);
  const auto event = std::ranges::find(events, EventKind::node_silent, &MonitorEvent::kind);
  CHECK_THAT(event->text, Catch::StartsWith("31 nodes, the first: "));
}

TEST_CASE("an unanswered sweep has as many requested ports as a real sweep", "[monitor]") {
  Watched watched(3);
  const SnapshotPointer real = watched.sweep();
  for (const bool with_hosts : {true, false}) {
    const SnapshotPointer none = unanswered_sweep(real->map, 7, with_hosts);
    CHECK(none->sweep == 7);
    CHECK(none->figures.answered == 0);
    CHECK(none->figures.asked == (with_hosts ? real->figures.asked : 3));
    CHECK(std::ranges::count(none->status, PortStatus::silent) == none->figures.asked);
    CHECK(std::ranges::count(none->status, PortStatus::left_out) == (with_hosts ? 0 : 3));
    CHECK(differences(*real, *none)[0].ns == 0);
  }
}

TEST_CASE(
    "tick 7 of an NVIDIA switch means eight bytes of the whole port, not eight symbols per lane") {
  SweepTarget target;
  target.ticks = {{50'000, std::uint8_t{7}}};
  MapNode node;
  node.kind = NodeKind::switch_node;
  MapPort port;
  port.rate = {4, 50'000};
  CHECK(tick_bytes_of(target, node, port) == 32);
  node.vendor = 0x0002c9;
  CHECK(tick_bytes_of(target, node, port) == 8);
  target.ticks = {{50'000, std::uint8_t{31}}};
  CHECK(tick_bytes_of(target, node, port) == 128);
  target.ticks = {{50'000, std::uint8_t{255}}};
  port.rate.lanes = 12;
  CHECK(tick_bytes_of(target, node, port) == 3072);
  target.ticks = {{50'000, std::nullopt}};
  CHECK(tick_bytes_of(target, node, port) == 0);
  port.rate = {};
  CHECK(tick_bytes_of(target, node, port) == 0);
}
