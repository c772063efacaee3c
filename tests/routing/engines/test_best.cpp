#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

#include "base/error.h"
#include "fabric/tables/channel_loads.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/best.h"
#include "routing/engines/parts/counts/place_traffic.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables route(const Fabric& fabric, const char* engine, std::string_view options = "") {
  EngineOptions parsed = EngineOptions::parse(options);
  parsed.set("cassp.noisy_passes", "2");  // also for the candidate cassp of best
  return make_engine(engine, parsed)->route(fabric).tables;
}

const EngineOptions quick = EngineOptions::parse("cassp.noisy_passes=2");

double index_of(const Fabric& fabric, const ForwardingTables& tables) {
  return edge_forwarding_index(fabric, channel_loads(fabric, tables));
}

}  // namespace

TEST_CASE("best gives usable tables on every fabric and for every objective", "[best]") {
  for (const char* spec :
       {"k-ary-n-tree 4 2", "xgft 4,4 1,2", "torus 3x4x3", "torus 4x4 --hosts 2 --lmc 2",
        "torus 3x3 --parallel 2 --hosts 2", "random-regular 16 --degree 4 --hosts 3",
        "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
        "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands", "mesh 1 --hosts 3"}) {
    const Fabric fabric = make_fabric(spec);
    for (const char* objective : {"bandwidth", "worst_host", "index", "all_to_all"}) {
      INFO(spec << " " << objective);
      CHECK(verify(fabric, route(fabric, "best", std::string("objective=") + objective)).usable());
    }
  }
}

TEST_CASE("best scores no less than any engine, apart from the slack", "[best]") {
  struct Named {
    const char* name;
    Objective objective;
  };
  for (const char* spec : {"k-ary-n-tree 3 3 --kill-links 6", "torus 4x4x3", "mesh 4x4 --hosts 2",
                           "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    const Fabric fabric = make_fabric(spec);
    for (const Named& each :
         {Named{"bandwidth", Objective::bandwidth}, Named{"worst_host", Objective::worst_host},
          Named{"index", Objective::index}, Named{"all_to_all", Objective::all_to_all}}) {
      const TableScore score = score_without_simulation(each.objective);
      const std::string options = std::string("objective=") + each.name;
      const double exact = score(fabric, route(fabric, "best", options + " slack=0"));
      const double with_slack = score(fabric, route(fabric, "best", options + " slack=20"));
      CHECK(with_slack >= 0.98 * exact);
      for (const char* engine : {"pssp", "meshdor", "cassp", "p2ssp"}) {
        const bool is_mesh = spec[0] == 't' || spec[0] == 'm';
        if (engine[0] == 'm' && !is_mesh) continue;
        if (engine[1] == '2' && each.objective != Objective::index) continue;
        INFO(spec << " " << options << " " << engine);
        CHECK(exact >= score(fabric, route(fabric, engine)));
      }
    }
  }
}

TEST_CASE("best takes the tables with the lowest index among equal scores", "[best]") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,2,2 --kill-links 6");
  const BestTables found =
      find_best_tables(fabric, quick, [](const Fabric&, const ForwardingTables&) { return 1.0; });
  for (const TriedConstruction& each : found.tried) {
    if (each.refusal.empty() && each.one_lane) CHECK(found.tried[found.chosen].index <= each.index);
  }
  CHECK(index_of(fabric, found.tables) == found.tried[found.chosen].index);
}

TEST_CASE("the caller's score decides which tables best selects", "[best]") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,2,2 --kill-links 6");
  const ForwardingTables wanted = route(fabric, "heal");
  const BestTables found = find_best_tables(
      fabric, {},
      [&](const Fabric&, const ForwardingTables& tables) { return tables == wanted ? 1.0 : 0.5; });
  CHECK(found.tables == wanted);
  CHECK(found.tried[found.chosen].name == "heal");
}

