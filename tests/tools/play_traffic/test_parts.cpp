#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "monitor/jobs/job_file.h"
#include "routing/engines/engine.h"
#include "tools/play_traffic/host_names.h"
#include "tools/play_traffic/job_plan.h"
#include "tools/play_traffic/port_counters.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

const Fabric& simulated_tree() {
  static const Fabric fabric = make_fabric("xgft 4,4 1,4");
  return fabric;
}

std::string error_of_jobs(const std::string& text) {
  try {
    static_cast<void>(read_job_plan(text, "jobs", simulated_tree(), 0, 1));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("descriptions of adapters become names of one word") {
  CHECK(with_plain_names("Switch\t8 \"S\"\t# \"leaf 1\"\n[1]\t\"H\"[1] # \"leaf 1 host 2\"\n"
                         "Hca\t1 \"H\"\t# \"leaf 1, host 2.b\"\n") ==
        "Switch\t8 \"S\"\t# \"leaf 1\"\n[1]\t\"H\"[1] # \"leaf 1 host 2\"\n"
        "Hca\t1 \"H\"\t# \"leaf-1--host-2-b\"\n");
  CHECK(with_plain_names("Ca 1 \"H\"") == "Ca 1 \"H\"\n");
  const std::string sharp = "Ca 1 \"A\"\t# \"Mellanox Technologies Aggregation Node\"\n";
  CHECK(with_plain_names(sharp) == sharp);
}

TEST_CASE("jobs of a file with a number of hosts get distinct free hosts") {
  const std::map<std::string, std::vector<std::uint32_t>> names = hosts_by_name(simulated_tree());
  std::string first = names.begin()->first;
  const JobPlan plan =
      read_job_plan(R"({"id": "a", "hosts": 8, "rate": 0.25, "activity": "drifting"})"
                    "\n\n"
                    R"({"id": 7, "hosts": 7, "pattern": "shift:1", "user": "anna"})",
                    "jobs", simulated_tree(), 0, 1);
  REQUIRE(plan.plan.jobs.size() == 2);
  CHECK(plan.labels[1].id == "7");
  CHECK(plan.labels[1].name == "shift:1");
  CHECK(plan.plan.jobs[0].rate == .25);
  CHECK(plan.plan.jobs[0].activity == Activity::drifting);
  std::set<std::uint32_t> taken{0};
  for (const SimulatedJob& job : plan.plan.jobs) {
    for (const std::uint32_t host : job.hosts) CHECK(taken.insert(host).second);
  }
  CHECK(taken.size() == 16);
}

TEST_CASE("jobs that cannot be simulated are refused with their line number") {
  CHECK(error_of_jobs("{}").find("neither 'nodes' nor 'hosts'") != std::string::npos);
  CHECK(error_of_jobs("\nnonsense").find("jobs:2") != std::string::npos);
  CHECK(error_of_jobs(R"({"hosts": 16})").find("needs 16 hosts, but only 15 are left") !=
        std::string::npos);
  CHECK(error_of_jobs(R"({"nodes": ["nobody"]})").find("'nobody' is not in") != std::string::npos);
  CHECK(error_of_jobs(R"({"hosts": 4, "rate": 2})").find("'rate'") != std::string::npos);
  CHECK(error_of_jobs(R"({"hosts": 4, "activity": "wild"})").find("'wild'") != std::string::npos);
  CHECK(error_of_jobs("").find("no job") != std::string::npos);
}

TEST_CASE("scattered jobs leave out the host where opensm runs, and the monitor can read them") {
  ScatterOptions options;
  options.jobs = 3;
  options.largest = 5;
  const JobPlan plan = scattered_job_plan(simulated_tree(), options, 3);
  REQUIRE(!plan.labels.empty());
  for (const SimulatedJob& job : plan.plan.jobs) {
    CHECK(std::ranges::count(job.hosts, 3U) == 0);
    CHECK(job.hosts.size() >= 2);
  }
  const JobList read = parse_jobs(job_file_text(plan, simulated_tree(), 1700000000), "jobs");
  CHECK(read.bad_lines == 0);
  CHECK(read.jobs.size() == plan.labels.size());
  CHECK(read.jobs.front().start_s == 1700000000);
}

TEST_CASE("the counters of a port equal those of the port at the other end of the cable") {
  ScatterOptions options;
  options.jobs = 2;
  options.largest = 6;
  options.activity = Activity::constant;
  JobPlan jobs = scattered_job_plan(simulated_tree(), options, 0);
  jobs.plan.full_link = .85;
  jobs.plan.sweep_seconds = 1;
  const ForwardingTables tables = make_engine("pssp", {})->route(simulated_tree()).tables;
  TrafficPlayer player(jobs.plan, simulated_tree(), tables);
  SimulatedCounters counters(simulated_tree(), 2, 1);
  CHECK(counters.settings(true).empty());
  player.simulate_sweep();
  counters.add(player, 1);
  CHECK(counters.ports().size() == 2 * (16 + 16));
  CHECK(counters.errors().size() == 2);
  const std::string lines = counters.settings(true);
  for (const SimulatedPort& port : counters.ports()) {
    const std::string place = "\"" + port.node + "\"[" + std::to_string(port.number) + "] ";
    const auto has = [&](const std::string& counter, std::uint64_t value) {
      const std::string line = place + counter + "=" + std::to_string(value) + "\n";
      return lines.find(line) != std::string::npos;
    };
    CHECK(has("PortCountersExtended.PortXmitData", counters.words(port.out)) ==
          (counters.bytes(port.out) > 0));
    CHECK(has("PortCountersExtended.PortRcvPkts", counters.packets(port.in)) ==
          (counters.bytes(port.in) > 0));
  }
  // Without new traffic, there are no settings.
  CHECK(counters.settings(true).empty());
}
