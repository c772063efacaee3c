#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/run/outcome_words.h"
#include "tests/simulator/oracles/simulated.h"

using namespace pssp;

namespace {

std::vector<std::uint64_t> text_of(const Outcome& outcome) {
  std::vector<std::uint64_t> words;
  add_words(outcome, words);
  return words;
}

}  // namespace

TEST_CASE("an outcome is unchanged after conversion to numbers and back") {
  const test::RoutedNetwork mesh = test::thesis_mesh(3);
  Traffic traffic = test::traffic_of(200 * picoseconds_per_microsecond);
  traffic.flows = {mesh.flow("H112", "H221"), mesh.flow("H211", "H221")};
  traffic.flows[1].label = "the second, \"\xC3\xA4\"";
  traffic.flows[1].victim = true;
  const Outcome simulated = test::simulate_run(mesh, traffic, test::thesis_model());
  Outcome deadlocked;
  deadlocked.end = RunEnd::deadlock;
  deadlocked.deadlock = {7, 0xFFFFFFFF};
  deadlocked.round_ends = {never, 5, -1};
  deadlocked.flow_latencies = {{}, {.count = 2, .sum = 9, .least = 3, .counts = {1, 1}}};

  std::vector<std::uint64_t> words = text_of(simulated);
  add_words(deadlocked, words);
  std::span<const std::uint64_t> rest(words);
  const Outcome first = take_outcome(rest);
  const Outcome second = take_outcome(rest);
  CHECK(rest.empty());
  CHECK(text_of(first) == text_of(simulated));
  CHECK(text_of(second) == text_of(deadlocked));
  CHECK(first.delivered_bytes == simulated.delivered_bytes);
  REQUIRE(first.flows.size() == 2);
  CHECK(first.flows[1].label == simulated.flows[1].label);
  CHECK(first.flows[1].victim);
  CHECK(first.flows[0].finished == never);
  CHECK(first.bytes_by_sample == simulated.bytes_by_sample);
  CHECK(first.ports.size() == simulated.ports.size());
  CHECK(first.latencies == simulated.latencies);
  CHECK(second.flow_latencies == deadlocked.flow_latencies);
  CHECK(second.end == RunEnd::deadlock);
  CHECK(second.round_ends == deadlocked.round_ends);
  CHECK(second.deadlock == deadlocked.deadlock);
}
