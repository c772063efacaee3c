#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "osm_plugin/table_chooser.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/table_transfer.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// Returns the first of the prepared tables that the request accepts, or the first if it accepts
/// none. Throws if there are no tables.
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

/// Returns the first tables once, then always the second.
class InTurn : public RoutingEngine {
 public:
  InTurn(ForwardingTables first, ForwardingTables second)
      : first_(std::move(first)), second_(std::move(second)) {}

 private:
  Routing compute(const Fabric& /*fabric*/, const RouteRequest& /*request*/) const override {
    return {std::exchange(is_first_, false) ? first_ : second_};
  }

  ForwardingTables first_, second_;
  mutable bool is_first_ = true;
};

ForwardingTables tables_of(const char* engine, const Fabric& fabric) {
  return make_engine(engine, {})->route(fabric).tables;
}

constexpr LogDetail detail;

ChooserOptions stable_options() {
  ChooserOptions options;
  options.stable = StableOptions{.keep_long_management_paths = true};
  return options;
}

struct Scene {
  TableChooser chooser(std::unique_ptr<RoutingEngine> engine, const ChooserOptions& options = {}) {
    return {std::move(engine), options,
            [this](const LogMessage& message) { said.push_back(message); }};
  }
  /// For tests that replace the chooser, as a restart of opensm does.
  std::unique_ptr<TableChooser> start(const char* engine) {
    return std::make_unique<TableChooser>(
        make_engine(engine, {}), stable_options(),
        [this](const LogMessage& message) { said.push_back(message); });
  }
  TableChooser chooser(std::vector<ForwardingTables> tables, const ChooserOptions& options = {}) {
    return chooser(std::make_unique<Prepared>(std::move(tables)), options);
  }
  bool has_said(const decltype(LogMessage::kind)& kind, const std::string& part) const {
    return std::ranges::any_of(said, [&](const LogMessage& each) {
      return each.kind == kind && each.text.find(part) != std::string::npos;
    });
  }

  std::vector<LogMessage> said;
};

LaneSupply lanes(unsigned now, unsigned after_sweep = 0) {
  return {true, now, std::max(now, after_sweep), "the narrowest link"};
}
const LaneSupply no_qos{};

/// The output ports of the switches on the path to the LID.
std::vector<PortNumber> ports_of_route(const Fabric& fabric, const ForwardingTables& tables,
                                       SwitchId from, Lid lid) {
  std::vector<PortNumber> ports;
  for (SwitchId s = from; ports.size() <= fabric.switch_count();) {
    ports.push_back(tables.at(s, lid));
    const PortTarget target = fabric.behind(s, ports.back());
    if (target.kind != PortTarget::Kind::channel) break;
    s = SwitchId(fabric.channel_head()[target.index]);
  }
  return ports;
}

ChooserOptions with(DeadlockPolicy policy) {
  ChooserOptions options;
  options.deadlock.policy = policy;
  return options;
}

}  // namespace

TEST_CASE("chooser: the engine's tables are verified and get service levels") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}));
  Choice choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.levels);
  CHECK_FALSE(choice.ask_for_sweep);
  CHECK(scene.has_said(detail, "the plugin sets the service levels"));
  // No levels are in force before OpenSM has adopted the tables.
  CHECK_FALSE(chooser.levels());
  chooser.adopt(torus, *std::move(choice.tables));
  CHECK(chooser.levels());
  choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->plan.keeps_levels);
}

TEST_CASE("chooser: unusable tables are refused, and an error of the engine is passed on") {
  const Fabric tree = make_fabric("k-ary-n-tree 2 2");
  Scene scene;
  TableChooser chooser = scene.chooser({ForwardingTables(tree.switch_count(), tree.max_lid())});
  CHECK(chooser.choose(tree, no_qos).refusal == "its tables are not usable");
  CHECK(scene.has_said(LogCode::failed_check, "the computed tables are not usable"));
  TableChooser refusing = scene.chooser(std::vector<ForwardingTables>{});
  CHECK_THROWS_WITH(refusing.choose(tree, no_qos), "nothing suits");
}

TEST_CASE("chooser: deadlock=require refuses tables that deadlock=prefer uses with a warning") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  for (const LaneSupply& supply : {no_qos, lanes(1)}) {
    Scene scene;
    TableChooser prefer = scene.chooser(make_engine("pssp", {}));
    const Choice used = prefer.choose(ring, supply);
    REQUIRE(used.tables);
    CHECK(used.tables->plan.falls_short);
    CHECK(scene.has_said(LogCode::deadlock_possible, "can deadlock under congestion"));
    TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
    const Choice refused = require.choose(ring, supply);
    CHECK_FALSE(refused.tables);
    CHECK_THAT(refused.refusal, Contains("deadlock=require, and the routes can deadlock"));
  }
}

TEST_CASE("chooser: deadlock=ignore reports credit loops only if the check is on") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  Scene scene;
  ChooserOptions options = with(DeadlockPolicy::ignore);
  TableChooser looking = scene.chooser(make_engine("pssp", {}), options);
  CHECK(looking.choose(ring, lanes(8)).tables->has_credit_loop == true);
  CHECK(scene.has_said(detail, "credit loop of"));
  scene.said.clear();
  options.credit_loop_check = false;
  TableChooser blind = scene.chooser(make_engine("pssp", {}), options);
  CHECK_FALSE(blind.choose(ring, lanes(8)).tables->has_credit_loop);
  CHECK(scene.said.empty());
}

