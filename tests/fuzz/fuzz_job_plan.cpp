// Job plans of play_traffic, for a small fat tree with the host names that play_traffic assigns.

#include <algorithm>
#include <string>
#include <vector>

#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "monitor/jobs/job_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tools/play_traffic/host_names.h"
#include "tools/play_traffic/job_plan.h"
#include "topologies/registry.h"

namespace pssp::test {
namespace {

constexpr std::uint32_t spare = 0;

Fabric simulated_tree() {
  const std::string named = with_plain_names(to_net_file(make_fabric("k-ary-n-tree 4 2")));
  return parse_topology(named, "named").builder.build();
}

void require_own_hosts(const JobPlan& plan, const Fabric& fabric) {
  std::vector<std::uint32_t> hosts = plan.plan.storage_hosts;
  for (const SimulatedJob& job : plan.plan.jobs) {
    require(job.rate >= 0 && job.rate <= 1, "a rate is not between 0 and 1");
    require(job.storage_share >= 0 && job.storage_share < 1,
            "a storage share is not from 0 to below 1");
    hosts.insert(hosts.end(), job.hosts.begin(), job.hosts.end());
  }
  std::ranges::sort(hosts);
  require(std::ranges::adjacent_find(hosts) == hosts.end(), "a host is in two jobs");
  require(hosts.empty() || (hosts.front() != spare && hosts.back() < fabric.end_port_count()),
          "a job has an invalid host or the spare host");
}

}  // namespace

void fuzz_job_plan(std::string_view input) {
  static const Fabric fabric = simulated_tree();
  const JobPlan plan = read_job_plan(input, "input", fabric, spare, 1);
  require(!plan.labels.empty() && plan.labels.size() == plan.plan.jobs.size(),
          "the numbers of labels and jobs differ");
  require_own_hosts(plan, fabric);
  static_cast<void>(parse_jobs(job_file_text(plan, fabric, 1'700'000'000), "written"));
}

}  // namespace pssp::test
