#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "evaluator/hosts/host_mapping.h"
#include "tests/evaluator/sample_fabrics.h"

using namespace pssp;
using Catch::Contains;

namespace {

using Hosts = std::vector<std::uint32_t>;

/// A single switch, on which hosts 0, 1, 2 ... have ascending GUIDs.
Fabric star(std::uint32_t hosts) { return test::single_switch(hosts).fabric; }

Hosts draw(const HostMapping& mapping, std::uint64_t seed, std::uint64_t run) {
  Hosts hosts{99, 98};  // left over from an earlier draw
  mapping.draw(seed, run, hosts);
  return hosts;
}

Hosts range(std::uint32_t count) {
  Hosts hosts(count);
  std::iota(hosts.begin(), hosts.end(), 0U);
  return hosts;
}

/// All sequences of `count` different hosts.
std::set<Hosts> arrangements(const Hosts& hosts, std::size_t count) {
  std::set<Hosts> all;
  Hosts order = hosts;
  std::ranges::sort(order);
  do {
    all.emplace(order.begin(), order.begin() + static_cast<long>(count));
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

Hosts joined(Hosts a, const Hosts& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Checks that the mapping draws exactly the possible sequences, all with the same probability.
/// `over_seeds`: one run for each of many seeds instead of many runs with one seed.
void check_uniform(std::uint32_t hosts, const HostMappingOptions& options,
                   const std::set<Hosts>& possible, bool over_seeds = false) {
  const HostMapping mapping(star(hosts), options);
  constexpr int draws_each = 400;
  std::map<Hosts, int> seen;
  for (std::uint64_t i = 0; i < possible.size() * draws_each; ++i) {
    ++seen[over_seeds ? draw(mapping, i, 7) : draw(mapping, 1, i)];
  }
  double sum = 0;
  for (const Hosts& each : possible) {
    const double off = seen[each] - draws_each;
    sum += off * off / draws_each;
  }
  CHECK(seen.size() == possible.size());
  // Chi-square must be within four standard deviations of its mean.
  const double freedom = static_cast<double>(possible.size()) - 1;
  CAPTURE(sum, freedom);
  CHECK(sum <= freedom + 4 * std::sqrt(2 * freedom));
  CHECK(sum >= freedom - 4 * std::sqrt(2 * freedom));
}

std::string refusal_of(std::uint32_t hosts, const HostMappingOptions& options) {
  try {
    const HostMapping mapping(star(hosts), options);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  FAIL("the options were taken");
  return {};
}

}  // namespace

TEST_CASE("a host mapping selects random hosts in random order by default") {
  check_uniform(5, {}, arrangements(range(5), 5));
  HostMappingOptions options;
  options.ranks = 3;
  check_uniform(5, options, arrangements(range(5), 3));
  CHECK(HostMapping(star(5), options).ranks() == 3);
  CHECK(HostMapping(star(5), {}).ranks() == 5);
}

TEST_CASE("a host mapping shuffles hosts that are selected by an order") {
  HostMappingOptions options;
  options.ranks = 3;
  options.selection = HostSelection::guid_ascending;
  check_uniform(5, options, arrangements({0, 1, 2}, 3));
  options.selection = HostSelection::guid_descending;
  check_uniform(5, options, arrangements({2, 3, 4}, 3));
  options.selection = HostSelection::linear_bfs;
  check_uniform(5, options, arrangements({0, 1, 2}, 3));
}

TEST_CASE("a host mapping without shuffling is the same in all runs") {
  HostMappingOptions options;
  options.ranks = 3;
  options.shuffle = false;
  options.selection = HostSelection::guid_descending;
  const HostMapping descending(star(5), options);
  CHECK(draw(descending, 1, 0) == Hosts{4, 3, 2});
  CHECK(draw(descending, 2, 9) == Hosts{4, 3, 2});

  options.selection = HostSelection::random;
  const HostMapping random(star(5), options);
  const Hosts first = draw(random, 1, 0);
  for (std::uint64_t run = 1; run < 10; ++run) CHECK(draw(random, 1, run) == first);
  check_uniform(5, options, arrangements(range(5), 3), true);
}

TEST_CASE("fixed hosts get the first ranks of a host mapping") {
  HostMappingOptions options;
  options.ranks = 4;
  options.fixed_first = {4, 1};
  std::set<Hosts> possible;
  for (const Hosts& rest : arrangements({0, 2, 3}, 2)) possible.insert(joined({4, 1}, rest));
  check_uniform(5, options, possible);

  // Selection by an order continues with hosts that are not fixed.
  options.selection = HostSelection::guid_ascending;
  check_uniform(5, options, {{4, 1, 0, 2}, {4, 1, 2, 0}});
  options.shuffle = false;
  check_uniform(5, options, {{4, 1, 0, 2}});

  options.ranks = 2;
  options.selection = HostSelection::random;
  options.shuffle = true;
  check_uniform(5, options, {{4, 1}});
}

TEST_CASE("the first of two patterns selects its hosts among the selected hosts") {
  HostMappingOptions options;
  options.ranks = 5;
  options.ranks_of_first = 2;
  options.selection = HostSelection::guid_ascending;

  SECTION("by an order") {
    options.selection_of_first = HostSelection::guid_descending;
    std::set<Hosts> possible;
    for (const Hosts& part : arrangements({4, 3}, 2)) {
      for (const Hosts& rest : arrangements({0, 1, 2}, 3)) possible.insert(joined(part, rest));
    }
    check_uniform(6, options, possible);
    options.shuffle = false;
    check_uniform(6, options, {{4, 3, 0, 1, 2}});
  }
  SECTION("by an order, from a random selection") {
    options.selection = HostSelection::random;
    options.ranks = 4;
    options.selection_of_first = HostSelection::guid_ascending;
    std::set<Hosts> possible;
    for (std::uint32_t left_out = 0; left_out < 5; ++left_out) {
      Hosts chosen = range(5);
      chosen.erase(chosen.begin() + static_cast<long>(left_out));
      for (const Hosts& part : arrangements({chosen[0], chosen[1]}, 2)) {
        for (const Hosts& rest : arrangements({chosen[2], chosen[3]}, 2)) {
          possible.insert(joined(part, rest));
        }
      }
    }
    REQUIRE(possible.size() == 20);
    check_uniform(5, options, possible);
  }
  SECTION("at random") {
    options.selection_of_first = HostSelection::random;
    check_uniform(6, options, arrangements(range(5), 5));
    options.shuffle = false;
    std::set<Hosts> possible;
    for (const Hosts& part : arrangements(range(5), 2)) {
      Hosts rest;
      for (const std::uint32_t host : range(5)) {
        if (std::ranges::count(part, host) == 0) rest.push_back(host);
      }
      possible.insert(joined(part, rest));
    }
    REQUIRE(possible.size() == 20);
    check_uniform(6, options, possible, true);
  }
  SECTION("at random, from a random selection") {
    options.selection = HostSelection::random;
    options.ranks = 3;
    options.selection_of_first = HostSelection::random;
    check_uniform(5, options, arrangements(range(5), 3));
    options.shuffle = false;
    check_uniform(5, options, arrangements(range(5), 3), true);
  }
  SECTION("after fixed hosts") {
    options.selection_of_first = HostSelection::guid_descending;
    options.fixed_first = {2};
    options.ranks_of_first = 3;
    std::set<Hosts> possible;
    for (const Hosts& part : arrangements({4, 3}, 2)) {
      for (const Hosts& rest : arrangements({0, 1}, 2)) {
        possible.insert(joined(joined({2}, part), rest));
      }
    }
    check_uniform(6, options, possible);
    options.ranks_of_first = 1;
    possible.clear();
    for (const Hosts& rest : arrangements({0, 1, 3, 4}, 4)) possible.insert(joined({2}, rest));
    check_uniform(6, options, possible);
  }
}

TEST_CASE("a host mapping depends only on its seed and run") {
  const HostMapping mapping(star(50), {});
  const Hosts expected = draw(mapping, 3, 17);
  draw(mapping, 3, 18);
  CHECK(draw(mapping, 3, 17) == expected);
  CHECK(draw(mapping, 3, 18) != expected);
  CHECK(draw(mapping, 4, 17) != expected);
}

TEST_CASE("host mappings of zero and one host work") {
  CHECK(draw(HostMapping(star(0), {}), 1, 1).empty());
  CHECK(draw(HostMapping(star(1), {}), 1, 1) == Hosts{0});
}

TEST_CASE("a host mapping refuses options that do not fit the fabric") {
  HostMappingOptions options;
  options.ranks = 6;
  CHECK_THAT(refusal_of(5, options), Contains("6 ranks does not fit a fabric of 5 hosts"));
  options.ranks = 2;
  options.fixed_first = {0, 1, 2};
  CHECK_THAT(refusal_of(5, options), Contains("3 hosts are assigned to the first ranks of a "
                                              "communicator of 2"));
  options.ranks = 3;
  options.fixed_first = {0, 1, 0};
  CHECK_THAT(refusal_of(5, options), Contains("host number 0 is assigned to two"));
  options.fixed_first = {5};
  CHECK_THAT(refusal_of(5, options), Contains("unknown host number 5"));
  options.fixed_first = {};
  options.ranks_of_first = 4;
  CHECK_NOTHROW(HostMapping(star(5), options));
  options.selection_of_first = HostSelection::random;
  CHECK_THAT(refusal_of(5, options), Contains("the first pattern has 4 ranks"));
}
