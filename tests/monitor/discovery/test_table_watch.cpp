// Tests the table watch with a simulated fabric whose tables and links change during the test.

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <set>

#include "monitor/analysis/reroute.h"
#include "monitor/discovery/table_watch.h"
#include "wire/big_endian.h"

using namespace pssp;
using namespace std::chrono_literals;

namespace {

using End = std::pair<Guid, PortNumber>;

/// The monitor's adapter (GUID 1) at switch 100, switch 101 behind two cables, and a host (GUID 2)
/// at switch 101. Every request is answered or times out at once.
class SimulatedSwitches final : public MadPort {
 public:
  SimulatedSwitches() {
    connect({1, 1}, {100, 1});
    connect({100, 2}, {101, 2});
    connect({100, 3}, {101, 3});
    connect({2, 1}, {101, 1});
    for (const Guid s : {100, 101}) tables[s].assign(128, no_port);
    for (const auto& [s, lid, port] :
         std::initializer_list<std::tuple<Guid, Lid, PortNumber>>{{100, 1, 1},
                                                                  {100, 2, 2},
                                                                  {100, 10, 0},
                                                                  {100, 11, 2},
                                                                  {101, 1, 2},
                                                                  {101, 2, 1},
                                                                  {101, 10, 2},
                                                                  {101, 11, 0}}) {
      tables[s][lid] = port;
    }
  }

  void connect(End a, End b) {
    cables[a] = b;
    cables[b] = a;
  }
  void cut(End a) {
    const End b = cables.at(a);
    cables.erase(a);
    cables.erase(b);
    changed.insert({a.first, b.first});
  }

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds) override {
    const std::optional<End> at = to.lid == permissive_lid ? along(to.route) : by_tables(to.lid);
    ++(to.lid == permissive_lid ? directed : by_lid);
    if (!at) {
      arriving_.push_back({mad, true});
      return true;
    }
    MadBytes answer = mad;
    answer[3] = static_cast<std::uint8_t>(MadMethod::get_response);
    if (to.lid == permissive_lid) answer[4] |= 0x80;
    const MadHeader header = header_of(mad);
    const MadData data = answer_data(*at, header.attribute, header.modifier);
    std::copy(data.begin(), data.end(), answer.begin() + 64);
    arriving_.push_back({answer, false});
    return true;
  }
  std::string send_error() const override { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds) override {
    if (arriving_.empty()) return std::nullopt;
    const ReceivedMad mad = arriving_.front();
    arriving_.pop_front();
    return mad;
  }

  /// Each reading of the clock advances the time.
  Exchange::Clock::time_point now() { return time_ += 500us; }

  std::map<Guid, std::vector<PortNumber>> tables;
  std::map<End, End> cables;
  std::set<Guid> changed;
  unsigned directed = 0, by_lid = 0;

 private:
  static bool is_switch(Guid node) { return node >= 100; }

  std::optional<End> along(const DirectedRoute& route) const {
    End at{1, 1};
    for (unsigned hop = 1; hop <= route.hops; ++hop) {
      const auto cable = cables.find({at.first, route.port[hop]});
      if (cable == cables.end()) return std::nullopt;
      at = cable->second;
    }
    return at;
  }
  std::optional<End> by_tables(Lid lid) const {
    End at{1, 1};
    for (unsigned hops = 0; hops < 5; ++hops) {
      if (!is_switch(at.first) && hops != 0) return at;
      const PortNumber port = is_switch(at.first) ? tables.at(at.first)[lid] : PortNumber{1};
      if (port == 0) return at;
      const auto cable = cables.find({at.first, port});
      if (cable == cables.end()) return std::nullopt;
      at = cable->second;
    }
    return std::nullopt;
  }

