#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "base/no_index.h"
#include "routing/deadlock/entangled_parts.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Element [a][b] is true if dependencies lead from channel a to channel b.
std::vector<std::vector<bool>> reachable(std::size_t channels, const RouteForest& forest) {
  std::vector<std::vector<bool>> reached(channels, std::vector<bool>(channels, false));
  std::vector<std::vector<std::uint32_t>> after(channels);
  for (std::uint32_t d = 0; d < forest.dependency_count(); ++d)
    after[forest.first_channel()[d]].push_back(forest.second_channel()[d]);
  for (std::uint32_t c = 0; c < channels; ++c) {
    std::vector<std::uint32_t> next{c};
    while (!next.empty()) {
      const std::uint32_t at = next.back();
      next.pop_back();
      for (const std::uint32_t to : after[at]) {
        if (reached[c][to]) continue;
        reached[c][to] = true;
        next.push_back(to);
      }
    }
  }
  return reached;
}

using Steps = std::vector<std::uint32_t>;

bool contains(const Steps& all, const Steps& part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

}  // namespace

TEST_CASE("credit loops are found and the entangled parts cover every route") {
  for (const char* spec : {"xgft 3,3,3 1,2,2 --lids --kill-links 4", "torus 4x3 --hosts 1",
                           "random-regular 12 --degree 4 --hosts 1 --lids", "k-ary-n-tree 2 3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    const RouteForest forest(fabric, tables, true);
    const ChannelCreditLoops credit_loops(fabric.channel_count(), forest);
    const auto reached = reachable(fabric.channel_count(), forest);
    for (std::uint32_t a = 0; a < fabric.channel_count(); ++a) {
      for (std::uint32_t b = 0; b < fabric.channel_count(); ++b) {
        const std::uint32_t of_a = credit_loops.of_channel()[a],
                            of_b = credit_loops.of_channel()[b];
        if (a != b) CHECK((of_a == of_b) == (reached[a][b] && reached[b][a]));
        if (of_a != of_b && reached[a][b]) CHECK(of_a < of_b);
      }
    }

    const RouteBundles bundles = entangled_parts(forest, credit_loops);
    std::vector<Steps> parts;
    for (std::size_t b = 0; b < bundles.count(); ++b) {
      REQUIRE(bundles.first_path[b] == b);
      parts.emplace_back(bundles.steps.begin() + bundles.first_step[b],
                         bundles.steps.begin() + bundles.first_step[b + 1]);
      for (const std::uint32_t d : parts.back()) CHECK(credit_loops.is_entangled(d));
    }
    CHECK(std::set<Steps>(parts.begin(), parts.end()).size() == parts.size());
    for (std::uint32_t n = 0; n < forest.node_count(); ++n) {
      Steps part;
      for (std::uint32_t at = n; forest.dependency()[at] != no_index; at = forest.parent()[at]) {
        if (credit_loops.is_entangled(forest.dependency()[at]))
          part.push_back(forest.dependency()[at]);
      }
      const bool is_there =
          part.empty() || std::any_of(parts.begin(), parts.end(),
                                      [&](const Steps& p) { return contains(p, part); });
      CHECK(is_there);
    }

    // In an untangled order, dependencies between credit loops ascend, and the others keep their
    // direction.
    std::vector<std::uint32_t> backwards;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      backwards.insert(backwards.begin(), c);
    }
    const ChannelOrder order(backwards);
    const ChannelOrder untangled = credit_loops.untangled(order);
    for (std::uint32_t d = 0; d < forest.dependency_count(); ++d) {
      const std::uint32_t a = forest.first_channel()[d], b = forest.second_channel()[d];
      CHECK(untangled.before(a, b) == (!credit_loops.is_entangled(d) || order.before(a, b)));
    }
  }
}
