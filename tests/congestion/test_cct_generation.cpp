#include <catch2/catch.hpp>
#include <cmath>

#include "congestion/cct_generation.h"
#include "congestion/injection_delay.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;

namespace {

constexpr LinkRate sdr{4, 2000};

/// Largest rounding error of a delay: half of the encoding step at this size.
double allowed_error(double wanted) {
  if (wanted <= 2047.875) return 1 / 16.0;
  if (wanted <= 4095.75) return 1 / 8.0;
  return wanted <= 8191.5 ? 1 / 4.0 : 1 / 2.0;
}

}  // namespace

TEST_CASE("the linear law rises in equal steps to the fair share for the given number of flows") {
  for (const std::uint32_t flows : {2U, 3U, 50U, 1000U, 16384U}) {
    for (const std::size_t limit : {1U, 2U, 63U, 64U, 127U, 128U, 1000U, 16319U}) {
      const auto table = generate_table({TableLaw::linear, flows, 0}, limit, 2048, sdr);
      REQUIRE(table.size() == limit + 1);
      CHECK(delay_in_packets(table.back()) == flows - 1);
      for (std::size_t i = 0; i <= limit; ++i) {
        const double wanted = static_cast<double>((flows - 1) * i) / static_cast<double>(limit);
        REQUIRE(std::abs(delay_in_packets(table[i]) - wanted) <= allowed_error(wanted) + 1e-9);
      }
    }
  }
}

TEST_CASE("the exponential law divides the rate by the same factor in each step") {
  for (const std::uint32_t flows : {2U, 50U, 5000U, 16384U}) {
    for (const std::size_t limit : {1U, 7U, 127U, 128U, 4095U}) {
      const auto table = generate_table({TableLaw::exponential, flows, 0}, limit, 2048, sdr);
      REQUIRE(table.size() == limit + 1);
      CHECK(delay_in_packets(table.back()) == flows - 1);
      // Calculated by repeated multiplication instead of powers.
      const double factor = std::exp(std::log(flows) / static_cast<double>(limit));
      double slowdown = 1;
      for (std::size_t i = 0; i <= limit; ++i, slowdown *= factor) {
        const double wanted = slowdown - 1;
        REQUIRE(std::abs(delay_in_packets(table[i]) - wanted) <=
                allowed_error(wanted) + 1e-8 * slowdown);
      }
    }
  }
}

TEST_CASE("the delays of a law never decrease") {
  for (const TableLaw law : {TableLaw::linear, TableLaw::exponential}) {
    for (std::uint32_t flows = 2; flows <= 16384; flows = flows * 3 / 2 + 1) {
      CongestionControlTable table;
      table.entries = generate_table({law, flows, 0}, 511, 2048, sdr);
      CHECK_FALSE(first_fall(table));
      CHECK(delay_in_packets(table.entries.front()) == 0);
    }
  }
}

TEST_CASE("a largest delay given as a time is converted with the MTU and the link rate") {
  // A packet takes 2074 ns, so 20740 ns are ten packet times.
  const auto table = generate_table({TableLaw::linear, 0, 20740}, 10, 2048, sdr);
  for (std::size_t i = 0; i <= 10; ++i) {
    CHECK(delay_in_packets(table[i]) == static_cast<double>(i));
  }
  // On a link of 25 times the rate: 250 packet times.
  const auto fast = generate_table({TableLaw::linear, 0, 20740}, 10, 2048, LinkRate{4, 50000});
  CHECK(delay_in_packets(fast[10]) == 250);
  // The largest delay that an entry can hold, and one nanosecond more.
  constexpr std::uint64_t most_ns = 16383 * 2074;
  const auto longest = generate_table({TableLaw::linear, 0, most_ns}, 10, 2048, sdr);
  CHECK(delay_in_packets(longest[10]) == 16383);
  CHECK_THROWS_AS(generate_table({TableLaw::linear, 0, most_ns + 1}, 10, 2048, sdr), Error);
}

TEST_CASE("parameters for which a law has no table are refused") {
  const auto refused = [](TableOrigin origin, std::size_t limit) {
    return error_of([&] { generate_table(origin, limit, 2048, sdr); });
  };
  CHECK(refused({TableLaw::linear, 50, 0}, 0).starts_with("2: a CCTI_Limit of 0 "));
  CHECK(refused({TableLaw::linear, 50, 0}, 16320).starts_with("2: a CCTI_Limit of 16320 "));
  CHECK(refused({TableLaw::linear, 1, 0}, 5).starts_with("2: 1 flows "));
  CHECK(refused({TableLaw::linear, 16385, 0}, 5).starts_with("2: 16385 flows "));
  CHECK(refused({TableLaw::linear, 0, 0}, 5).starts_with("2: the law of a table needs "));
  CHECK(refused({TableLaw::linear, 5, 5}, 5).starts_with("2: the law of a table needs "));
  CHECK(refused({TableLaw::linear, 0, 1'000'000'000}, 5).starts_with("2: a largest delay of "));
}