TEST_CASE("best reports its candidates and why an engine was refused", "[best]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  const BestTables found =
      find_best_tables(fabric, quick, score_without_simulation(Objective::bandwidth));
  const auto refused = std::find_if(found.tried.begin(), found.tried.end(),
                                    [](const auto& each) { return each.name == "meshdor"; });
  REQUIRE(refused != found.tried.end());
  CHECK_THAT(refused->refusal, Catch::Contains("not a mesh or torus"));
  CHECK(found.tried[found.chosen].refusal.empty());
}

TEST_CASE("options of one candidate do not change the other candidates", "[best]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 3 3 --kill-links 6");
  const auto tried = [&](std::string_view options) {
    return find_best_tables(fabric, EngineOptions::parse(options),
                            score_without_simulation(Objective::bandwidth))
        .tried;
  };
  const auto score_of = [](const std::vector<TriedConstruction>& all, std::string_view name) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const TriedConstruction& each) { return each.name == name; });
    REQUIRE(found != all.end());
    return found->score;
  };
  const double alone = score_of(tried(""), "cassp");
  CHECK(score_of(tried("pssp.max_extra_hops=3"), "cassp") == alone);
  CHECK(score_without_simulation(Objective::bandwidth)(
            fabric, make_engine("cassp", {})->route(fabric).tables) == alone);
}

TEST_CASE("best offers its tables in order of rank until some are accepted", "[best]") {
  const Fabric fabric = make_fabric("torus 4x4x3 --hosts 2");
  const TableScore score = score_without_simulation(Objective::bandwidth);
  std::vector<ForwardingTables> offered;
  const auto accept_after = [&](std::size_t count) {
    offered.clear();
    const auto accept = [&, count](const ForwardingTables& tables) {
      offered.push_back(tables);
      return offered.size() > count;
    };
    return find_best_tables(fabric, quick, score, {.accept = accept});
  };
  const BestTables first = accept_after(0);
  CHECK(first.tables == find_best_tables(fabric, quick, score).tables);
  const BestTables third = accept_after(2);
  REQUIRE(offered.size() == 3);
  CHECK(third.tables == offered.back());
  CHECK(std::count_if(third.tried.begin(), third.tried.end(),
                      [](const TriedConstruction& each) { return each.rejected; }) == 2);
  const double slack = 0.01;
  CHECK(score(fabric, offered[0]) >= score(fabric, offered[2]) * (1 - slack));
  // If all are rejected, best selects what it would have selected without `accept`.
  CHECK(accept_after(1000).tables == first.tables);
  const Routing routing =
      make_engine("best", quick)->route(fabric, {.accept = [&](const ForwardingTables& tables) {
                                          return tables == third.tables;
                                        }});
  CHECK(routing.tables == third.tables);
}

TEST_CASE("best always has a candidate for one virtual lane", "[best]") {
  for (const char* spec : {"torus 6x6", "random-regular 16 --degree 4 --hosts 3",
                           "dragonfly --switches 3 --global-links 1 --hosts 1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const auto fits_on_one_lane = [&](const ForwardingTables& tables) {
      return assign_lanes(fabric, tables).needed == 1;
    };
    const TableScore score = score_without_simulation(Objective::bandwidth);
    const BestTables any = find_best_tables(fabric, quick, score);
    REQUIRE_FALSE(fits_on_one_lane(any.tables));
    const BestTables found = find_best_tables(fabric, quick, score, {.accept = fits_on_one_lane});
    CHECK(fits_on_one_lane(found.tables));
    CHECK_THAT(found.tried[found.chosen].name, Catch::Contains("updown"));
    CHECK(score(fabric, found.tables) >= score(fabric, route(fabric, "updown")));
  }
}

