#include <algorithm>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "osm_plugin/background_router.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// Blocks an engine until the gate is opened.
class Gate {
 public:
  void open() {
    const std::scoped_lock lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

/// An engine that first waits for a gate. It can be stopped only after the gate is open.
class Gated : public RoutingEngine {
 public:
  Gated(const char* engine, Gate& gate) : engine_(make_engine(engine, {})), gate_(gate) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    gate_.pass();
    request.stop.check("waiting");
    return engine_->route(fabric, request);
  }

  std::unique_ptr<RoutingEngine> engine_;
  Gate& gate_;
};

class Refuses : public RoutingEngine {
 private:
  Routing compute(const Fabric& /*fabric*/, const RouteRequest& /*request*/) const override {
    throw Error(ErrorKind::unsuitable_topology, "nothing suits");
  }
};

/// A chooser with background routing. The scene acts as OpenSM: it sweeps and adopts the tables.
class Scene {
 public:
  explicit Scene(std::shared_ptr<const RoutingEngine> engine,
                 BackgroundMode mode = BackgroundMode::on,
                 std::shared_ptr<const RoutingEngine> quick = make_engine("pssp", {}))
      : chooser(
            std::move(engine), options(), [this](const LogMessage& each) { add(each); },
            std::move(quick)),
        router(chooser, {mode, std::numeric_limits<std::uint64_t>::max(), [this] { swept.open(); }},
               [this](const LogMessage& each) { add(each); }) {}

  static ChooserOptions options() {
    ChooserOptions options;
    options.stable = StableOptions{.keep_long_management_paths = true};
    return options;
  }

  /// Simulates one sweep: adopts the chosen tables and returns them.
  CandidateTables sweep(const Fabric& fabric, const LaneSupply& supply = {}) {
    Choice choice = router.choose(fabric, supply, {});
    REQUIRE(choice.tables);
    CHECK(verify(fabric, choice.tables->tables).usable());
    CandidateTables tables = *choice.tables;
    chooser.adopt(fabric, *std::move(choice.tables));
    return tables;
  }

  bool has_logged(LogCode code, const std::string& part) {
    const std::scoped_lock lock(mutex);
    return std::ranges::any_of(logged, [&](const LogMessage& each) {
      return each.kind == decltype(LogMessage::kind)(code) &&
             each.text.find(part) != std::string::npos;
    });
  }

  Gate swept;  // opened when a sweep is requested
  TableChooser chooser;
  std::vector<LogMessage> logged;
  std::mutex mutex;
  BackgroundRouter router;

 private:
  void add(const LogMessage& message) {
    const std::scoped_lock lock(mutex);
    logged.push_back(message);
  }
};

ForwardingTables tables_of(const char* engine, const Fabric& fabric) {
  return make_engine(engine, {})->route(fabric).tables;
}

std::size_t differences(const ForwardingTables& a, const ForwardingTables& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    count += a.entries()[i] == b.entries()[i] ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("background: OpenSM gets interim tables first, then the engine's tables") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  const CandidateTables first = scene.sweep(fabric);
  CHECK(first.reason == RoutingReason::interim);
  CHECK(first.computed_by == "pssp");
  CHECK(first.tables == tables_of("pssp", fabric));
  CHECK(scene.router.is_running());
  CHECK(scene.chooser.is_interim());
  CHECK(scene.sweep(fabric).unchanged);
  gate.open();
  scene.swept.pass();
  const CandidateTables second = scene.sweep(fabric);
  CHECK(second.reason == RoutingReason::scratch);
  CHECK(second.tables == tables_of("best", fabric));
  CHECK_FALSE(scene.chooser.is_interim());
  CHECK(scene.chooser.has_baseline());
  CHECK(scene.sweep(fabric).unchanged);
  CHECK_FALSE(scene.router.is_running());
}

TEST_CASE("background: with mode auto, a small fabric is routed by the engine at once") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Scene scene(make_engine("best", {}), BackgroundMode::automatic);
  CHECK(scene.sweep(fabric).reason == RoutingReason::scratch);
  CHECK_FALSE(scene.router.is_running());
}

TEST_CASE(
    "background: faults while the engine runs are repaired, and its tables become the baseline") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,4,4 --permute-ports");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  const CandidateTables first = scene.sweep(fabric);
  const std::size_t entries = first.tables.entries().size();
  std::uint64_t seed = GENERATE(3, 4, 5);
  const auto with_fault = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const ChannelId dead(static_cast<std::uint32_t>((seed >> 33U) % fabric.channel_count()));
    return survivors(fabric, {}, std::vector{dead});
  };
  for (int fault = 0; fault < 20; ++fault) {
    const Fabric now = with_fault();
    const CandidateTables repaired = scene.sweep(now);
    CHECK(repaired.reason != RoutingReason::interim);
    CHECK(repaired.computed_by == first.computed_by);
    CHECK(differences(repaired.tables, first.tables) < entries / 4);
    CHECK_FALSE(verify(now, repaired.tables).has_credit_loop());
    CHECK(scene.chooser.is_interim());
    CHECK_FALSE(scene.chooser.has_baseline());
  }
  const Fabric damaged = with_fault();
  gate.open();
  scene.swept.pass();
  const ForwardingTables best = tables_of("best", fabric);
  const CandidateTables from_baseline = scene.sweep(damaged);
  CHECK(from_baseline.reason == RoutingReason::repaired);
  CHECK(differences(from_baseline.tables, best) < entries / 4);
  CHECK_FALSE(scene.router.is_running());
  CHECK(scene.sweep(fabric).tables == best);
}

