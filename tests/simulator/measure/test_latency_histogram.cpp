#include <catch2/catch.hpp>
#include <vector>

#include "simulator/measure/latency_histogram.h"

using namespace pssp;

TEST_CASE("latency: buckets follow each other without gap or overlap") {
  for (std::size_t i = 0; i + 1 < latency_buckets; ++i) {
    REQUIRE(latency_bound(i) < latency_bound(i + 1));
    REQUIRE(latency_bucket(latency_bound(i)) == i);
    REQUIRE(latency_bucket(latency_bound(i + 1) - 1) == i);
  }
  CHECK(latency_bucket(0) == 0);
  CHECK(latency_bucket(never) == latency_buckets - 1);
}

TEST_CASE("latency: a percentile is known to a sixteenth") {
  std::vector<std::uint64_t> counts(latency_buckets);
  for (SimulatedTime latency = 1; latency <= 100'000; ++latency) ++counts[latency_bucket(latency)];
  for (const double share : {0.01, 0.5, 0.9, 0.99}) {
    CHECK(latency_percentile(counts, share) == Approx(share * 100'000).epsilon(1.0 / 16));
  }
  CHECK(latency_percentile(std::vector<std::uint64_t>(latency_buckets), 0.5) == 0);
}
