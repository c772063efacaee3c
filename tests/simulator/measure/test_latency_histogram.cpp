#include <catch2/catch.hpp>
#include <limits>

#include "simulator/measure/latency_histogram.h"

using namespace pssp;

TEST_CASE("latency buckets follow each other without gaps or overlap") {
  bool in_order = true;
  for (std::size_t i = 0; i + 1 < latency_buckets; ++i) {
    in_order = in_order && latency_bound(i) < latency_bound(i + 1) &&
               latency_bucket(latency_bound(i)) == i &&
               latency_bucket(latency_bound(i + 1) - 1) == i;
  }
  CHECK(in_order);
  CHECK(latency_bucket(0) == 0);
  CHECK(latency_bucket(never) == latency_buckets - 1);
}

TEST_CASE("latency percentiles are accurate to 0.4 %, and the mean and maximum are exact") {
  LatencyHistogram latencies;
  for (SimulatedTime latency = 100'000; latency > 0; --latency) latencies.add(latency);
  for (const double share : {0.01, 0.5, 0.9, 0.99}) {
    CHECK(latencies.percentile(share) == Approx(share * 100'000).epsilon(.004));
  }
  CHECK(latencies.percentile(1) == 100'000);
  CHECK(latencies.mean() == 50'000.5);
  CHECK(latencies.most == 100'000);
  CHECK(latencies.least == 1);
  CHECK(LatencyHistogram().percentile(0.5) == 0);
  CHECK(LatencyHistogram().mean() == 0);
}

TEST_CASE("the latency of a single packet is reported exactly") {
  LatencyHistogram latencies;
  latencies.add(4'576'000);
  for (const double share : {0., 0.5, 1.}) CHECK(latencies.percentile(share) == 4'576'000);
  CHECK(latencies.mean() == 4'576'000);
  CHECK(latencies.most == 4'576'000);
  CHECK(latencies.counts.size() == 1);
  latencies.add(4'576'000 * 2);
  latencies.add(4'576'000 / 2);
  CHECK(latencies.counts.size() == 1 + 2 * 256);
  CHECK(latencies.percentile(0.5) == Approx(4'576'000).epsilon(.004));
}

TEST_CASE("a sum of latencies beyond 64 bits carries over") {
  LatencyHistogram latencies;
  for (int i = 0; i < 5; ++i) latencies.add(never);
  CHECK(latencies.mean() == Approx(static_cast<double>(never)));
  CHECK(latencies.carries == 2);
}
