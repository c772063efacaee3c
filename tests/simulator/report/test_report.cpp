// Tests the report with short runs in the fabric of experiment A of the thesis.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "congestion/profiles.h"
#include "simulator/report/on_times.h"
#include "simulator/report/run_summary.h"
#include "simulator/report/victims.h"
#include "simulator/scenarios/parameter_change.h"
#include "simulator/scenarios/registry.h"
#include "simulator/traffic/traffic_file.h"

using namespace pssp;

namespace {

struct ShortRun {
  ScenarioFabric made = make_scenario_fabric(find_scenario("thesis-a"));
  Traffic traffic = parse_traffic(
                        "duration 4ms ; warmup 1ms ; sample 100us\n"
                        "flow {H112, H211, H121} -> H221\nvictim H111 -> H121\n",
                        "t", made.fabric, 1)
                        .traffic;
  Model model;
  Outcome outcome;

  ShortRun() {
    model.host_rate = LinkRate{4, 2000};
    model.link_rate = LinkRate{4, 8000};
    outcome = simulate(made.fabric, made.tables, nullptr, traffic, model, nullptr, {});
  }
};

}  // namespace

TEST_CASE("the report gives rates, fair shares and latencies of flows, and the total throughput") {
  const ShortRun run;
  const RunSummary summary =
      summarize(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome);
  REQUIRE(summary.flows.size() == 4);
  double sum = 0;
  for (const FlowSummary& flow : summary.flows) sum += flow.rate;
  CHECK(summary.throughput.mean == Approx(sum).epsilon(1e-9));
  CHECK(summary.throughput.mean == Approx(1.25e9).epsilon(0.02));
  CHECK(summary.of_links == Approx(1.25 / 18).epsilon(0.02));
  const FlowSummary& victim = summary.flows.back();
  CHECK(victim.name == "H111 -> H121");
  CHECK(victim.victim);
  CHECK(victim.share == Approx(0.25).epsilon(0.03));
  CHECK(victim.fair_share.value() == Approx(1));
  CHECK(summary.flows.front().fair_share.value() == Approx(1.0 / 3));
  CHECK(summary.latency.p50 > 0);
  double longest = 0;
  for (const FlowSummary& flow : summary.flows) {
    REQUIRE(flow.latency);
    CHECK(flow.latency->p50 <= flow.latency->p99);
    longest = std::max(longest, flow.latency->most);
  }
  CHECK(longest == summary.latency.most);
  CHECK(summary.latency.p99 <= summary.latency.most);
  CHECK_FALSE(summary.completion_ns);
}

TEST_CASE(
    "the report finds the victim's root at the port where the paths of all contributors end") {
  const ShortRun run;
  const RunSummary summary =
      summarize(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome);
  const auto victims = find_victims(run.made.fabric, run.made.tables, run.traffic, run.model,
                                    run.outcome, summary, 10);
  REQUIRE(victims.size() == 1);
  const PortDirectory ports(run.made.fabric, run.model);
  REQUIRE(victims[0].tree.size() >= 2);
  CHECK(ports.name(victims[0].tree.back()) == "SW22[1] -> H221");
  CHECK(victims[0].contributors.size() == 3);
  CHECK(find_victims(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome, summary,
                     0)
            .empty());
}

TEST_CASE("the report compares the notification interval q n t with CCTI_Timer") {
  const ShortRun run;
  const CongestionParameters start = load_congestion_parameters("thesis-start");
  const auto holds = find_holds(run.made.fabric, run.traffic, run.model, start);
  REQUIRE(holds.size() == 1);
  CHECK(holds[0].contributors == 3);
  CHECK(holds[0].marking_step == 2);
  CHECK(holds[0].notification_ns == Approx(2 * 3 * 2176));
  CHECK(holds[0].timer_ns == Approx(20480));
  CHECK(holds[0].holds());
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const auto rare = with_changes(start, Changes{{"Marking_Rate", "10"}});
  CHECK_FALSE(find_holds(run.made.fabric, run.traffic, run.model, rare).at(0).holds());
  CHECK(find_holds(run.made.fabric, run.traffic, run.model, load_congestion_parameters("off"))
            .empty());
}