TEST_CASE("chooser: the first of several tables that fit the lanes is used") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const ForwardingTables many = tables_of("pssp", torus);
  const ForwardingTables one = tables_of("updown", torus);
  Scene scene;
  TableChooser chooser = scene.chooser({many, one});
  const Choice choice = chooser.choose(torus, lanes(1));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == one);
  CHECK(choice.tables->rejected_for_vls == 1);
  TableChooser without = scene.chooser({many, one});
  CHECK(without.choose(torus, no_qos).tables->tables == many);
}

TEST_CASE("chooser: a sweep that provides more lanes is requested once") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}));
  CHECK(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  CHECK(scene.has_said(detail, "requested another heavy sweep"));
  CHECK_FALSE(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  CHECK_FALSE(chooser.choose(ring, lanes(8)).ask_for_sweep);
  CHECK(chooser.choose(ring, lanes(1, 8)).ask_for_sweep);
  // The sweep is requested even if the tables are refused for now.
  TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
  const Choice refused = require.choose(ring, lanes(1, 8));
  CHECK_FALSE(refused.tables);
  CHECK(refused.ask_for_sweep);
}

TEST_CASE("chooser: with stable, the last tables are kept") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  const ForwardingTables first = tables_of("pssp", tree);
  const ForwardingTables other = tables_of("cassp", tree);
  Scene scene;
  TableChooser chooser = scene.chooser({first}, stable_options());
  Choice choice = chooser.choose(tree, no_qos);
  REQUIRE(choice.tables);
  CHECK_FALSE(choice.tables->changes);
  CHECK(choice.tables->reason == RoutingReason::scratch);
  const std::uint64_t all = chooser.changed_entries(tree, *choice.tables);
  chooser.adopt(tree, *std::move(choice.tables));
  choice = chooser.choose(tree, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == first);
  CHECK(choice.tables->reason == RoutingReason::kept);
  CHECK(choice.tables->changes == EntryChanges{.kept = all});
  CHECK(chooser.changed_entries(tree, *choice.tables) == 0);

  // A fabric for which the last tables have less than half of the entries is routed from scratch.
  const Fabric larger = make_fabric("k-ary-n-tree 6 2");
  TableChooser grown = scene.chooser(make_engine("pssp", {}), stable_options());
  grown.adopt(tree, {.tables = first});
  choice = grown.choose(larger, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", larger));
  CHECK(scene.has_said(detail, "less than half of the entries; the engine routes from scratch"));
}

TEST_CASE(
    "chooser: repaired tables that can deadlock give way to the engine's tables, if it has any") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser chooser = scene.chooser({tables_of("updown", torus)}, stable_options());
  chooser.adopt(torus, {.tables = tables_of("pssp", torus)});
  const Choice choice = chooser.choose(torus, lanes(1));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("updown", torus));
  CHECK(scene.has_said(detail, "the repaired tables can deadlock; the engine routes from scratch"));

  TableChooser refusing = scene.chooser(std::vector<ForwardingTables>{}, stable_options());
  refusing.adopt(torus, {.tables = tables_of("pssp", torus)});
  const Choice kept = refusing.choose(torus, lanes(1));
  REQUIRE(kept.tables);
  CHECK(kept.tables->plan.falls_short);
  CHECK(scene.has_said(detail, "because the engine does not route this fabric: nothing suits"));
}

TEST_CASE("chooser: a failed search for lanes is not repeated") {
  const Fabric torus = make_fabric("torus 6x6x4");
  ChooserOptions options;
  options.deadlock.budget = 1;
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}), options);
  const Choice first = chooser.choose(torus, lanes(2));
  REQUIRE(first.tables);
  CHECK(first.tables->plan.falls_short);
  CHECK(scene.has_said(LogCode::deadlock_possible, "after 1 million changes"));
  const auto said = std::exchange(scene.said, {});
  const Choice again = chooser.choose(torus, lanes(2));
  REQUIRE(again.tables);
  CHECK(again.tables->tables == first.tables->tables);
  CHECK(scene.said == said);
}

namespace {

/// Returns the tables of updown if they are accepted or no signal stops the engine, and counts the
/// calls.
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
            [this](const LogMessage& message) { said.push_back(message); },
            make_engine("pssp", {})};
  }

  unsigned asked = 0;
};

}  // namespace

TEST_CASE("chooser: no tables are computed while fabric and lanes are unchanged") {
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
  // Each change calls the engine: other lanes, another fabric, the first fabric again.
  chooser.choose(torus, lanes(4));
  CHECK(scene.asked == 2);
  choice = chooser.choose(other, lanes(8));
  CHECK(scene.asked == 3);
  chooser.adopt(other, *std::move(choice.tables));
  CHECK_FALSE(chooser.choose(torus, lanes(8)).tables->unchanged);
  CHECK(scene.asked == 4);

  // A refusal is repeated with the same reason and the same messages.
  TableChooser refused =
      scene.chooser(std::make_unique<Prepared>(std::vector{tables_of("pssp", torus)}),
                    with(DeadlockPolicy::require));
  scene.said.clear();
  const Choice first = refused.choose(torus, lanes(1));
  CHECK_FALSE(first.tables);
  CHECK_FALSE(first.refusal.empty());
  const auto said = std::exchange(scene.said, {});
  CHECK(refused.choose(torus, lanes(1)).refusal == first.refusal);
  CHECK(scene.said == said);
}