TEST_CASE("among similarly good tables best takes those that need one lane", "[best]") {
  const TableScore score = score_without_simulation(Objective::bandwidth);
  for (const char* spec : {"deimos", "chic --kill-links 20", "xgft 4,4,4 1,2,2 --kill-links 1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const BestTables found = find_best_tables(fabric, quick, score);
    CHECK(found.tried[found.chosen].one_lane);
    CHECK(assign_lanes(fabric, found.tables).needed == 1);
    CHECK(score(fabric, found.tables) >=
          0.98 * score(fabric, route(fabric, "cassp", "start=pssp")));
  }
}

TEST_CASE("options of best are checked before a fabric is known", "[best]") {
  for (const char* options : {"objective=odd", "slack=1001", "cassp.passes=-1"}) {
    INFO(options);
    CHECK_THROWS_AS(make_engine("best", EngineOptions::parse(options)), Error);
  }
}

namespace {

/// The candidate that was selected by the engine's own objective.
struct Chosen {
  Routing routing;
  const TriedConstruction& construction() const {
    return routing.notes.tried[routing.notes.chosen];
  }
};

Chosen choose(const Fabric& fabric, std::string_view options = "") {
  EngineOptions parsed = EngineOptions::parse(options);
  parsed.set("cassp.noisy_passes", "2");
  return {make_engine("best", parsed)->route(fabric)};
}

}  // namespace

TEST_CASE("the default objective includes structured traffic", "[best]") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,2,2");
  const Chosen by_both = choose(fabric);
  const Chosen by_bandwidth = choose(fabric, "objective=bandwidth");
  const TableEvaluator evaluate =
      evaluate_without_simulation(fabric, Objective::structured_suite, 0.25);
  const TableQuality both = evaluate(fabric, by_both.routing.tables);
  CHECK(both.score >= 0.99 * evaluate(fabric, by_bandwidth.routing.tables).score);
  CHECK(both.slowdown < evaluate(fabric, by_bandwidth.routing.tables).slowdown);
  // On a regular tree, the bandwidth is simulated.
  const StopSignal never;
  const TableQuality simulated =
      evaluate_by_lids(fabric, 0.25, {}, never)(fabric, by_both.routing.tables);
  CHECK(by_both.construction().slowdown == simulated.slowdown);
  CHECK(by_both.construction().bandwidth == simulated.bandwidth);
  // Traffic between hosts at the same positions of all leaves decides between equal candidates.
  const PositionTraffic positions(fabric, order_hosts(fabric, HostOrderRule::name).hosts);
  const double slow = positions.slowdown(by_both.routing.tables);
  CHECK(slow > 1);
  CHECK(by_both.construction().score == simulated.score / std::pow(slow, 0.25 / 10));
  CHECK(simulated.slowdown == both.slowdown);
  CHECK(by_bandwidth.construction().slowdown == 0);
  CHECK(choose(fabric, "best.structured_weight=0").routing.tables == by_bandwidth.routing.tables);
}

TEST_CASE("tables that use one path for all servers score less, and S equals the printed value",
          "[best]") {
  const Fabric fabric = make_fabric("xgft 18,4 1,4 --servers 2");
  const TableEvaluator evaluate =
      evaluate_without_simulation(fabric, Objective::structured_suite, 0.25);
  for (const char* count : {"dmodk.node_types=by_name", "dmodk.node_types=one"}) {
    const TableQuality quality = evaluate(fabric, route(fabric, "dmodk", count));
    CHECK(quality.score == suite_score(quality.bandwidth, quality.with_servers, 0.25));
    const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name));
    const SuiteTimes times = structured_suite.measure(route(fabric, "dmodk", count));
    CHECK(quality.slowdown == times.structured_slowdown);
    CHECK(quality.with_servers == times.with_servers);
    CHECK(quality.with_servers != quality.slowdown);
  }
}

