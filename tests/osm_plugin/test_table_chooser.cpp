#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "osm_plugin/table_chooser.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// Hands out prepared tables, the best first, and offers the others where it is asked for tables
/// that are accepted; throws where there are none.
class Prepared : public RoutingEngine {
 public:
  explicit Prepared(std::vector<ForwardingTables> tables) : tables_(std::move(tables)) {}

 private:
  Routing compute(const Fabric& /*fabric*/, const RouteRequest& request) const override {
    if (tables_.empty()) throw Error(ErrorKind::unsuitable_topology, "nothing suits");
    for (const ForwardingTables& each : tables_) {
      if (request.accept && request.accept(each)) return {each};
    }
    return {tables_.front()};
  }

  std::vector<ForwardingTables> tables_;
};

ForwardingTables tables_of(const char* engine, const Fabric& fabric) {
  return make_engine(engine, {})->route(fabric).tables;
}

struct Scene {
  TableChooser chooser(std::unique_ptr<RoutingEngine> engine, const ChooserOptions& options = {}) {
    return {std::move(engine), options, [this](Importance importance, const std::string& line) {
              said.emplace_back(importance, line);
            }};
  }
  TableChooser chooser(std::vector<ForwardingTables> tables, const ChooserOptions& options = {}) {
    return chooser(std::make_unique<Prepared>(std::move(tables)), options);
  }
  bool has_said(Importance importance, const std::string& part) const {
    return std::ranges::any_of(said, [&](const auto& each) {
      return each.first == importance && each.second.find(part) != std::string::npos;
    });
  }

  std::vector<std::pair<Importance, std::string>> said;
};

LaneSupply lanes(unsigned now, unsigned after_sweep = 0) {
  return {true, now, std::max(now, after_sweep), "the narrowest link"};
}
const LaneSupply no_qos{};

ChooserOptions with(DeadlockPolicy policy) {
  ChooserOptions options;
  options.deadlock.policy = policy;
  return options;
}
ChooserOptions stable_options() {
  ChooserOptions options;
  options.stable = StableOptions{.keep_long_management_ways = true};
  return options;
}

}  // namespace

TEST_CASE("chooser: the engine's tables, verified, with their lanes") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}));
  Choice choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.levels);
  CHECK_FALSE(choice.ask_for_sweep);
  CHECK(scene.has_said(Importance::info, "this engine chooses the service levels"));
  // Nothing is in force before OpenSM has the tables.
  CHECK_FALSE(chooser.levels());
  chooser.adopt(torus, *std::move(choice.tables));
  CHECK(chooser.levels());
  choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK_THAT(choice.tables->plan.summary, Contains("kept"));
}

TEST_CASE("chooser: tables that are not usable are not handed over") {
  const Fabric tree = make_fabric("k-ary-n-tree 2 2");
  Scene scene;
  TableChooser chooser = scene.chooser({ForwardingTables(tree.switch_count(), tree.max_lid())});
  CHECK_FALSE(chooser.choose(tree, no_qos).tables);
  CHECK(scene.has_said(Importance::error, "the tables are not usable"));
  TableChooser refusing = scene.chooser(std::vector<ForwardingTables>{});
  CHECK_THROWS_WITH(refusing.choose(tree, no_qos), "nothing suits");
}

TEST_CASE("chooser: require refuses what prefer uses and tells") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  for (const LaneSupply& supply : {no_qos, lanes(1)}) {
    Scene scene;
    TableChooser prefer = scene.chooser(make_engine("pssp", {}));
    const Choice used = prefer.choose(ring, supply);
    REQUIRE(used.tables);
    CHECK(used.tables->plan.falls_short);
    CHECK(scene.has_said(Importance::info, "can deadlock under congestion"));
    TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
    CHECK_FALSE(require.choose(ring, supply).tables);
    CHECK(scene.has_said(Importance::error, "does not route this subnet: deadlock=require"));
  }
}

TEST_CASE("chooser: ignore looks for credit loops, or for nothing") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  Scene scene;
  ChooserOptions options = with(DeadlockPolicy::ignore);
  TableChooser looking = scene.chooser(make_engine("pssp", {}), options);
  CHECK(looking.choose(ring, lanes(8)).tables);
  CHECK(scene.has_said(Importance::info, "credit loop of"));
  scene.said.clear();
  options.credit_loop_check = false;
  TableChooser blind = scene.chooser(make_engine("pssp", {}), options);
  CHECK(blind.choose(ring, lanes(8)).tables);
  CHECK(scene.said.empty());
}