TEST_CASE("chooser: an engine that exceeds its time is replaced and not tried again") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  SlowScene scene;
  TableChooser chooser = scene.slow({});
  Choice choice = chooser.choose(torus, no_qos, {.engine = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(scene.asked == 0);
  CHECK(scene.has_said(detail, "(budget.seconds); pssp, the fastest engine, routes"));
  CHECK(choice.tables->reason == RoutingReason::substitute);
  CHECK(choice.tables->limit == "budget.seconds");
  chooser.adopt(torus, *std::move(choice.tables));
  CHECK(chooser.choose(torus, no_qos).tables->unchanged);
  CHECK(chooser.choose(torus, no_qos).tables->computed_by == "pssp");
  CHECK(scene.asked == 0);

  // If opensm has another engine configured, that engine routes instead of a substitute.
  TableChooser first = scene.slow(at_once);
  const ChoiceLimits limits{.has_successor = true};
  CHECK_THROWS_WITH(first.choose(torus, no_qos, limits), Contains("stopped after"));
  CHECK_THROWS_WITH(first.choose(torus, no_qos, limits), Contains("(budget.seconds)"));
  CHECK(scene.asked == 1);
  CHECK(first.choose(torus, no_qos).tables);
  CHECK(scene.asked == 2);
}

TEST_CASE(
    "chooser: if the search for tables that fit the lanes is stopped, the first tables are used") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  unsigned asked = 0;
  Scene scene;
  // The first tables of this engine need a second lane.
  class Looking : public RoutingEngine {
    Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
      request.accept(tables_of("pssp", fabric));
      throw Stopped("looking was stopped");
    }
  };
  for (const DeadlockPolicy policy : {DeadlockPolicy::prefer, DeadlockPolicy::require}) {
    TableChooser chooser(
        std::make_unique<Looking>(), with(policy),
        [&](const LogMessage& message) { scene.said.push_back(message); },
        std::make_unique<Slow>(StopSignal(), asked));
    const Choice choice = chooser.choose(ring, lanes(1));
    REQUIRE(choice.tables);
    const bool may_deadlock = policy == DeadlockPolicy::prefer;
    CHECK(choice.tables->tables == tables_of(may_deadlock ? "pssp" : "updown", ring));
    CHECK(choice.tables->plan.falls_short == may_deadlock);
  }
  CHECK(scene.has_said(detail, "the engine's first tables are used"));
  CHECK(asked == 1);
}

TEST_CASE("chooser: work that would need too much memory is not started") {
  const Fabric torus = make_fabric("torus 6x6x4");
  SlowScene scene;
  TableChooser chooser = scene.slow({}, stable_options());
  const ChoiceLimits little{.most_bytes = 100'000};
  Choice choice = chooser.choose(torus, lanes(2), little);
  REQUIRE(choice.tables);
  CHECK(scene.asked == 0);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.falls_short);
  CHECK(scene.has_said(detail, "MiB of memory (budget.megabytes); pssp"));
  CHECK(scene.has_said(LogCode::deadlock_possible, "was not begun; raise budget.megabytes"));
  // The repair of a baseline is not started, either.
  TableChooser stable = scene.chooser(make_engine("pssp", {}), stable_options());
  stable.adopt(torus, *stable.choose(torus, no_qos).tables);
  stable.choose(make_fabric("torus 6x6x5"), no_qos, little);
  CHECK(scene.has_said(detail, "repair: would need"));
}

TEST_CASE("chooser: repairs and searches for lanes that run out of time are discarded completely") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric other = make_fabric("torus 5x5 --hosts 2 --kill-links 1");
  Scene scene;
  TableChooser stable = scene.chooser(make_engine("pssp", {}), stable_options());
  Choice choice = stable.choose(torus, no_qos);
  stable.adopt(torus, *std::move(choice.tables));
  choice = stable.choose(other, no_qos, {.stable = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", other));
  CHECK(scene.has_said(detail, "repair: stopped after"));

  // With enough time, the search would find an assignment to two lanes.
  TableChooser lanes_cut = scene.chooser(make_engine("pssp", {}));
  scene.said.clear();
  choice = lanes_cut.choose(torus, lanes(8), {.engine = at_once});
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->plan.falls_short);
  CHECK_FALSE(choice.tables->plan.levels);
  CHECK(
      scene.has_said(LogCode::deadlock_possible, "the search for virtual lanes was stopped after"));
  lanes_cut.adopt(torus, *std::move(choice.tables));
  CHECK_FALSE(lanes_cut.choose(torus, lanes(8)).tables->plan.levels);
  TableChooser require = scene.chooser(make_engine("pssp", {}), with(DeadlockPolicy::require));
  CHECK_FALSE(require.choose(torus, lanes(8), {.engine = at_once}).tables);
}

