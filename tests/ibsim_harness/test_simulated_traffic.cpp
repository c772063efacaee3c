#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "ibsim_harness/simulated_traffic.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

const Fabric& traffic_tree() {
  static const Fabric fabric = make_fabric("xgft 8,4 1,2");
  return fabric;
}
const ForwardingTables& traffic_tables() {
  static const ForwardingTables tables = make_engine("pssp", {})->route(traffic_tree()).tables;
  return tables;
}

TrafficPlan congested() {
  ScatterOptions options;
  options.jobs = 4;
  options.largest = 12;
  options.storage_share = .3;
  options.storage_hosts = 2;
  TrafficPlan plan = scatter_jobs(traffic_tree(), options);
  plan.sweep_seconds = 1;
  plan.full_link = .85;
  for (SimulatedJob& job : plan.jobs) job.rate = 1;
  return plan;
}

}  // namespace

TEST_CASE("links do not exceed their capacity, and ports do not wait longer than the sweep") {
  const TrafficPlan plan = congested();
  TrafficPlayer player(plan, traffic_tree(), traffic_tables());
  const double most = 1e9 * plan.full_link;  // bytes in a second of 4xSDR
  bool waited = false;
  for (int sweep = 0; sweep < 20; ++sweep) {
    player.simulate_sweep();
    for (std::size_t link = 0; link < player.links().count(); ++link) {
      CHECK(player.bytes()[link] <= most * (1 + 1e-9));
      CHECK(player.bytes()[link] + 4 * player.waited()[link] <= most * (1 + 1e-9));
      waited = waited || player.waited()[link] > 0;
    }
  }
  CHECK(waited);
}

TEST_CASE("the bytes that the jobs sent over a link equal the bytes that the link carried") {
  const TrafficPlan plan = congested();
  TrafficPlayer player(plan, traffic_tree(), traffic_tables());
  const std::size_t links = player.links().count();
  std::vector<double> carried(links, 0);
  for (int sweep = 0; sweep < 5; ++sweep) {
    player.simulate_sweep();
    for (std::size_t link = 0; link < links; ++link) carried[link] += player.bytes()[link];
  }
  for (std::size_t link = 0; link < links; ++link) {
    double truth = 0;
    for (std::size_t job = 0; job < plan.jobs.size(); ++job) {
      truth += player.truth()[job * links + link];
    }
    CHECK(truth == carried[link]);
  }
}

TEST_CASE("an activity level lasts for the number of sweeps that the pace gives") {
  TrafficPlan plan = congested();
  plan.pace = 4;
  for (SimulatedJob& job : plan.jobs) {
    job.activity = Activity::drifting;
    job.rate = .01;
    job.storage_share = 0;
  }
  TrafficPlayer player(plan, traffic_tree(), traffic_tables());
  const std::size_t link = player.links().out_of(plan.jobs[0].hosts[0]);
  std::vector<double> sent;
  for (int sweep = 0; sweep < 8; ++sweep) {
    player.simulate_sweep();
    sent.push_back(player.bytes()[link]);
  }
  // Noise of 10 % around one level, then around another level.
  for (const std::size_t i : {1U, 2U, 3U}) CHECK(sent[i] == Approx(sent[0]).epsilon(.11));
  for (const std::size_t i : {5U, 6U, 7U}) CHECK(sent[i] == Approx(sent[4]).epsilon(.11));
}

TEST_CASE("rates that ibsim does not know are simulated as 4xSDR") {
  CHECK(ibsim_rate({}) == LinkRate{4, 2000});
  CHECK(ibsim_rate({4, 50'000}) == LinkRate{4, 50'000});
  CHECK(ibsim_rate({4, 100'000}) == LinkRate{4, 2000});
}