TEST_CASE("chooser: of several tables the first whose lanes suffice") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const ForwardingTables many = tables_of("pssp", torus);
  const ForwardingTables one = tables_of("updown", torus);
  Scene scene;
  TableChooser chooser = scene.chooser({many, one});
  const Choice choice = chooser.choose(torus, lanes(1));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == one);
  CHECK(choice.tables->summary == "1 better set of tables turned down for want of lanes");
  TableChooser without = scene.chooser({many, one});
  CHECK(without.choose(torus, no_qos).tables->tables == many);
}

TEST_CASE("chooser: a sweep that brings more lanes is asked for once") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}));
  CHECK(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  CHECK(scene.has_said(Importance::info, "another heavy sweep is asked for"));
  CHECK_FALSE(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  CHECK_FALSE(chooser.choose(ring, lanes(8)).ask_for_sweep);
  CHECK(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  // Also where the tables themselves are refused meanwhile.
  TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
  const Choice refused = require.choose(ring, lanes(1, 8));
  CHECK_FALSE(refused.tables);
  CHECK(refused.ask_for_sweep);
}

TEST_CASE("chooser: stable goes on with the last tables") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  const ForwardingTables first = tables_of("pssp", tree);
  const ForwardingTables other = tables_of("cassp", tree);
  Scene scene;
  TableChooser chooser = scene.chooser({first}, stable_options());
  Choice choice = chooser.choose(tree, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->summary.empty());
  chooser.adopt(tree, *std::move(choice.tables));
  choice = chooser.choose(tree, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == first);
  CHECK_THAT(choice.tables->summary, Contains("stable: ") && Contains(" 0 replaced, 0 moved"));

  // A fabric of which the last tables know nothing is routed anew.
  const Fabric larger = make_fabric("k-ary-n-tree 6 2");
  TableChooser grown = scene.chooser(make_engine("pssp", {}), stable_options());
  grown.adopt(tree, {.tables = first, .plan = {}, .summary = {}});
  choice = grown.choose(larger, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", larger));
  CHECK(scene.has_said(Importance::info, "less than half; routed anew"));
}

TEST_CASE("chooser: where the last tables could deadlock the engine's own may not") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser({tables_of("updown", torus)}, stable_options());
  chooser.adopt(torus, {.tables = tables_of("pssp", torus), .plan = {}, .summary = {}});
  const Choice choice = chooser.choose(torus, lanes(1));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("updown", torus));
  CHECK(scene.has_said(Importance::info, "the mended tables could deadlock; routed anew"));

  TableChooser refusing = scene.chooser(std::vector<ForwardingTables>{}, stable_options());
  refusing.adopt(torus, {.tables = tables_of("pssp", torus), .plan = {}, .summary = {}});
  const Choice kept = refusing.choose(torus, lanes(1));
  REQUIRE(kept.tables);
  CHECK(kept.tables->plan.falls_short);
  CHECK(scene.has_said(Importance::info, "stable: not routed anew: nothing suits"));
}

TEST_CASE("chooser: a search that has failed is not made again") {
  const Fabric torus = make_fabric("torus 6x6x4");
  ChooserOptions options;
  options.deadlock.budget = 1;
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}), options);
  const Choice first = chooser.choose(torus, lanes(2));
  REQUIRE(first.tables);
  CHECK(first.tables->plan.falls_short);
  CHECK(scene.has_said(Importance::info, "budget of 1 million changes (deadlock.budget)"));
  const auto said = std::exchange(scene.said, {});
  const Choice again = chooser.choose(torus, lanes(2));
  REQUIRE(again.tables);
  CHECK(again.tables->tables == first.tables->tables);
  CHECK(scene.said == said);
}

namespace {

/// Hands out pssp's tables, as long as nobody stops it, and counts how often it is asked.
class Slow : public RoutingEngine {
 public:
  Slow(StopSignal trouble, unsigned& asked) : trouble_(std::move(trouble)), asked_(asked) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    ++asked_;
    Routing routing{tables_of("updown", fabric)};
    if (request.accept && request.accept(routing.tables)) return routing;
    trouble_.check("slow routing");
    return routing;
  }