TEST_CASE("chooser: tables and levels of an earlier opensm run are restored") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  Scene scene;
  TableChooser earlier = scene.chooser({tables_of("pssp", torus)}, stable_options());
  Choice choice = earlier.choose(torus, lanes(8));
  earlier.adopt(torus, *std::move(choice.tables));
  std::string kept;
  kept = state_content(earlier.state({}));

  // The engine would now compute different tables.
  TableChooser chooser = scene.chooser({tables_of("updown", torus)}, stable_options());
  chooser.restore(read_state(kept));
  choice = chooser.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  CHECK(choice.tables->reason == RoutingReason::kept);
  CHECK(choice.tables->plan.levels->levels() == earlier.levels()->levels());

  // If the fabric has changed, the restored tables are repaired.
  const Fabric damaged = make_fabric("torus 5x5 --hosts 2 --kill-links 1");
  TableChooser changed = scene.chooser({tables_of("updown", damaged)}, stable_options());
  changed.restore(read_state(kept));
  choice = changed.choose(damaged, lanes(8));
  REQUIRE(choice.tables);
  const Choice without_restart = earlier.choose(damaged, lanes(8));
  CHECK(choice.tables->tables == without_restart.tables->tables);

  // Unusable tables are not used even if their checksum is valid.
  RoutingState forged = read_state(kept);
  forged.tables = ForwardingTables(torus.switch_count(), torus.max_lid());
  TableChooser wary = scene.chooser({tables_of("updown", torus)}, stable_options());
  wary.restore(forged);
  choice = wary.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("pssp", torus));
  // An unusable baseline is not used, either.
  forged.baseline->baseline.tables = forged.tables;
  TableChooser warier = scene.chooser({tables_of("updown", torus)}, stable_options());
  warier.restore(std::move(forged));
  choice = warier.choose(torus, lanes(8));
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == tables_of("updown", torus));
}

namespace {

/// Chooses and adopts tables as the plugin does in a sweep.
ForwardingTables adopted(TableChooser& chooser, const Fabric& fabric, const LaneSupply& supply) {
  Choice choice = chooser.choose(fabric, supply);
  REQUIRE(choice.tables);
  ForwardingTables tables = choice.tables->tables;
  chooser.adopt(fabric, *std::move(choice.tables));
  return tables;
}

}  // namespace

TEST_CASE("chooser: tables return to the baseline after repairs, even after a restart") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  Scene scene;
  std::unique_ptr<TableChooser> chooser = scene.start("best");
  const ForwardingTables baseline = adopted(*chooser, tree, no_qos);
  for (unsigned kill = 1; kill <= 6; ++kill) {
    const Fabric damaged =
        make_fabric(fmt::format("k-ary-n-tree 4 3 --kill-links {} --seed {}", 1 + kill % 4, kill));
    CHECK_FALSE(adopted(*chooser, damaged, no_qos) == baseline);
    if (kill == 4) {
      std::string kept;
      kept = state_content(chooser->state({}));
      chooser = scene.start("pssp");
      chooser->restore(read_state(kept));
    }
  }
  CHECK(adopted(*chooser, tree, no_qos) == baseline);
}

TEST_CASE("chooser: restored tables without a baseline become the baseline") {
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

TEST_CASE("chooser: service levels return to the baseline with the tables") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric damaged = make_fabric("torus 5x5 --hosts 2 --kill-links 3");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("pssp", {}), stable_options());
  const ForwardingTables baseline = adopted(chooser, torus, lanes(8));
  const ServiceLevels levels = chooser.levels()->levels();
  adopted(chooser, damaged, lanes(8));
  CHECK(adopted(chooser, torus, lanes(8)) == baseline);
  CHECK(chooser.levels()->levels() == levels);
}

TEST_CASE("chooser: service levels of unchanged routes stay while a torus loses links") {
  const Fabric torus = make_fabric("torus 6x6x4");
  Scene scene;
  ChooserOptions options = stable_options();
  options.deadlock.policy = DeadlockPolicy::require;
  TableChooser chooser = scene.chooser(make_engine("best", {}), options);
  std::mt19937_64 random(4);
  std::vector<ChannelId> missing;
  ForwardingTables before;
  ServiceLevels levels_before;
  std::uint64_t unchanged = 0, same_level = 0;
  for (int event = 0; event <= 12; ++event) {
    const Fabric now = survivors(torus, {}, missing);
    const ForwardingTables tables = adopted(chooser, now, lanes(8));
    REQUIRE(chooser.levels());
    const ServiceLevels& levels = chooser.levels()->levels();
    test::for_each_route(now, tables, false, [&](SwitchId s, Lid lid, const test::Route&) {
      if (event == 0 ||
          ports_of_route(torus, before, s, lid) != ports_of_route(torus, tables, s, lid))
        return;
      ++unchanged;
      same_level += levels.at(s, lid) == levels_before.at(s, lid) ? 1 : 0;
    });
    before = tables;
    levels_before = levels;
    const bool returns = !missing.empty() && (missing.size() == 8 || random() % 2 == 0);
    if (returns) {
      missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(random() % missing.size()));
    } else {
      missing.emplace_back(static_cast<std::uint32_t>(random() % torus.channel_count()));
    }
  }
  INFO(same_level << " of " << unchanged << " unchanged routes keep their service level");
  CHECK(static_cast<double>(same_level) >= 0.99 * static_cast<double>(unchanged));
}