TEST_CASE("options of dmodk apply to the dmodk candidates of best", "[best]") {
  const Fabric fabric = make_fabric("xgft 18,4 1,4 --servers 2");
  const auto tried_as = [&](std::string_view options, std::string_view name) {
    const auto tried = choose(fabric, options).routing.notes.tried;
    const auto found = std::ranges::find(tried, name, &TriedConstruction::name);
    return found == tried.end() ? std::nullopt : std::optional(*found);
  };
  const TableEvaluator evaluate =
      evaluate_without_simulation(fabric, Objective::structured_suite, 0.25);
  for (const char* options : {"", "dmodk.node_types=one", "dmodk.start=first"}) {
    INFO(options);
    const std::optional<TriedConstruction> dmodk = tried_as(options, "dmodk");
    REQUIRE(dmodk);
    const TableQuality alone = evaluate(fabric, route(fabric, "dmodk", options));
    CHECK(dmodk->slowdown == alone.slowdown);
    CHECK(dmodk->with_servers == alone.with_servers);
  }
  CHECK(tried_as("", "dmodk")->with_servers !=
        tried_as("dmodk.node_types=one", "dmodk")->with_servers);
  constexpr std::string_view from_first_path = "dmodk, start=first";
  CHECK(tried_as("", from_first_path));
  CHECK_FALSE(tried_as("dmodk.start=next", from_first_path));
  CHECK_FALSE(tried_as("dmodk.start=first", from_first_path));
  // The options apply to a damaged tree, too.
  const Fabric damaged = make_fabric("xgft 18,4 1,4 --servers 2 --kill-links 2 --seed 3");
  CHECK(route(damaged, "heal", "base=dmodk") !=
        route(damaged, "heal", "base=dmodk node_types=one"));
  CHECK(route(damaged, "heal", "base=dmodk node_types=one") ==
        route(damaged, "dmodk", "node_types=one"));
}

TEST_CASE(
    "a failed link changes few entries, even if the uplinks do not divide the hosts of a leaf",
    "[best]") {
  for (const std::string spec : {"xgft 24,20 1,16", "xgft 22,16 1,14"}) {
    const ForwardingTables whole = choose(make_fabric(spec)).routing.tables;
    const ForwardingTables damaged =
        choose(make_fabric(spec + " --kill-links 1 --seed 3")).routing.tables;
    REQUIRE(whole.entries().size() == damaged.entries().size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < whole.entries().size(); ++i) {
      changed += whole.entries()[i] != damaged.entries()[i] ? 1 : 0;
    }
    INFO(spec << ": " << changed << " of " << whole.entries().size());
    CHECK(20 * changed < whole.entries().size());
  }
}

TEST_CASE("best completes damaged trees and reports the inferred links", "[best]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --kill-links 5");
  const Chosen chosen = choose(fabric);
  CHECK(chosen.routing.notes.inferred.size() == 5);
  CHECK(choose(make_fabric("torus 3x3")).routing.notes.inferred.empty());
  const auto& tried = chosen.routing.notes.tried;
  CHECK(std::any_of(tried.begin(), tried.end(),
                    [](const auto& each) { return each.name.find("heal, structured") == 0; }));
  const TableEvaluator evaluate =
      evaluate_without_simulation(fabric, Objective::structured_suite, 0.25);
  const double score = evaluate(fabric, chosen.routing.tables).score;
  CHECK(score >= 0.99 * evaluate(fabric, route(fabric, "heal")).score);
  CHECK(score >= 0.99 * evaluate(fabric, route(fabric, "cassp")).score);
}

TEST_CASE("best lowers the load of the most congested link of a shift on one lane", "[best]") {
  const std::string hot_spots = ", hot spots ";
  const Fabric fabric = make_fabric("chic --kill-switches 4 --seed 2");
  const Chosen chosen{make_engine("best", {})->route(fabric)};
  const TriedConstruction& best = chosen.construction();
  REQUIRE(best.name.find(hot_spots) != std::string::npos);
  const std::string start = best.name.substr(0, best.name.find(hot_spots));
  const auto& tried = chosen.routing.notes.tried;
  const auto from = std::ranges::find(tried, start, &TriedConstruction::name);
  REQUIRE(from != tried.end());
  CHECK(best.slowdown < 0.95 * from->slowdown);
  CHECK(best.bandwidth >= 0.992 * from->bandwidth);
  CHECK(best.one_lane);
}

