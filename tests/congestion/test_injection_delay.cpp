#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "congestion/injection_delay.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// All delays that 16 bits can express, in packet times, each with its smallest possible shift.
/// Computed from the definition, (time >> shift) * multiplier, for a time that is a multiple of 8.
std::map<double, int> all_delays() {
  std::map<double, int> delays;
  constexpr int time = 4096;
  for (int bits = 65535; bits >= 0; --bits) {
    const int shift = bits / 16384, multiplier = bits % 16384;
    const double delay = static_cast<double>((time >> shift) * multiplier) / time;
    const auto [found, is_new] = delays.emplace(delay, shift);
    if (!is_new) found->second = std::min(found->second, shift);
  }
  return delays;
}

/// The delay nearest to `wanted`, found by search; the longer of two equally near delays.
double nearest_by_search(const std::map<double, int>& delays, double wanted) {
  const auto above = delays.lower_bound(wanted);
  if (above == delays.end()) return delays.rbegin()->first;
  if (above == delays.begin()) return above->first;
  const double below = std::prev(above)->first;
  return wanted - below < above->first - wanted ? below : above->first;
}

}  // namespace

TEST_CASE("an entry has two bits for the shift and fourteen bits for the multiplier") {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const CctEntry entry = CctEntry::of_bits(static_cast<std::uint16_t>(bits));
    REQUIRE(entry.shift == bits / 16384);
    REQUIRE(entry.multiplier == bits % 16384);
    REQUIRE(entry.bits() == bits);
  }
}

TEST_CASE("the delay of each of the 65536 encodings matches the definition") {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const int shift = bits / 16384, multiplier = bits % 16384;
    const CctEntry entry = CctEntry::of_bits(static_cast<std::uint16_t>(bits));
    REQUIRE(delay_in_packets(entry) * 8 == (8 >> shift) * multiplier);
    REQUIRE(delay_in_eighths(entry) == static_cast<std::uint32_t>((8 >> shift) * multiplier));
  }
}

TEST_CASE("each exact delay is encoded exactly, with the smallest possible shift") {
  for (const auto& [delay, shift] : all_delays()) {
    const CctEntry entry = nearest_entry(delay);
    REQUIRE(delay_in_packets(entry) == delay);
    REQUIRE(entry.shift == shift);
  }
}

TEST_CASE("any delay is rounded to the nearest delay that an entry can express") {
  const std::map<double, int> delays = all_delays();
  std::mt19937 random(7);
  for (const double highest : {1.0, 50.0, 2047.875, 2049.0, 4096.0, 8192.0, 16383.0}) {
    std::uniform_real_distribution<double> distribution(0, highest);
    for (int i = 0; i < 20000; ++i) {
      const double wanted = distribution(random);
      REQUIRE(delay_in_packets(nearest_entry(wanted)) == nearest_by_search(delays, wanted));
    }
  }
  // At the transitions to coarser steps.
  for (const double edge : {2047.875, 4095.75, 8191.5}) {
    for (int sixteenths = -40; sixteenths <= 40; ++sixteenths) {
      const double wanted = edge + sixteenths / 16.0;
      REQUIRE(delay_in_packets(nearest_entry(wanted)) == nearest_by_search(delays, wanted));
    }
  }
}

TEST_CASE("delays that no entry can express are refused") {
  CHECK(delay_in_packets(nearest_entry(0)) == 0);
  CHECK(delay_in_packets(nearest_entry(16383)) == 16383);
  for (const double bad : {-0.001, 16383.001, 1e300, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(error_of([&] { nearest_entry(bad); }).starts_with("2: a delay of "));
  }
}

TEST_CASE("a packet takes the time of its bits on the link") {
  // 2048 + 26 bytes at 8 Gbit/s (SDR, 4 lanes of 2.5 Gbaud less 8b/10b): 2074 * 8 / 8 ns.
  CHECK(packet_time_ns(2048, LinkRate{4, 2000}) == Approx(2074));
  CHECK(packet_time_ns(4096, LinkRate{4, 50000}) == Approx(4122 * 8 / 200.0));
  CHECK(packet_time_ns(256, LinkRate{1, 2000}) == Approx(282 * 4));
}

TEST_CASE("the share of the link falls with the delay as with static rate control") {
  CHECK(share_of_link(0) == 1);
  CHECK(share_of_link(1) == 0.5);
  CHECK(share_of_link(49) == Approx(1 / 50.0));
}