TEST_CASE("chooser: a new baseline gets its levels from the search, not from the old baseline") {
  const Fabric torus = make_fabric("torus 6x6 --hosts 2");
  const ForwardingTables first = tables_of("cassp", torus), second = tables_of("pssp", torus);
  Scene scene;
  TableChooser fresh = scene.chooser({second}, stable_options());
  adopted(fresh, torus, lanes(8));
  TableChooser chooser = scene.chooser(std::make_unique<InTurn>(first, second), stable_options());
  REQUIRE(adopted(chooser, torus, lanes(8)) == first);
  REQUIRE(chooser.levels());
  chooser.ask_for_new_baseline();
  REQUIRE(adopted(chooser, torus, lanes(8)) == second);
  CHECK(chooser.levels()->levels() == fresh.levels()->levels());
}

TEST_CASE("chooser: node descriptions that arrive late change no entry") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("best", {}), stable_options());
  const ForwardingTables baseline = adopted(chooser, tree, no_qos);
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
  CHECK(adopted(chooser, now, no_qos) == baseline);
  const auto again = chooser.choose(now, no_qos).tables;
  CHECK(again->changes == EntryChanges{.kept = again->changes->kept});
}

TEST_CASE("chooser: a new baseline is computed only on request") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  Scene scene;
  TableChooser chooser = scene.chooser({tables_of("pssp", tree)}, stable_options());
  const ForwardingTables first = tables_of("cassp", tree);
  RoutingState left;
  left.switches = switch_guids(tree);
  left.tables = first;
  chooser.restore(left);
  CHECK(adopted(chooser, tree, no_qos) == first);
  chooser.ask_for_new_baseline();
  CHECK(adopted(chooser, tree, no_qos) == tables_of("pssp", tree));
  adopted(chooser, make_fabric("k-ary-n-tree 4 2 --kill-links 1"), no_qos);
  CHECK(adopted(chooser, tree, no_qos) == tables_of("pssp", tree));
}

namespace {

RoutingState left_in_switches(const Fabric& fabric, ForwardingTables tables) {
  RoutingState left;
  left.switches = switch_guids(fabric);
  left.tables = std::move(tables);
  return left;
}

/// Each entry is the lowest port that begins a minimal path, so all leaves use the same uplinks.
ForwardingTables by_lowest_ports(const Fabric& fabric) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  HopDistances search(fabric);
  for (const Lid lid : fabric.lids()) {
    const Delivery at = fabric.delivery(lid);
    if (!at.at.valid()) continue;
    search.search(at.at);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      PortNumber port = SwitchId(s) == at.at ? at.port : no_port;
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        const bool is_shortest =
            search.distance()[fabric.channel_head()[c]] + 1 == search.distance()[s];
        if (is_shortest) port = std::min(port, fabric.channel_out_port()[c]);
      }
      tables.set(SwitchId(s), lid, port);
    }
  }
  return tables;
}

}  // namespace

TEST_CASE("chooser: good tables of the previous master are kept") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  const Fabric damaged = make_fabric("k-ary-n-tree 4 3 --kill-links 3");
  Scene scene;
  TableChooser master = scene.chooser(make_engine("best", {}), stable_options());
  adopted(master, tree, no_qos);
  const ForwardingTables repaired = adopted(master, damaged, no_qos);

  // Without these tables, the standby infers the same baseline and computes the same tables.
  std::unique_ptr<TableChooser> standby = scene.start("best");
  CHECK(adopted(*standby, damaged, no_qos) == repaired);
  standby = scene.start("best");
  standby->take_over(left_in_switches(damaged, repaired));
  CHECK(adopted(*standby, damaged, no_qos) == repaired);
  CHECK(scene.has_said(detail, "the tables of the earlier subnet manager stay"));
  CHECK(standby->state({}).baseline->baseline.tables == tables_of("best", tree));
  // Tables that the engine of the standby would not compute become the baseline as they are.
  standby = scene.start("pssp");
  standby->take_over(left_in_switches(damaged, repaired));
  CHECK(adopted(*standby, damaged, no_qos) == repaired);
  CHECK(standby->state({}).baseline->baseline.tables == repaired);

  // Links failed together with the master: the standby computes the same tables as the master
  // would.
  TableChooser late = scene.chooser(make_engine("best", {}), stable_options());
  late.take_over(left_in_switches(tree, adopted(master, tree, no_qos)));
  const Choice choice = late.choose(damaged, no_qos);
  REQUIRE(choice.tables);
  CHECK(choice.tables->tables == repaired);

  // A chooser with a baseline repairs its baseline and ignores the tables in the switches.
  const ForwardingTables baseline = adopted(master, tree, no_qos);
  master.take_over(left_in_switches(tree, tables_of("updown", tree)));
  CHECK(adopted(master, tree, no_qos) == baseline);
}