TEST_CASE("a flow with pauses demands less, and other flows get the rest as their fair share") {
  const ShortRun run;
  const auto fair = [&](const std::string& text) {
    const Traffic traffic = parse_traffic(text, "t", run.made.fabric, 1).traffic;
    Outcome outcome;
    for (const StaticFlow& flow : traffic.flows) outcome.flows.emplace_back().hosts = flow.hosts;
    outcome.ports.resize(PortDirectory(run.made.fabric, run.model).count());
    std::vector<double> shares;
    for (const FlowSummary& flow :
         summarize(run.made.fabric, run.made.tables, traffic, run.model, outcome).flows) {
      shares.push_back(flow.fair_share.value());
    }
    return shares;
  };
  const auto shares = fair("flow H112 -> H221 on 10us off 30us\nflow H211 -> H221\n");
  CHECK(shares.at(0) == Approx(0.25));
  CHECK(shares.at(1) == Approx(0.75));
  const auto slower = fair("flow H112 -> H221 rate 40% on 30us off 10us\nflow H211 -> H221\n");
  CHECK(slower.at(0) == Approx(0.3));
  CHECK(slower.at(1) == Approx(0.7));
}

TEST_CASE("flows that end before the warm-up does are excluded from shares") {
  ShortRun run;
  run.traffic = parse_traffic(
                    "duration 1ms ; warmup 500us\nflow H111 -> H121 bytes 4KiB label early\n"
                    "flow H211 -> H221 bytes 600KiB label late\nflow H112 -> H222\n",
                    "t", run.made.fabric, 1)
                    .traffic;
  run.outcome =
      simulate(run.made.fabric, run.made.tables, nullptr, run.traffic, run.model, nullptr, {});
  const RunSummary summary =
      summarize(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome);
  REQUIRE(run.outcome.flows[0].finished < run.traffic.warmup);
  CHECK_FALSE(summary.flows[0].measured);
  CHECK(summary.flows[1].measured);
  CHECK(summary.finite_flow_share.value() == Approx(summary.flows[1].share));
  CHECK(summary.flows[1].share == Approx(1).epsilon(0.05));
  CHECK(summary.jain == Approx(1).epsilon(0.01));
  CHECK(find_victims(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome, summary,
                     10)
            .empty());
}

TEST_CASE("the time of a pattern's flow counts from the beginning of its phase") {
  ShortRun run;
  // In each phase, every host sends one flow and receives one flow, so there is no contention.
  run.traffic =
      parse_traffic("duration 10ms\npattern shifts bytes 64KiB among {H111, H121, H112}\n", "t",
                    run.made.fabric, 1)
          .traffic;
  REQUIRE(run.traffic.rounds.at(0).rounds.size() == 2);
  run.outcome =
      simulate(run.made.fabric, run.made.tables, nullptr, run.traffic, run.model, nullptr, {});
  REQUIRE(run.outcome.end == RunEnd::all_delivered);
  const RunSummary summary =
      summarize(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome);
  REQUIRE(summary.flows.size() == 6);
  for (const FlowSummary& flow : summary.flows) {
    CHECK(flow.share == Approx(1).epsilon(0.06));
    CHECK_FALSE(flow.fair_share);
  }
  CHECK(summary.finite_flow_share.value() == Approx(1).epsilon(0.06));
  CHECK(find_victims(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome, summary,
                     10)
            .empty());
}

