#include "routing/engines/parts/counts/route_contention.h"

#include <algorithm>

#include "fabric/tables/destination_tree.h"

namespace pssp {

ContentionCounts::ContentionCounts(const Fabric& fabric)
    : fabric_(fabric),
      cost_(fabric.channel_cost()),
      reverse_(fabric.channel_reverse()),
      uniform_(std::all_of(cost_.begin(), cost_.end(), [](double cost) { return cost == 1; })),
      routes_(fabric.channel_count(), 0),
      starting_(fabric.channel_count(), 0),
      turn_row_(fabric.channel_count(), 0) {
  const auto first = fabric.first_channel();
  std::size_t max_degree = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::size_t degree = first[s + 1] - first[s];
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
      // Unsigned wrap-around is meant: the sum of row and channel is what counts.
      turn_row_[c] = no_turns_ + (c - first[s]) * degree - first[s];
    }
    no_turns_ += degree * degree;
    max_degree = std::max(max_degree, degree);
  }
  turns_.assign(no_turns_ + max_degree, 0);
}

void ContentionCounts::change(const RouteTree& tree, std::int32_t sign) {
  const auto endpoints = fabric_.endpoints_per_switch();
  const auto head = fabric_.channel_head();
  const auto signed_count = [sign](std::uint32_t count) {
    return static_cast<std::uint32_t>(sign) * count;
  };
  for (const std::uint32_t s : tree.switches) {
    if (tree.routes[s] == 0) continue;
    const std::uint32_t out = tree.out_channel[s];
    routes_[out] += signed_count(tree.routes[s]);
    starting_[out] += signed_count(endpoints[s]);
    if (head[out] == tree.root) continue;
    turns_[turn_index(out, tree.out_channel[head[out]])] += signed_count(tree.routes[s]);
  }
}

double ContentionCounts::contention() const {
  const auto first = fabric_.first_channel();
  const auto square = [](double x) { return x * x; };
  double sum = 0;
  for (std::uint32_t b = 0; b < routes_.size(); ++b) {
    const std::uint32_t tail = fabric_.channel_tail()[b];
    sum += cost_[b] * square(routes_[b]);
    if (starting_[b] != 0) {
      sum -= cost_[b] * square(starting_[b]) / fabric_.endpoints_per_switch()[tail];
    }
    for (std::uint32_t c = first[tail]; c < first[tail + 1]; ++c) {
      const std::uint32_t a = reverse_[c];
      sum -= shared_at_turn(a, b) * turns_[turn_index(a, b)];
    }
  }
  return sum / 2;
}

namespace {

/// Pairs of routes to the same LID, which are never used together in a permutation.
double contention_within(const Fabric& fabric, const RouteTree& tree) {
  const auto head = fabric.channel_head();
  const auto cost = fabric.channel_cost();
  double sum = 0;
  for (const std::uint32_t s : tree.switches) {
    const double routes = tree.routes[s];
    const std::uint32_t out = tree.out_channel[s];
    sum += cost[out] * (routes * routes - fabric.endpoints_per_switch()[s]);
    if (head[out] == tree.root) continue;
    sum -= std::min(cost[out], cost[tree.out_channel[head[out]]]) * routes * routes;
  }
  return sum / 2;
}

}  // namespace

double contending_pairs(const Fabric& fabric, const ForwardingTables& tables) {
  ContentionCounts counts(fabric);
  DestinationTree tree(fabric);
  double within = 0;
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    tree.read(tables, lid);
    if (tree.upstream_first().empty()) continue;
    const RouteTree routes{tree.upstream_first().first(tree.upstream_first().size() - 1),
                           tree.out_channel(), tree.endpoints(), fabric.delivery(lid).at.value()};
    counts.add(routes);
    within += contention_within(fabric, routes);
  }
  return counts.contention() - within;
}

}  // namespace pssp