TEST_CASE("chooser: the baseline of the previous master is inferred on a badly damaged fabric") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  const Fabric damaged = make_fabric("k-ary-n-tree 4 3 --kill-links 8");
  Scene scene;
  // At a first start, the engine's tables for the damaged fabric score more than the repaired ones,
  // and become the baseline.
  TableChooser first = scene.chooser(make_engine("best", {}), stable_options());
  const ForwardingTables from_scratch = adopted(first, damaged, no_qos);
  REQUIRE(scene.has_said(detail, "the baseline is the fabric as it is"));

  TableChooser master = scene.chooser(make_engine("best", {}), stable_options());
  const ForwardingTables baseline = adopted(master, tree, no_qos);
  const ForwardingTables repaired = adopted(master, damaged, no_qos);
  REQUIRE(repaired != from_scratch);
  TableChooser standby = scene.chooser(make_engine("best", {}), stable_options());
  standby.take_over(left_in_switches(damaged, repaired));
  CHECK(adopted(standby, damaged, no_qos) == repaired);
  CHECK(adopted(standby, tree, no_qos) == baseline);

  // A cable failed together with the master: only entries that must change do, and the tables still
  // return to the baseline.
  const Fabric less = survivors(damaged, {}, std::vector{ChannelId(0)});
  TableChooser late = scene.chooser(make_engine("best", {}), stable_options());
  late.take_over(left_in_switches(damaged, repaired));
  CHECK(verify(less, adopted(late, less, no_qos)).usable());
  CHECK(late.state({}).baseline->baseline.tables == baseline);
  CHECK(adopted(late, tree, no_qos) == baseline);
}

TEST_CASE("chooser: poor tables of a subnet manager without the plugin are replaced") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  Scene scene;
  const ForwardingTables worse = by_lowest_ports(tree);
  TableChooser chooser = scene.chooser(make_engine("best", {}), stable_options());
  chooser.take_over(left_in_switches(tree, worse));
  CHECK(adopted(chooser, tree, no_qos) == tables_of("best", tree));
  CHECK(scene.has_said(detail, "own tables replace those of the earlier"));

  // Empty tables, and tables of other switches, are ignored.
  for (const bool is_empty : {false, true}) {
    RoutingState left = left_in_switches(tree, worse);
    if (is_empty) left.tables = ForwardingTables(tree.switch_count(), tree.max_lid());
    for (Guid& guid : left.switches) guid += is_empty ? 0 : 1'000'000;
    TableChooser wary = scene.chooser(make_engine("best", {}), stable_options());
    wary.take_over(left);
    CHECK(adopted(wary, tree, no_qos) == tables_of("best", tree));
  }

  // Tables with a credit loop are replaced if the engine's own tables have none.
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  for (const DeadlockPolicy policy : {DeadlockPolicy::ignore, DeadlockPolicy::prefer}) {
    ChooserOptions options = stable_options();
    options.deadlock.policy = policy;
    TableChooser careful = scene.chooser(make_engine("updown", {}), options);
    careful.take_over(left_in_switches(torus, tables_of("pssp", torus)));
    CHECK(adopted(careful, torus, no_qos) == tables_of("updown", torus));
  }
  CHECK(scene.has_said(detail, "the earlier tables have a credit loop"));

  // If the engine refuses the fabric, the tables in the switches stay if they are usable.
  TableChooser poor = scene.chooser(std::vector<ForwardingTables>{}, stable_options());
  poor.take_over(left_in_switches(tree, worse));
  CHECK(adopted(poor, tree, no_qos) == worse);
}

TEST_CASE("chooser: the same faults give the same tables in any order") {
  const Fabric tree = make_fabric("xgft 4,4,4 1,2,2");
  const std::size_t cables = tree.channel_count();
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::vector<ChannelId> missing;
    for (std::uint32_t i = 0; i < 5; ++i) {
      missing.emplace_back(static_cast<std::uint32_t>((17 * seed + 31 * i) % cables));
    }
    Scene scene;
    std::vector<ForwardingTables> ends;
    for (const bool backwards : {false, true}) {
      TableChooser chooser = scene.chooser(make_engine("pssp", {}), stable_options());
      adopted(chooser, tree, no_qos);
      if (backwards) std::ranges::reverse(missing);
      for (std::size_t count = 1; count <= missing.size(); ++count) {
        const std::vector<ChannelId> so_far(missing.begin(),
                                            missing.begin() + static_cast<std::ptrdiff_t>(count));
        ForwardingTables tables = adopted(chooser, survivors(tree, {}, so_far), no_qos);
        if (count == missing.size()) ends.push_back(std::move(tables));
      }
    }
    CHECK(ends.front() == ends.back());
  }
}

TEST_CASE("chooser: after a start on a damaged tree, tables return to those of the complete tree") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3");
  const std::vector<ChannelId> cables{ChannelId(5), ChannelId(60), ChannelId(130)};
  const ForwardingTables baseline = tables_of("best", tree);
  Scene scene;
  for (const bool restarts : {false, true}) {
    std::unique_ptr<TableChooser> chooser = scene.start("best");
    const ForwardingTables first = adopted(*chooser, survivors(tree, {}, cables), no_qos);
    CHECK(scene.has_said(detail, "3 links and 0 switches are missing"));
    CHECK(scene.has_said(detail, "the baseline is the complete tree"));
    CHECK(adopted(*chooser, survivors(tree, {}, cables), no_qos) == first);
    if (restarts) {
      std::string kept;
      kept = state_content(chooser->state({}));
      chooser = scene.start("pssp");
      chooser->restore(read_state(kept));
    }
    CHECK(adopted(*chooser, tree, no_qos) == baseline);
  }
}