TEST_CASE("paths with one extra hop reduce hot spots if there are few minimal paths", "[best]") {
  constexpr std::string_view extra_hops = ", extra hops, ";
  const auto has_nonminimal_paths = [&](const TriedConstruction& each) {
    return each.name.find(extra_hops) != std::string::npos;
  };
  const Fabric fabric = make_fabric("random-regular 40 --degree 6 --hosts 6 --seed 3");
  const Chosen chosen{make_engine("best", {})->route(fabric)};
  const TriedConstruction& best = chosen.construction();
  CHECK(has_nonminimal_paths(best));
  double others = 0, shortest = 0;
  for (const TriedConstruction& each : chosen.routing.notes.tried) {
    if (has_nonminimal_paths(each) || !each.refusal.empty()) continue;
    others = std::max(others, each.score);
    if (each.score == others) shortest = each.slowdown;
  }
  constexpr double slack = 0.01;
  CHECK(best.score * (1 - slack) > others);
  CHECK(best.slowdown < 0.93 * shortest);
  CHECK(longest_extra_hops(fabric, chosen.routing.tables) == 1);
  CHECK(verify(fabric, chosen.routing.tables).usable());
  // If these tables need too many lanes, best selects another candidate.
  const auto fits = [&](const ForwardingTables& tables) {
    return assign_lanes(fabric, tables).needed <= 2;
  };
  CHECK(fits(make_engine("best", {})->route(fabric, {.accept = fits}).tables));
  // On trees and meshes, best does not try them.
  for (const char* spec :
       {"torus 4x4x3", "k-ary-n-tree 4 3 --kill-links 5", "hypercube 4 --hosts 2 --kill-links 2"}) {
    const auto tried = choose(make_fabric(spec)).routing.notes.tried;
    CHECK(std::ranges::none_of(tried, has_nonminimal_paths));
  }
}

TEST_CASE("tables by dimension order with repairs are a candidate on a damaged mesh", "[best]") {
  const Fabric fabric = make_fabric("hypercube 6 --hosts 2 --kill-links 9");
  const Chosen chosen = choose(fabric);
  const auto& tried = chosen.routing.notes.tried;
  const auto mesh = std::ranges::find(tried, "meshdor", &TriedConstruction::name);
  REQUIRE(mesh != tried.end());
  CHECK(mesh->refusal.empty());
  CHECK(mesh->bandwidth > 0.67);
  CHECK(chosen.construction().bandwidth > 0.67);
  CHECK(chosen.construction().slowdown < 3.1);
  CHECK(assign_lanes(fabric, chosen.routing.tables).needed <= 2);
}

TEST_CASE("a hot spot penalty that costs noticeable bandwidth is refused", "[best]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --kill-links 20");
  const auto tried = make_engine("best", {})->route(fabric).notes.tried;
  const auto refused = std::ranges::find_if(tried, [](const TriedConstruction& each) {
    return each.name.find(", hot spots 250") != std::string::npos;
  });
  REQUIRE(refused != tried.end());
  CHECK(refused->refusal.starts_with("costs 1."));
  // best then tries a smaller weight.
  REQUIRE(std::next(refused) != tried.end());
  CHECK(std::next(refused)->name.find(", hot spots 100") != std::string::npos);
}

TEST_CASE("best raises a hot spot penalty that costs little bandwidth while this helps", "[best]") {
  const Fabric fabric = make_fabric("mesh 5x5 --hosts 2 --kill-links 1 --seed 4");
  const Chosen chosen{make_engine("best", {})->route(fabric)};
  const TriedConstruction& best = chosen.construction();
  CHECK(best.name.ends_with(", hot spots 500, leaves 100"));
  CHECK(best.slowdown < 3.6);
  const auto& tried = chosen.routing.notes.tried;
  const auto first = std::ranges::find_if(tried, [](const TriedConstruction& each) {
    return each.name.ends_with(", hot spots 250, leaves 100");
  });
  REQUIRE(first != tried.end());
  CHECK(first->refusal.starts_with("scores "));
  CHECK(best.bandwidth >= 0.985 * tried.front().bandwidth);
}

TEST_CASE("best gives the same tables with any number of workers", "[best]") {
  for (const char* spec : {"k-ary-n-tree 4 3 --kill-links 5", "random-regular 16 --degree 4"}) {
    const Fabric fabric = make_fabric(spec);
    const auto engine = make_engine("best", quick);
    const ForwardingTables alone = engine->route(fabric, {.workers = 1}).tables;
    CHECK(engine->route(fabric, {.workers = 2}).tables == alone);
    CHECK(engine->route(fabric, {.workers = 16}).tables == alone);
  }
}

