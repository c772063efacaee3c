#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "congestion/profiles.h"
#include "simulator/run/outcome_words.h"
#include "tests/simulator/oracles/simulated.h"

using namespace pssp;

namespace {

Outcome replay_sampled(const test::RoutedNetwork& mesh, const Traffic& traffic,
                       const std::vector<std::uint32_t>& ports) {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  RunRequest request;
  request.sampled_ports = ports;
  return simulate(mesh.fabric, mesh.tables, nullptr, traffic, test::thesis_model(), &set, request);
}

Traffic hotspot(const test::RoutedNetwork& mesh, SimulatedTime warmup) {
  Traffic traffic = test::traffic_of(1050 * picoseconds_per_microsecond, warmup);
  traffic.sample = 100 * picoseconds_per_microsecond;
  for (const char* from : {"H112", "H211", "H121"}) {
    traffic.flows.push_back(mesh.flow(from, "H221"));
  }
  return traffic;
}

}  // namespace

TEST_CASE("samples of ports add up to the bytes and marks of the ports", "[series]") {
  const test::RoutedNetwork mesh = test::thesis_mesh(3);
  const Traffic traffic = hotspot(mesh, 0);
  const Outcome plain = replay_sampled(mesh, traffic, {});
  CHECK(plain.port_samples.empty());
  std::vector<std::uint32_t> ports(plain.ports.size());
  std::iota(ports.begin(), ports.end(), 0U);
  const Outcome sampled = replay_sampled(mesh, traffic, ports);
  REQUIRE(sampled.port_samples.size() == ports.size());
  std::uint64_t marks = 0;
  for (std::size_t port = 0; port < ports.size(); ++port) {
    REQUIRE(sampled.port_samples[port].size() == 11);  // the last sample is half as long
    std::uint64_t bytes = 0;
    for (const PortInterval& sample : sampled.port_samples[port]) {
      bytes += sample.bytes;
      marks += sample.marks;
      CHECK(sample.queue_bytes <= sampled.ports[port].max_queue_bytes);
    }
    CHECK(bytes == sampled.ports[port].sent_bytes);
  }
  CHECK(marks == sampled.marks);
  CHECK(marks > 0);

  // Sampling does not change the outcome.
  Outcome without = sampled;
  without.port_samples.clear();
  std::vector<std::uint64_t> words, plain_values;
  add_words(without, words);
  add_words(plain, plain_values);
  CHECK(words == plain_values);

  // A warm-up that ends within a sample does not change the sample.
  const Outcome warmed = replay_sampled(mesh, hotspot(mesh, traffic.sample * 5 / 2), ports);
  for (std::size_t port = 0; port < ports.size(); ++port) {
    for (std::size_t i = 0; i < 11; ++i) {
      CHECK(warmed.port_samples[port][i].bytes == sampled.port_samples[port][i].bytes);
      CHECK(warmed.port_samples[port][i].marks == sampled.port_samples[port][i].marks);
    }
  }
}

TEST_CASE("more port samples than fit in memory are refused", "[series]") {
  const test::RoutedNetwork mesh = test::thesis_mesh(3);
  Traffic traffic = test::traffic_of(picoseconds_per_second);
  traffic.sample = 10 * picoseconds_per_microsecond;
  CHECK_THROWS_AS(replay_sampled(mesh, traffic, std::vector<std::uint32_t>(1000, 0)), Error);
}