TEST_CASE("chooser: an inferred switch is kept after a restart") {
  const Fabric tree = make_fabric("k-ary-n-tree 4 3 --permute-ports");
  const std::vector<std::uint32_t> ranks = switch_ranks(tree);
  const auto middle = std::ranges::find(ranks, 1U);
  const std::vector<SwitchId> dead{SwitchId(static_cast<std::uint32_t>(middle - ranks.begin()))};
  const Fabric damaged = survivors(tree, dead, {});
  std::vector<ForwardingTables> ends;
  for (const bool restarts : {false, true}) {
    Scene scene;
    std::unique_ptr<TableChooser> chooser = scene.start("best");
    adopted(*chooser, damaged, no_qos);
    CHECK(scene.has_said(detail, "and 1 switches are missing"));
    if (restarts) {
      std::string kept;
      kept = state_content(chooser->state({}));
      chooser = scene.start("pssp");
      chooser->restore(read_state(kept));
    }
    ends.push_back(adopted(*chooser, tree, no_qos));
    // The tables are the same when the switch fails again and comes back.
    adopted(*chooser, damaged, no_qos);
    CHECK(adopted(*chooser, tree, no_qos) == ends.back());
  }
  CHECK(ends.front() == ends.back());
  const TableScore score = score_without_simulation(Objective::structured_suite);
  CHECK(score(tree, ends.front()) > 0.97 * score(tree, tables_of("best", tree)));
}

TEST_CASE("chooser: tables of a substitute engine are not a baseline") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric damaged = make_fabric("torus 5x5 --hosts 2 --kill-links 1");
  SlowScene scene;
  TableChooser chooser = scene.slow({}, stable_options());
  Choice choice = chooser.choose(torus, no_qos, {.engine = at_once});
  chooser.adopt(torus, *std::move(choice.tables));
  CHECK_FALSE(chooser.has_baseline());
  CHECK(scene.has_said(detail, "baseline: not computed yet"));
  CHECK(adopted(chooser, torus, no_qos) == tables_of("pssp", torus));
  CHECK_FALSE(chooser.has_baseline());
  // After the next change, the engine has enough time.
  CHECK(adopted(chooser, damaged, no_qos) == tables_of("updown", damaged));
  CHECK(chooser.has_baseline());

  // Substitute tables do not replace a baseline if a new one is requested.
  chooser.ask_for_new_baseline();
  choice = chooser.choose(damaged, no_qos, {.engine = at_once});
  CHECK(choice.tables->tables == tables_of("updown", damaged));
  CHECK(scene.has_said(detail, "the baseline stays"));

  // If the engine exceeds its time again after the next change, the substitute's tables become the
  // baseline.
  TableChooser slow = scene.slow({}, stable_options());
  for (const Fabric* const each : {&torus, &damaged}) {
    choice = slow.choose(*each, no_qos, {.engine = at_once});
    slow.adopt(*each, *std::move(choice.tables));
  }
  CHECK(slow.has_baseline());
}

TEST_CASE("chooser: after growth, the gain and the cost of a new baseline are reported") {
  const Fabric whole = make_fabric("xgft 6,6 1,4");
  const Fabric early = survivors(whole, std::vector<SwitchId>{SwitchId(8)}, {});
  const ForwardingTables new_baseline = tables_of("best", whole);
  for (const Rebaseline rebaseline : {Rebaseline::never, Rebaseline::ask, Rebaseline::automatic}) {
    Scene scene;
    ChooserOptions options = stable_options();
    options.rebaseline = rebaseline;
    options.rebaseline_gain = 0;
    TableChooser chooser = scene.chooser(make_engine("best", {}), options);
    adopted(chooser, early, no_qos);
    const ForwardingTables tables = adopted(chooser, whole, no_qos);
    std::size_t differing = 0;
    for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
      for (const Lid lid : whole.lids()) {
        differing += tables.at(SwitchId(s), lid) != new_baseline.at(SwitchId(s), lid) ? 1 : 0;
      }
    }
    INFO(differing << " entries");
    const auto count = fmt::format(" bandwidth, and change {} entries", differing);
    if (rebaseline == Rebaseline::automatic) {
      CHECK(tables == new_baseline);
      CHECK(scene.has_said(detail, "is used (stable.rebaseline=auto)"));
    } else {
      CHECK(differing > 0);
      CHECK(scene.has_said(LogTopic::fabric_growth, count) == (rebaseline == Rebaseline::ask));
      CHECK_FALSE(scene.has_said(detail, "is used (stable"));
    }
    // A reported gain is not reported again.
    scene.said.clear();
    adopted(chooser, survivors(whole, {}, std::vector<ChannelId>{ChannelId(1)}), no_qos);
    CHECK(adopted(chooser, whole, no_qos) == tables);
    CHECK_FALSE(scene.has_said(LogTopic::fabric_growth, "a new baseline would give"));
  }
}