TEST_CASE("on regular trees bandwidth is simulated, and S decides between similar scores",
          "[best]") {
  // The estimate is too low for tables that spread shifts evenly, so it would rule out the tables
  // of pssp.
  const Fabric fabric = make_fabric("xgft 6,6,6 1,3,3");
  const Chosen chosen = choose(fabric);
  const auto& tried = chosen.routing.notes.tried;
  const TriedConstruction& best = tried[chosen.routing.notes.chosen];
  const double estimate = evaluate_without_simulation(fabric, Objective::structured_suite, 0.25)(
                              fabric, chosen.routing.tables)
                              .bandwidth;
  CHECK(best.bandwidth > 1.005 * estimate);
  for (const TriedConstruction& each : tried) {
    CHECK(0.99 * each.score <= best.score);
    if (each.refusal.empty()) CHECK(each.slowdown >= best.slowdown);
  }
}

TEST_CASE("best routes fabrics so small that all candidates are equal", "[best]") {
  for (const char* spec : {"mesh 1 --hosts 1", "mesh 1 --hosts 3", "mesh 1x2 --hosts 1",
                           "k-ary-n-tree 2 2", "xgft 1,2 1,1", "xgft 3,2 1,1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(verify(fabric, route(fabric, "best")).usable());
  }
}

TEST_CASE("best skips cassp on very large regular trees, and takes dmodk among equal tables",
          "[best]") {
  const TableScore by_pssp = [](const Fabric&, const ForwardingTables&) { return 1.0; };
  for (const char* spec : {"k-ary-n-tree 72 2", "k-ary-n-tree 4 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const BestTables found = find_best_tables(fabric, quick, by_pssp);
    CHECK(found.tables == make_engine("dmodk", {})->route(fabric).tables);
    const bool is_left_out = std::ranges::any_of(found.tried, [](const TriedConstruction& each) {
      return each.name == "cassp" && each.refusal.starts_with("skipped");
    });
    CHECK(is_left_out == (fabric.endpoints().size() > 5000));
  }
}

TEST_CASE("best rejects a weight of structured traffic outside its range", "[best]") {
  CHECK_THROWS(make_engine("best", EngineOptions::parse("best.structured_weight=2001")));
}

TEST_CASE("best scores all LIDs of a host and stays deadlock-free if base LIDs alone are",
          "[best]") {
  for (const char* spec :
       {"xgft 4,4,4 1,2,2 --lmc 1", "torus 3x3x3 --lmc 2",
        "k-ary-n-tree 3 3 --kill-links 6 --lmc 1", "mesh 4x4 --hosts 2 --lmc 1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const Routing all = make_engine("best", quick)->route(fabric);
    const TriedConstruction& chosen = all.notes.tried[all.notes.chosen];
    EngineOptions by_base = quick;
    by_base.set("best.lids", "base");
    const Routing base = make_engine("best", by_base)->route(fabric);
    CHECK(verify(fabric, all.tables).usable());
    // Without a caller that assigns lanes, best keeps the freedom from deadlocks that base LIDs
    // alone have.
    if (base.notes.tried[base.notes.chosen].one_lane) CHECK(chosen.one_lane);
    if (chosen.one_lane) CHECK(assign_lanes(fabric, all.tables).needed == 1);
    CHECK(chosen.lids == (std::string(spec).ends_with("2") ? 4 : 2));
    CHECK(base.notes.tried[base.notes.chosen].lids == 1);
    const TableScore score = score_without_simulation(Objective::structured_suite);
    constexpr double slack = 0.01;
    CHECK(score(fabric, all.tables) >= (1 - slack) * score(fabric, base.tables) * (1 - slack));
    for (const TriedConstruction& each : all.notes.tried) {
      // Candidates that were scored by base LIDs alone had lost by that score.
      if (each.lids == chosen.lids && each.score > 0) CHECK(each.base_score > 0);
      if (each.lids == chosen.lids) CHECK(each.score * (1 - slack) <= chosen.score);
    }
    const Routing by_two = make_engine("best", quick)->route(fabric, {.workers = 2});
    CHECK(by_two.tables == all.tables);
  }
}