  StopSignal trouble_;
  unsigned& asked_;
};

const StopSignal at_once{[] { return true; }};

struct SlowScene : Scene {
  TableChooser slow(const StopSignal& trouble, const ChooserOptions& options = {}) {
    return {std::make_unique<Slow>(trouble, asked), options,
            [this](Importance importance, const std::string& line) {
              said.emplace_back(importance, line);
            },
            make_engine("pssp", {})};
  }

  unsigned asked = 0;
};

}  // namespace

TEST_CASE("chooser: nothing is computed again while nothing has changed") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric other = make_fabric("torus 5x6 --hosts 2");
  SlowScene scene;
  TableChooser chooser = scene.slow({});
  Choice choice = chooser.choose(torus, lanes(8));
  chooser.adopt(torus, *std::move(choice.tables));
  scene.said.clear();
  choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(scene.asked == 1);
  CHECK(choice.tables->unchanged);
  CHECK(choice.tables->tables == tables_of("updown", torus));
  CHECK(scene.said.empty());
  // Other lanes, another fabric, and the first again.
  chooser.choose(torus, lanes(4));
  CHECK(scene.asked == 2);
  choice = chooser.choose(other, lanes(8));
  CHECK(scene.asked == 3);
  chooser.adopt(other, *std::move(choice.tables));
  CHECK_FALSE(chooser.choose(torus, lanes(8)).tables->unchanged);
  CHECK(scene.asked == 4);

  // What was refused is refused again, with the same words.
  TableChooser refused =
      scene.chooser(std::make_unique<Prepared>(std::vector{tables_of("pssp", torus)}),
                    with(DeadlockPolicy::require));
  scene.said.clear();
  CHECK_FALSE(refused.choose(torus, lanes(1)).tables);
  const auto said = std::exchange(scene.said, {});
  CHECK_FALSE(refused.choose(torus, lanes(1)).tables);
  CHECK(scene.said == said);
  CHECK_FALSE(said.empty());
}

TEST_CASE("chooser: an engine that takes too long is replaced, and not tried again") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  SlowScene scene;
  TableChooser chooser = scene.slow({});
  Choice choice = chooser.choose(torus, no_qos, {.engine = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(scene.asked == 0);
  CHECK(scene.has_said(Importance::info, "(budget.seconds); pssp, the quickest engine, routes"));
  chooser.adopt(torus, *std::move(choice.tables));
  CHECK(chooser.choose(torus, no_qos).tables->unchanged);
  CHECK(scene.asked == 0);

  // Where opensm has another engine to ask, that one takes over.
  TableChooser first = scene.slow(at_once);
  const ChoiceLimits limits{.has_successor = true};
  CHECK_THROWS_WITH(first.choose(torus, no_qos, limits), Contains("next engine of opensm's list"));
  CHECK_THROWS_WITH(first.choose(torus, no_qos, limits), Contains("cut short"));
  CHECK(scene.asked == 1);
  CHECK(first.choose(torus, no_qos).tables);
  CHECK(scene.asked == 2);
}

TEST_CASE("chooser: an engine that is stopped while it looks for lanes has made its first choice") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  unsigned asked = 0;
  Scene scene;
  // Its first choice needs a second lane.
  class Looking : public RoutingEngine {
    Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
      request.accept(tables_of("pssp", fabric));
      throw Stopped("looking was stopped");
    }
  };
  for (const DeadlockPolicy policy : {DeadlockPolicy::prefer, DeadlockPolicy::require}) {
    TableChooser chooser(
        std::make_unique<Looking>(), with(policy),
        [&](Importance importance, const std::string& line) {
          scene.said.emplace_back(importance, line);
        },
        std::make_unique<Slow>(StopSignal(), asked));
    const Choice choice = chooser.choose(ring, lanes(1));
    REQUIRE(choice.tables);
    const bool may_deadlock = policy == DeadlockPolicy::prefer;
    CHECK(choice.tables->tables == tables_of(may_deadlock ? "pssp" : "updown", ring));
    CHECK(choice.tables->plan.falls_short == may_deadlock);
  }
  CHECK(scene.has_said(Importance::info, "its first choice is used"));
  CHECK(asked == 1);
}