/// A complete fabric, and the same fabric without one switch and the hosts on it.
struct LateSwitch {
  Fabric whole, early;
};
/// Removes the switch with this description. The ports and GUIDs of the fabric are shuffled.
LateSwitch late_switch(const std::string& spec, std::string_view description) {
  Fabric whole = make_fabric(spec + " --permute-ports --shuffle-guids");
  std::vector<SwitchId> gone;
  for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
    if (whole.switches()[s].description == description) gone.emplace_back(s);
  }
  REQUIRE(gone.size() == 1);
  Fabric early = survivors(whole, gone, {});
  return {std::move(whole), std::move(early)};
}

TEST_CASE("chooser: a new leaf gets the engine's entries, and existing entries stay") {
  struct Late {
    const char* spec;
    const char* leaf;
    const char* engine;
    bool is_guided = true;  // the engine's entries score more
  };
  const Late late = GENERATE(
      Late{"xgft 24,20 1,16", "leaf 20", "best"}, Late{"xgft 24,20 1,16", "leaf 8", "best"},
      Late{"xgft 8,8,8 1,4,4", "leaf 64", "best"}, Late{"chic", "leaf 44", "pssp"},
      Late{"chic", "leaf 44", "best", false});
  const auto [whole, early] = late_switch(late.spec, late.leaf);
  const auto evaluate = evaluate_without_simulation(whole, Objective::structured_suite, 0.25);
  const StructuredSuite hosts(whole, order_hosts(whole, HostOrderRule::name));
  std::vector<double> slowdown;
  // A lower bound: the slowdown of the traffic between existing hosts alone. Tables that keep all
  // existing entries cannot be better.
  double least = 0;
  for (const Rebaseline rebaseline : {Rebaseline::never, Rebaseline::ask}) {
    Scene scene;
    ChooserOptions options = stable_options();
    options.rebaseline = rebaseline;
    TableChooser chooser = scene.chooser(make_engine(late.engine, {}), options);
    const ForwardingTables before = transfer_tables(early, adopted(chooser, early, no_qos), whole);
    const ForwardingTables tables = adopted(chooser, whole, no_qos);
    std::size_t moved = 0;
    for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
      for (const Lid lid : whole.lids()) {
        const PortNumber was = before.at(SwitchId(s), lid);
        moved += was != no_port && tables.at(SwitchId(s), lid) != was ? 1 : 0;
      }
    }
    // Otherwise the links of the new leaf may take over routes from congested links.
    if (rebaseline == Rebaseline::ask && late.is_guided) CHECK(moved == 0);
    slowdown.push_back(evaluate(whole, tables).slowdown);
    least = hosts.measure(before).structured_slowdown;
  }
  const double from_scratch = evaluate(whole, tables_of(late.engine, whole)).slowdown;
  INFO(late.spec << " by " << late.engine << ": S " << slowdown[0] << " in place, " << slowdown[1]
                 << " as the engine would, not below " << least << " where nothing moves, "
                 << from_scratch << " from scratch");
  CHECK((slowdown[1] < slowdown[0]) == late.is_guided);
  if (late.is_guided) {
    CHECK(least <= slowdown[1]);
    CHECK(slowdown[1] <= 1.1 * least);
  } else {
    CHECK(slowdown[1] == Approx(least).epsilon(0.01));
  }
}

TEST_CASE(
    "chooser: a new spine improves the tables more with stable.rebaseline=ask than with never") {
  const auto [whole, early] = late_switch("xgft 16,16 1,8", "level 2 switch 5");
  const char* engine = GENERATE("best", "pssp");
  const auto evaluate = evaluate_without_simulation(whole, Objective::structured_suite, 0.25);
  std::vector<TableQuality> quality;
  for (const Rebaseline rebaseline : {Rebaseline::never, Rebaseline::ask}) {
    Scene scene;
    ChooserOptions options = stable_options();
    options.rebaseline = rebaseline;
    TableChooser chooser = scene.chooser(make_engine(engine, {}), options);
    adopted(chooser, early, no_qos);
    quality.push_back(evaluate(whole, adopted(chooser, whole, no_qos)));
  }
  INFO(engine << ": S " << quality[0].slowdown << ", settled " << quality[1].slowdown
              << ", from scratch " << evaluate(whole, tables_of(engine, whole)).slowdown);
  CHECK(quality[1].slowdown < 0.9 * quality[0].slowdown);
  CHECK(quality[1].bandwidth >= quality[0].bandwidth);
}

TEST_CASE("chooser: a new baseline is reported once even if the grown tables can deadlock") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const Fabric early = survivors(torus, std::vector<SwitchId>{SwitchId(8)}, {});
  Scene scene;
  TableChooser chooser = scene.chooser(make_engine("updown", {}), stable_options());
  chooser.adopt(early, {.tables = tables_of("pssp", early)});
  const auto times_said = [&](const std::string& part) {
    return std::ranges::count_if(
        scene.said, [&](const auto& each) { return each.text.find(part) != std::string::npos; });
  };
  adopted(chooser, torus, lanes(1));
  CHECK(times_said("repaired tables can deadlock") == 1);
  CHECK(times_said("a new baseline would give") == 1);
  adopted(chooser, survivors(torus, {}, std::vector<ChannelId>{ChannelId(1)}), lanes(1));
  adopted(chooser, torus, lanes(1));
  CHECK(times_said("repaired tables can deadlock") == 3);
  CHECK(times_said("a new baseline would give") == 1);
}