  MadData answer_data(End at, std::uint16_t attribute, std::uint32_t modifier) const {
    MadData data{};
    const std::span<std::uint8_t> bytes(data);
    const bool of_switch = is_switch(at.first);
    const Lid lid = static_cast<Lid>(of_switch ? at.first - 90 : at.first);
    switch (attribute) {
      case 0x10:
        data[0] = of_switch ? 'S' : 'H';
        break;
      case 0x11:
        data[2] = of_switch ? 2 : 1;
        data[3] = of_switch ? 3 : 1;
        put(bytes.subspan(12), at.first);
        put(bytes.subspan(20), at.first);
        data[36] = at.second;
        break;
      case 0x12:
        put(bytes.subspan(6), Lid{100});
        data[11] = changed.contains(at.first) ? 0x04 : 0;
        break;
      case 0x15: {
        const auto port = static_cast<PortNumber>(modifier);
        const bool is_up = port == 0 || cables.contains({at.first, port});
        if (!of_switch || port == 0) put(bytes.subspan(16), lid);
        data[31] = 2;                    // 4x
        data[32] = is_up ? 0x14 : 0x11;  // active or down
        data[33] = is_up ? 0x50 : 0x20;  // link up or polling
        data[35] = 0x10;
        break;
      }
      case 0x19:
        std::copy_n(tables.at(at.first).begin() + modifier * 64, 64, data.begin());
        break;
      default:
        break;
    }
    return data;
  }

  std::deque<ReceivedMad> arriving_;
  Exchange::Clock::time_point time_{1h};
};

struct WatchedSwitches {
  WatchedSwitches()
      : exchange(simulated, options(), [this] { return simulated.now(); }),
        walk(exchange, {}),
        watch(exchange, walk, 0, [this] { return simulated.now(); }) {
    walk.begin();
    while (walk.busy()) exchange.step(simulated.now() + 1s);
    static_cast<void>(walk.take_done());
    watch.begin(to_fabric_map(walk.take_nodes()));
    while (!watch.has_first_tables()) turn();
  }
  static ExchangeOptions options() {
    ExchangeOptions options;
    options.retries = 0;
    return options;
  }
  void turn() { watch.turn(simulated.now() + 20ms); }
  template <class Condition>
  bool comes(const Condition& condition) {
    for (unsigned i = 0; i < 5000; ++i) {
      if (condition()) return true;
      turn();
    }
    return false;
  }
  bool calms() {
    return comes([this] { return !watch.is_restless(); });
  }

  SimulatedSwitches simulated;
  Exchange exchange;
  FabricWalk walk;
  TableWatch watch;
};

}  // namespace

TEST_CASE("table watch: a stable fabric is read by LID and has no changes") {
  WatchedSwitches fabric;
  REQUIRE(fabric.watch.map()->nodes.size() == 4);
  REQUIRE(fabric.watch.map()->fabric != nullptr);
  REQUIRE(fabric.calms());
  const LiveTablesPointer tables = fabric.watch.tables();
  CHECK(tables->switches == 2);
  CHECK(tables->unread_switches == 0);
  CHECK(tables->tables().at(SwitchId(0), 2) == 2);
  fabric.simulated.directed = fabric.simulated.by_lid = 0;
  for (unsigned i = 0; i < 50; ++i) fabric.turn();
  CHECK(fabric.simulated.by_lid > 10);
  CHECK(fabric.simulated.directed == 0);
  CHECK(fabric.watch.take_changes().empty());
  CHECK(fabric.watch.resolution().cycles > 2);
}

TEST_CASE("table watch: a changed block is returned once, with its time") {
  WatchedSwitches fabric;
  REQUIRE(fabric.calms());
  fabric.simulated.tables[101][70] = 1;
  fabric.simulated.tables[101][71] = 1;
  std::vector<ChangedBlock> changes;
  REQUIRE(fabric.comes([&] {
    changes = fabric.watch.take_changes();
    return !changes.empty();
  }));
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].node == 101);
  CHECK(changes[0].block == 1);
  CHECK(changes[0].entries() == 2);
  CHECK(changes[0].before[6] == no_port);
  CHECK(changes[0].after[6] == 1);
  CHECK(changes[0].since_ns < changes[0].time_ns);
  CHECK(fabric.watch.is_restless());
  REQUIRE(fabric.calms());
  CHECK(fabric.watch.take_changes().empty());
  CHECK(fabric.watch.instability().first_sign_ns >= changes[0].time_ns);
  CHECK(fabric.watch.instability().failed_by_lid == 0);
}