TEST_CASE(
    "background: interim tables do not become the baseline if the engine then routes in the "
    "foreground") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,4,4");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  scene.sweep(fabric);
  const Fabric damaged = survivors(fabric, {}, std::vector{ChannelId(0)});
  CHECK(scene.sweep(damaged).reason == RoutingReason::repaired);
  gate.open();
  scene.router.cancel();
  Choice choice = scene.chooser.choose(fabric, {}, {});
  REQUIRE(choice.tables);
  CHECK(choice.tables->reason == RoutingReason::scratch);
  CHECK(choice.tables->tables == tables_of("best", fabric));
}

TEST_CASE("background: tables of another subnet manager are not a baseline while the engine runs") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,4,4");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  RoutingState left;
  left.switches = switch_guids(fabric);
  left.tables = tables_of("updown", fabric);
  scene.chooser.take_over(left);
  CHECK(scene.sweep(fabric).tables == left.tables);
  CHECK(scene.chooser.is_interim());
  // The same holds if only the virtual lanes have changed.
  CHECK(scene.sweep(fabric, {true, 4, 4, ""}).tables == left.tables);
  CHECK(scene.chooser.is_interim());
  CHECK_FALSE(scene.chooser.has_baseline());
  gate.open();
}

TEST_CASE("background: a canceled run leaves no result, and the next sweep starts a new one") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  scene.sweep(fabric);
  scene.router.cancel();
  CHECK_FALSE(scene.router.is_running());
  gate.open();
  CHECK(scene.sweep(fabric).unchanged);
  scene.swept.pass();
  CHECK(scene.sweep(fabric).tables == tables_of("best", fabric));
}

TEST_CASE("background: the router can be destroyed while the engine runs") {
  Gate gate;
  std::optional<Scene> scene(std::in_place, std::make_shared<Gated>("best", gate));
  scene->sweep(make_fabric("xgft 4,4,2 1,2,2"));
  scene->router.cancel();
  gate.open();
  scene.reset();
}

TEST_CASE("background: an engine that refuses a fabric is called again only after a change") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Scene scene(std::make_shared<Refuses>());
  CHECK(scene.sweep(fabric).reason == RoutingReason::interim);
  while (scene.router.is_running()) std::this_thread::yield();
  CHECK(scene.has_logged(LogCode::background, "nothing suits"));
  CHECK(scene.sweep(fabric).unchanged);
  CHECK_FALSE(scene.router.is_running());
  const CandidateTables next = scene.sweep(survivors(fabric, {}, std::vector{ChannelId(0)}));
  CHECK(next.reason == RoutingReason::repaired);
  while (scene.router.is_running()) std::this_thread::yield();
}

TEST_CASE("background: interim tables are deadlock-free if one lane must suffice") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  REQUIRE(verify(torus, tables_of("pssp", torus)).has_credit_loop());
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  const LaneSupply one_lane{true, 1, 1, "the narrowest link"};
  const CandidateTables first = scene.sweep(torus, one_lane);
  CHECK(first.computed_by == "updown");
  CHECK_FALSE(verify(torus, first.tables).has_credit_loop());
  gate.open();
  scene.swept.pass();
  CHECK_FALSE(verify(torus, scene.sweep(torus, one_lane).tables).has_credit_loop());
}

TEST_CASE("background: updown computes the interim tables if the fast engine refuses the fabric") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate), BackgroundMode::on,
              std::make_shared<Refuses>());
  CHECK(scene.sweep(fabric).computed_by == "updown");
  gate.open();
  scene.swept.pass();
  CHECK(scene.sweep(fabric).tables == tables_of("best", fabric));
}

TEST_CASE("background: a requested new baseline replaces the old one when it is ready") {
  const Fabric fabric = make_fabric("xgft 4,4,2 1,2,2");
  Gate gate;
  Scene scene(std::make_shared<Gated>("best", gate));
  scene.sweep(fabric);
  gate.open();
  scene.swept.pass();
  const CandidateTables before = scene.sweep(fabric);
  scene.chooser.ask_for_new_baseline();
  const CandidateTables meanwhile = scene.sweep(fabric);
  CHECK(meanwhile.unchanged);
  while (scene.router.is_running()) std::this_thread::yield();
  CHECK(scene.sweep(fabric).reason == RoutingReason::rebaselined);
  CHECK(scene.sweep(fabric).unchanged);
  CHECK_FALSE(scene.router.is_running());
}
