#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/traffic_owners.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("activities of owners match the traffic if storage hosts only receive") {
  const Fabric fabric = make_fabric("full-mesh 2 --hosts 4");
  const ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  ObservedTraffic observed;
  observed.fabric = &fabric;
  observed.tables = &tables;
  observed.sweeps = 1;
  observed.jobs = {{{0, 1}}, {{2, 3}}};
  observed.groups.assign(8, 0);
  observed.groups[7] = 1;
  // Job 0 sends 100 bytes internally, 30 to host 4 and 7 to host 7. Job 1 sends 200 bytes
  // internally and 50 to host 4.
  observed.sent = {137, 0, 0, 250, 0, 0, 0, 0};
  observed.received = {0, 100, 200, 0, 80, 0, 0, 7};
  const TrafficOwners owners(observed);
  CHECK(owners.owner_count() == 4);
  CHECK(owners.activity(owners.class_of(0, 1))[0] == Approx(100).epsilon(.01));
  CHECK(owners.activity(owners.class_of(2, 3))[0] == Approx(200).epsilon(.01));
  CHECK(owners.activity(owners.class_of(0, 4))[0] + owners.activity(owners.class_of(0, 7))[0] ==
        Approx(37).epsilon(.01));
  CHECK(owners.class_of(0, 2) == TrafficOwners::no_class);
  CHECK(owners.job_of_class(owners.class_of(0, 4)) == 0);
  CHECK(owners.job_of_class(owners.class_of(7, 3)) == 1);
  CHECK(owners.job_of_class(owners.class_of(5, 7)) == 2);
}

TEST_CASE("hosts outside jobs are grouped by the beginning of their names") {
  const Fabric fabric = make_fabric("full-mesh 2 --hosts 2");
  const auto groups = groups_by_name(fabric);
  CHECK(groups == std::vector<std::uint8_t>(4, 0));
}

namespace {

/// Reference implementation: the full matrix of owners, including all zeros.
std::vector<double> square_activities(const ObservedTraffic& observed, const TrafficOwners& owners,
                                      std::size_t sweep) {
  const std::size_t hosts = observed.fabric->end_port_count(), count = owners.owner_count();
  std::vector<double> sent(count, 0), received(count, 0), matrix(count * count, 0);
  for (std::uint32_t host = 0; host < hosts; ++host) {
    std::vector<std::uint32_t> mine;
    if (owners.jobs_of(host).empty()) mine.push_back(owners.owner(host));
    for (const std::uint32_t job : owners.jobs_of(host)) {
      const PlacedJob& placed = observed.jobs[job];
      if (sweep >= placed.first_sweep && sweep < placed.end_sweep) mine.push_back(job);
    }
    for (const std::uint32_t owner : mine) {
      sent[owner] += std::max(0.0, observed.sent[sweep * hosts + host]);
      received[owner] += std::max(0.0, observed.received[sweep * hosts + host]);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < count; ++j) {
      if (owners.allowed(i, j)) matrix[i * count + j] = sent[i] * received[j];
    }
  }
  for (int round = 0; round < 60; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j) sum += matrix[i * count + j];
      for (std::size_t j = 0; sum > 0 && j < count; ++j) matrix[i * count + j] *= sent[i] / sum;
    }
    for (std::size_t j = 0; j < count; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += matrix[i * count + j];
      for (std::size_t i = 0; sum > 0 && i < count; ++i) matrix[i * count + j] *= received[j] / sum;
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("activities equal those of the full owner matrix bit for bit") {
  const Fabric fabric = make_fabric("full-mesh 4 --hosts 10");
  const ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  const auto hosts = static_cast<std::uint32_t>(fabric.end_port_count());
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomGenerator random = random_stream(seed, 0x6f77, 0);
    ObservedTraffic observed;
    observed.fabric = &fabric;
    observed.tables = &tables;
    observed.sweeps = 1 + random.below(3);
    for (std::size_t i = 0; i < observed.sweeps * hosts; ++i) {
      // Values below 0 are unknown counters.
      observed.sent.push_back(static_cast<double>(random.below(1000)) - 100);
      observed.received.push_back(static_cast<double>(random.below(1000)) - 100);
    }
    const std::uint32_t jobs = random.below(8), groups = random.below(4);
    for (std::uint32_t job = 0; job < jobs; ++job) {
      PlacedJob placed;
      for (std::uint32_t host = 0; host < hosts; ++host) {
        if (random.below(5) == 0) placed.hosts.push_back(host);
      }
      if (job == 0) placed.hosts.resize(std::min<std::size_t>(1, placed.hosts.size()));
      placed.first_sweep = random.below(2);
      observed.jobs.push_back(std::move(placed));
    }
    for (std::uint32_t host = 0; groups != 0 && host < hosts; ++host) {
      observed.groups.push_back(static_cast<std::uint8_t>(random.below(groups)));
    }
    const TrafficOwners owners(observed);
    CAPTURE(seed);
    for (std::size_t sweep = 0; sweep < observed.sweeps; ++sweep) {
      const std::vector<double> square = square_activities(observed, owners, sweep);
      double all = 0, kept = 0;
      for (const double bytes : square) all += bytes;
      for (std::uint32_t c = 0; c < owners.class_count(); ++c) kept += owners.activity(c)[sweep];
      CHECK(kept == Approx(all));
      for (std::uint32_t a = 0; a < hosts; ++a) {
        for (std::uint32_t b = 0; b < hosts; ++b) {
          const std::uint32_t flow_class = owners.class_of(a, b);
          if (flow_class == TrafficOwners::no_class) continue;
          REQUIRE(flow_class < owners.class_count());
          const std::uint32_t job = owners.job_of_class(flow_class);
          std::uint32_t from = owners.owner(a), to = owners.owner(b);
          if (owners.is_job(from) && owners.is_job(to)) from = to = job;
          REQUIRE(job == std::min({from, to, owners.job_count()}));
          REQUIRE(owners.activity(flow_class)[sweep] == square[from * owners.owner_count() + to]);
        }
      }
    }
  }
}