TEST_CASE(
    "table watch: after a cable failure, tables are read along directed routes until repaired") {
  WatchedSwitches fabric;
  REQUIRE(fabric.calms());
  const LiveTablesPointer before = fabric.watch.tables();
  fabric.simulated.cut({100, 2});
  REQUIRE(fabric.comes([&] { return fabric.watch.instability().failed_by_lid > 20; }));
  REQUIRE(fabric.comes([&] { return fabric.watch.map()->hash != before->map->hash; }));
  CHECK(fabric.watch.take_changes().empty());
  // The subnet manager writes the far switch first.
  for (const auto& [s, lid] :
       std::initializer_list<std::pair<Guid, Lid>>{{101, 1}, {101, 10}, {100, 2}, {100, 11}}) {
    fabric.simulated.tables[s][lid] = 3;
  }
  fabric.simulated.changed.clear();
  REQUIRE(fabric.calms());
  const Instability instability = fabric.watch.instability();
  CHECK(instability.unreachable_switches == 1);
  CHECK(instability.longest_unreachable_ns > 0);
  CHECK(instability.longest_unreachable_ns <=
        instability.last_sign_ns - instability.first_sign_ns + 10'000'000);
  const SeenReroute seen{before, fabric.watch.tables(), fabric.watch.take_changes(),
                         instability.first_sign_ns};
  CHECK(seen.changes.size() == 2);
  const JobPorts job{"7", {1, 2}}, elsewhere{"8", {1}};
  const RerouteImpact impact = impact_of(seen, std::vector{job, elsewhere});
  CHECK(impact.problem.empty());
  CHECK(impact.entries == 4);
  CHECK(impact.blocks == 2);
  CHECK(impact.switches == 2);
  REQUIRE(impact.routes.has_value());
  CHECK(impact.routes->flows.moved.flows == 2);
  CHECK(impact.states.no_route.at_first == 2);
  CHECK(impact.states.without_route.back() == 0);
  REQUIRE(impact.jobs.size() == 1);
  CHECK(impact.jobs[0].id == "7");
  CHECK(impact.jobs[0].flows.moved.flows == 2);
  // Tables are read by LID again.
  for (unsigned i = 0; i < 50; ++i) fabric.turn();
  fabric.simulated.directed = 0;
  for (unsigned i = 0; i < 50; ++i) fabric.turn();
  CHECK(fabric.simulated.directed == 0);
}

TEST_CASE("table watch: a change also ends if a switch is gone permanently") {
  WatchedSwitches fabric;
  REQUIRE(fabric.calms());
  const LiveTablesPointer before = fabric.watch.tables();
  fabric.simulated.cut({100, 2});
  fabric.simulated.cut({100, 3});
  REQUIRE(fabric.comes([&] { return fabric.watch.is_restless(); }));
  REQUIRE(fabric.calms());
  CHECK(fabric.watch.map()->nodes.size() == 2);
  CHECK(fabric.watch.tables()->switches == 1);
  const RerouteImpact impact =
      impact_of({before, fabric.watch.tables(), fabric.watch.take_changes(), 0});
  CHECK(impact.entries == 0);
  CHECK((impact.routes.has_value() || !impact.problem.empty()));
}

TEST_CASE("table watch: writes that the readings cannot separate are one step") {
  WatchedSwitches fabric;
  const Fabric& known = *fabric.watch.map()->fabric;
  const auto change = [](Guid node, std::int64_t since, std::int64_t time) {
    ChangedBlock block{node, 0, since, time, {}, {}};
    block.after[2] = 1;
    return block;
  };
  const std::vector<SeenStep> steps =
      steps_of(std::vector{change(100, 10, 20), change(101, 12, 22), change(100, 20, 30),
                           change(999, 0, 31), change(101, 22, 32), change(100, 33, 40)},
               known);
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].time_ns == 22);
  CHECK(steps[0].writes.size() == 2);
  CHECK(steps[1].time_ns == 32);
  CHECK(steps[1].writes.size() == 2);
  CHECK(steps[2].writes.size() == 1);
}