TEST_CASE("chooser: what would need too much memory is not begun") {
  const Fabric torus = make_fabric("torus 6x6x4");
  SlowScene scene;
  TableChooser chooser = scene.slow({}, stable_options());
  const ChoiceLimits little{.most_bytes = 100'000};
  Choice choice = chooser.choose(torus, lanes(2), little);
  REQUIRE(choice.tables);
  CHECK(scene.asked == 0);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.falls_short);
  CHECK(scene.has_said(Importance::info, "MiB of memory by its estimate (budget.megabytes); pssp"));
  CHECK(scene.has_said(Importance::info, "was not begun (budget.megabytes)"));
  chooser.adopt(torus, *std::move(choice.tables));
  chooser.choose(make_fabric("torus 6x6x5"), lanes(2), little);
  CHECK(scene.has_said(Importance::info, "stable: would need"));
}

TEST_CASE("chooser: stable rerouting and searches for lanes are cut short, whole or not at all") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric other = make_fabric("torus 5x5 --hosts 2 --kill-links 1");
  Scene scene;
  TableChooser stable = scene.chooser(make_engine("pssp", {}), stable_options());
  Choice choice = stable.choose(torus, no_qos);
  stable.adopt(torus, *std::move(choice.tables));
  choice = stable.choose(other, no_qos, {.stable = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", other));
  CHECK(scene.has_said(Importance::info, "stable: cut short after"));

  // The search would have found two lanes.
  TableChooser lanes_cut = scene.chooser(make_engine("pssp", {}));
  scene.said.clear();
  choice = lanes_cut.choose(torus, lanes(8), {.engine = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.falls_short);
  CHECK_FALSE(choice.tables->plan.levels);
  CHECK(scene.has_said(Importance::info, "the search for lanes was cut short after"));
  lanes_cut.adopt(torus, *std::move(choice.tables));
  CHECK_FALSE(lanes_cut.choose(torus, lanes(8)).tables->plan.levels);
  TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
  CHECK_FALSE(require.choose(torus, lanes(8), {.engine = at_once}).tables);
}

TEST_CASE("chooser: what an earlier opensm had is gone on with") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser earlier = scene.chooser({tables_of("pssp", torus)}, stable_options());
  Choice choice = earlier.choose(torus, lanes(8));
  earlier.adopt(torus, *std::move(choice.tables));
  std::string kept;
  write_state(earlier.state({}), [&](std::string_view part) { kept += part; });

  // The engine would have others now.
  TableChooser chooser = scene.chooser({tables_of("updown", torus)}, stable_options());
  chooser.restore(read_state(kept));
  choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK_THAT(choice.tables->summary, Contains("stable: ") && Contains(" 0 replaced, 0 moved"));
  CHECK(choice.tables->plan.levels->levels() == earlier.levels()->levels());

  // After a change it is brought up to date.
  const Fabric damaged = make_fabric("torus 5x5 --hosts 2 --kill-links 1");
  TableChooser changed = scene.chooser({tables_of("updown", damaged)}, stable_options());
  changed.restore(read_state(kept));
  choice = changed.choose(damaged, lanes(8));
  REQUIRE(choice.tables);
  const Choice without_restart = earlier.choose(damaged, lanes(8));
  CHECK(choice.tables->tables == without_restart.tables->tables);

  // Tables that are not usable are not used, whatever their checksum.
  RoutingState forged = read_state(kept);
  forged.tables = ForwardingTables(torus.switch_count(), torus.max_lid());
  TableChooser wary = scene.chooser({tables_of("updown", torus)}, stable_options());
  wary.restore(forged);
  choice = wary.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  // Nor is such a home.
  forged.home->home.tables = forged.tables;
  TableChooser warier = scene.chooser({tables_of("updown", torus)}, stable_options());
  warier.restore(std::move(forged));
  choice = warier.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("updown", torus));
}

namespace {

/// Goes on as opensm does: what is chosen is in force.
ForwardingTables adopted(TableChooser& chooser, const Fabric& fabric, const LaneSupply& supply) {
  Choice choice = chooser.choose(fabric, supply);
  REQUIRE(choice.tables);
  ForwardingTables tables = choice.tables->tables;
  chooser.adopt(fabric, *std::move(choice.tables));
  return tables;
}

}  // namespace