TEST_CASE("the report adds up the active time of a pair over rounds, patterns and traces") {
  Traffic traffic;
  traffic.warmup = 10;
  const Flow pair{0, 1};
  const Flow other{1, 0};
  traffic.rounds.push_back({.rounds = {{pair}, {other}, {pair, pair}}, .bytes = 1, .label = "a"});
  traffic.rounds.push_back({.rounds = {{pair}}, .bytes = 1, .start = 50, .label = "a"});
  traffic.trace = {{.time = 20, .hosts = pair, .bytes = 1},
                   {.time = 30, .hosts = pair, .bytes = 1}};
  Outcome outcome;
  outcome.simulated = 200;
  outcome.round_ends = {40, 70, never, 90};
  const auto add = [&](Flow hosts, const char* label, SimulatedTime finished) {
    FlowOutcome& flow = outcome.flows.emplace_back();
    flow.hosts = hosts;
    flow.label = label;
    flow.finished = finished;
  };
  add(pair, "a", 100);  // 10 .. 40 and 70 .. 100
  add(pair, "", 35);    // 20 .. 35
  add(other, "a", 70);  // 40 .. 70
  add(pair, "a", 90);   // the second pattern
  CHECK(on_times(traffic, outcome, traffic.warmup) == std::vector<SimulatedTime>{60, 15, 30, 40});
}

TEST_CASE("the report gives completion times and the slowdown relative to an undisturbed flow") {
  ShortRun run;
  const auto completions = [&](const std::string& text, Switching switching) {
    run.traffic = parse_traffic(text, "t", run.made.fabric, 1).traffic;
    run.model.switching = switching;
    run.outcome =
        simulate(run.made.fabric, run.made.tables, nullptr, run.traffic, run.model, nullptr, {});
    return summarize(run.made.fabric, run.made.tables, run.traffic, run.model, run.outcome)
        .completions;
  };
  for (const Switching switching :
       {Switching::cut_through, Switching::store_and_forward, Switching::cut_through_always}) {
    for (const char* bytes : {"2176B", "1KiB", "2176000B"}) {
      const auto alone = completions(
          fmt::format("duration 5ms\nflow H111 -> H221 start 7us bytes {}\n", bytes), switching);
      REQUIRE(alone);
      CHECK(alone->flows == 1);
      CHECK(alone->ended == 1);
      const double expected = static_cast<double>(run.outcome.flows[0].finished - 7'000'000) / 1e3;
      CHECK(alone->time.p50 == Approx(expected));
      CHECK(alone->time.most == alone->time.p50);
      CHECK(alone->slowdown.value().most == Approx(1).epsilon(1e-6));
      if (run.outcome.delivered == 1) CHECK(run.outcome.latencies.mean() == 1e3 * expected);
    }
  }
  // Three flows into one host. The third stops after 100 us and never completes; the fourth has
  // another destination.
  const auto shared = completions(
      "duration 5ms\nflow {H112, H211} -> H221 bytes 217600B\nflow H121 -> H221 stop 100us bytes "
      "10MiB\nflow H111 -> H122 bytes 217600B rate 50%\n",
      Switching::cut_through);
  REQUIRE(shared);
  CHECK(shared->flows == 4);
  CHECK(shared->ended == 3);
  CHECK(shared->slowdown.value().most > 2);
  CHECK(shared->slowdown.value().most < 3);
  CHECK(shared->time.p50 <= shared->time.p95);
  CHECK(shared->time.p99 == shared->time.most);
  // A phase of a pattern waits for the previous phase. This waiting time does not count for a pair.
  const auto levels =
      completions("duration 10ms\npattern shifts bytes 64KiB among {H111, H121, H112}\n",
                  Switching::cut_through);
  CHECK(levels.value().ended == 6);
  CHECK(levels->slowdown.value().most == Approx(1).epsilon(0.06));
  // A flow without an end has no completion time.
  CHECK_FALSE(completions("duration 1ms\nflow H111 -> H121\n", Switching::cut_through));
}

TEST_CASE("Jain's index is 1 for equal shares and 1/n for one share of n") {
  CHECK(jain_index({1, 1, 1, 1}) == Approx(1));
  CHECK(jain_index({1, 0, 0, 0}) == Approx(0.25));
  CHECK(jain_index({}) == 1);
}
