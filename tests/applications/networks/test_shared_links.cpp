// Compares SharedLinks with a naive simulation without a queue, which shares all links again at
// each event and searches all messages for the next event.

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "applications/networks/shared_links.h"
#include "base/random.h"

namespace pssp {
namespace {

struct Crossing {
  ReplayTime start = 0;
  double bytes = 0;
  std::vector<std::uint32_t> links;
};

/// End of each message in picoseconds, not rounded.
std::vector<double> naive_ends(const std::vector<Crossing>& crossings,
                               const std::vector<double>& capacities) {
  std::vector<double> left;
  for (const Crossing& c : crossings) left.push_back(c.bytes);
  std::vector<double> ends(crossings.size(), -1);
  double now = 0;
  const auto is_in_progress = [&](std::size_t i) {
    return ends[i] < 0 && static_cast<double>(crossings[i].start) <= now;
  };
  for (std::size_t done = 0; done < crossings.size();) {
    std::vector<double> users(capacities.size());
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      if (is_in_progress(i)) {
        for (const std::uint32_t link : crossings[i].links) ++users[link];
      } else if (ends[i] < 0) {
        next = std::min(next, static_cast<double>(crossings[i].start));
      }
    }
    std::vector<double> rates(crossings.size());
    std::size_t first = crossings.size();
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      if (!is_in_progress(i)) continue;
      rates[i] = std::numeric_limits<double>::infinity();
      for (const std::uint32_t link : crossings[i].links) {
        rates[i] = std::min(rates[i], capacities[link] / users[link]);
      }
      if (now + left[i] / rates[i] < next) {
        next = now + left[i] / rates[i];
        first = i;
      }
    }
    for (std::size_t i = 0; i < crossings.size(); ++i) left[i] -= rates[i] * (next - now);
    now = next;
    if (first == crossings.size()) continue;
    ends[first] = now;
    ++done;
  }
  return ends;
}

std::vector<ReplayTime> simulated_ends(const std::vector<Crossing>& crossings,
                                       const std::vector<double>& capacities) {
  SharedLinks links(capacities);
  std::vector<ReplayTime> ends(crossings.size());
  std::set<std::pair<ReplayTime, std::uint32_t>> starts;
  for (std::uint32_t i = 0; i < crossings.size(); ++i) starts.emplace(crossings[i].start, i);
  for (std::size_t done = 0; done < crossings.size();) {
    const ReplayTime start =
        starts.empty() ? std::numeric_limits<ReplayTime>::max() : starts.begin()->first;
    const ReplayTime now = std::min(start, links.next_end());
    for (; links.next_end() == now; ++done) ends[links.take_ended(now)] = now;
    for (; !starts.empty() && starts.begin()->first == now; starts.erase(starts.begin())) {
      const std::uint32_t i = starts.begin()->second;
      links.begin(i, crossings[i].bytes, crossings[i].links, now);
    }
    links.share(now);
  }
  return ends;
}

TEST_CASE("random messages on shared links end at the times of a naive simulation") {
  constexpr double slack = 60;  // ends are rounded up, and the errors can accumulate
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    RandomGenerator random = random_stream(seed, 1, 0);
    std::vector<double> capacities(8);
    for (double& capacity : capacities) capacity = 0.001 * (1 + random.below(4));
    std::vector<Crossing> crossings(40);
    for (Crossing& c : crossings) {
      c.start = random.below(2'000'000'000);
      c.bytes = 1 + random.below(1'000'000);
      for (std::uint32_t link = 0; link < capacities.size(); ++link) {
        if (random.below(3) == 0) c.links.push_back(link);
      }
      if (c.links.empty()) c.links.push_back(0);
    }
    const std::vector<double> expected = naive_ends(crossings, capacities);
    const std::vector<ReplayTime> ends = simulated_ends(crossings, capacities);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      CHECK(std::abs(static_cast<double>(ends[i]) - expected[i]) < slack);
    }
  }
}

}  // namespace
}  // namespace pssp