TEST_CASE("chooser: tables come home, over a restart, too") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("best", {}), stable_options());
  const ForwardingTables home = adopted(chooser, tree, no_qos);
  for (unsigned kill = 1; kill <= 6; ++kill) {
    const Fabric damaged =
        make_fabric(fmt::format("k-ary-n-tree 4 3 --kill-links {} --seed {}", 1 + kill % 4, kill));
    CHECK_FALSE(adopted(chooser, damaged, no_qos) == home);
    if (kill == 4) {
      std::string kept;
      write_state(chooser.state({}), [&](std::string_view part) { kept += part; });
      chooser = scene.chooser(make_engine("pssp", {}), stable_options());
      chooser.restore(read_state(kept));
    }
  }
  CHECK(adopted(chooser, tree, no_qos) == home);
}

TEST_CASE("chooser: what somebody has left without a home becomes home") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  const Fabric damaged = make_fabric("k-ary-n-tree 4 2 --kill-links 2");
  Scene scene;
  TableChooser chooser = scene.chooser({tables_of("pssp", tree)}, stable_options());
  RoutingState left;
  left.switches = switch_guids(tree);
  left.tables = tables_of("cassp", tree);
  chooser.restore(left);
  CHECK(adopted(chooser, tree, no_qos) == left.tables);
  adopted(chooser, damaged, no_qos);
  CHECK(adopted(chooser, tree, no_qos) == left.tables);
}

TEST_CASE("chooser: service levels come home with the tables") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric damaged = make_fabric("torus 5x5 --hosts 2 --kill-links 3");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}), stable_options());
  const ForwardingTables home = adopted(chooser, torus, lanes(8));
  const ServiceLevels levels = chooser.levels()->levels();
  adopted(chooser, damaged, lanes(8));
  CHECK(adopted(chooser, torus, lanes(8)) == home);
  CHECK(chooser.levels()->levels() == levels);
}

TEST_CASE("chooser: names that come late move nothing") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("best", {}), stable_options());
  const ForwardingTables home = adopted(chooser, tree, no_qos);
  FabricBuilder renamed;
  std::vector<NodeId> switches;
  for (const Switch& each : tree.switches()) {
    switches.push_back(renamed.add_switch(each.guid, each.ports, each.name, "a switch"));
    renamed.set_lid(switches.back(), management_port, each.lid, each.lmc);
  }
  for (std::uint32_t e = 0; e < tree.end_port_count(); ++e) {
    const EndPort& each = tree.end_port(EndPortId(e));
    const NodeId node = renamed.add_adapter(each.node_guid, 1, each.kind, each.name,
                                            fmt::format("host {}", 100 - e));
    renamed.set_lid(node, each.port, each.lid, each.lmc);
    renamed.set_port_guid(node, each.port, each.port_guid);
    renamed.connect(node, each.port, switches[each.attached.value()], each.switch_port, each.rate);
  }
  for (std::uint32_t c = 0; c < tree.channel_count(); ++c) {
    renamed.connect(switches[tree.channel_tail()[c]], tree.channel_out_port()[c],
                    switches[tree.channel_head()[c]], tree.channel_in_port()[c],
                    tree.channel_rate()[c]);
  }
  const Fabric now = std::move(renamed).build();
  CHECK(adopted(chooser, now, no_qos) == home);
  CHECK_THAT(chooser.choose(now, no_qos).tables->summary, Contains(" 0 replaced, 0 moved"));
}

TEST_CASE("chooser: a new home is made when it is asked for, and not before") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  Scene scene;
  TableChooser chooser = scene.chooser({tables_of("pssp", tree)}, stable_options());
  const ForwardingTables first = tables_of("cassp", tree);
  RoutingState left;
  left.switches = switch_guids(tree);
  left.tables = first;
  chooser.restore(left);
  CHECK(adopted(chooser, tree, no_qos) == first);
  chooser.ask_for_new_home();
  CHECK(adopted(chooser, tree, no_qos) == tables_of("pssp", tree));
  adopted(chooser, make_fabric("k-ary-n-tree 4 2 --kill-links 1"), no_qos);
  CHECK(adopted(chooser, tree, no_qos) == tables_of("pssp", tree));
}
