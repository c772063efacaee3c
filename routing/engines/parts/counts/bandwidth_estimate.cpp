// In a random bisection of n endpoints, each ordered pair of them is a flow with probability about
// 1 / 2n. A flow meets on channel b the others of its L(b) routes, less those of its own source and
// destination, which send and receive no other flow: a Poisson number of mean lambda(b) = others /
// 2n. Its bandwidth is 1 / (1 + the largest number that it meets on a channel), so that
//
//   E[bandwidth] = sum over m >= 0 of P(it meets at most m on every channel) (1/(m+1) - 1/(m+2)).
//
// Were channels independent, that probability would be the product of P(Poisson(lambda(b)) <= m).
// They are not: routes that turn from a to b together are met on both. So each factor is divided by
// P(Poisson(tau(a, b)) <= m), where tau counts those that turn together. For m = 0 that is exact: b
// then adds just the flows that were not met on a.
//
// The probabilities of a path to the root of a tree follow from those of the next switch's path, so
// one pass over each tree suffices.

#include "routing/engines/parts/counts/bandwidth_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "fabric/tables/destination_tree.h"
#include "routing/engines/parts/counts/route_contention.h"

namespace pssp {
namespace {

constexpr std::size_t load_levels = 16;
/// Probability, or factor of it, to meet at most m others, for m = 0 .. load_levels - 1.
using Levels = std::array<double, load_levels>;

constexpr Levels reciprocals = [] {
  Levels of_number{};
  for (std::size_t m = 0; m < load_levels; ++m) of_number[m] = 1 / static_cast<double>(m + 1);
  return of_number;
}();

Levels poisson_at_most(double mean) {
  Levels at_most{};
  double term = std::exp(-mean);
  double sum = 0;
  for (std::size_t m = 0; m < load_levels; ++m) {
    sum += term;
    at_most[m] = std::min(1.0, sum);
    term *= mean * reciprocals[m];
  }
  return at_most;
}

class Estimator {
 public:
  Estimator(const Fabric& fabric, const ForwardingTables& tables)
      : fabric_(fabric),
        tables_(tables),
        tree_(fabric),
        counts_(fabric),
        ahead_(fabric.switch_count()),
        as_source_(fabric.switch_count(), 0),
        endpoints_(static_cast<double>(fabric.endpoints().size())) {}

  BandwidthEstimate run() {
    if (endpoints_ < 2) return {};
    for (const Lid lid : base_lids()) {
      tree_.read(tables_, lid);
      if (!tree_.upstream_first().empty()) counts_.add(route_tree());
    }
    double all = 0;
    double worst = endpoints_;
    for (const Lid lid : base_lids()) {
      const double received = add_tree(lid);
      all += received;
      worst = std::min(worst, received);
    }
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (fabric_.endpoints_per_switch()[s] != 0) worst = std::min(worst, as_source_[s]);
    }
    return {all / (endpoints_ * (endpoints_ - 1)), worst / (endpoints_ - 1)};
  }

 private:
  std::vector<Lid> base_lids() const {
    std::vector<Lid> lids;
    for (const EndPortId e : fabric_.endpoints()) {
      if (fabric_.end_port(e).lid != no_lid) lids.push_back(fabric_.end_port(e).lid);
    }
    return lids;
  }

  RouteTree route_tree() const {
    const auto order = tree_.upstream_first();
    return {order.first(order.size() - 1), tree_.out_channel(), tree_.endpoints(), order.back()};
  }

  /// Sum of the bandwidths of all endpoints' flows to the LID.
  double add_tree(Lid lid) {
    tree_.read(tables_, lid);
    const auto order = tree_.upstream_first();
    double received = 0;
    for (std::size_t i = order.size(); i > 0; --i) {
      const std::uint32_t s = order[i - 1];
      const double sources = fabric_.endpoints_per_switch()[s];
      const bool is_root = i == order.size();
      if (is_root) {
        ahead_[s].fill(1);
      } else {
        add_channel(s);
      }
      if (sources == 0) continue;
      const double each = is_root ? 1 : bandwidth_from(s);
      // The owner of the LID sends nothing to itself.
      received += each * (is_root ? sources - 1 : sources);
      as_source_[s] += is_root ? each * (sources - 1) / sources : each;
    }
    return received;
  }

  /// Others' routes on the channel that s forwards by, for a flow of the present tree.
  double others(std::uint32_t s) const {
    return counts_.routes(tree_.out_channel()[s]) - tree_.endpoints()[s];
  }

  /// ahead_[s]: for a flow that leaves s, the factors of the channels behind the first.
  void add_channel(std::uint32_t s) {
    const std::uint32_t out = tree_.out_channel()[s];
    const std::uint32_t next = fabric_.channel_head()[out];
    ahead_[s] = ahead_[next];
    if (const std::uint32_t second = tree_.out_channel()[next];
        second != DestinationTree::no_channel) {
      const double together = counts_.turns(out, second) - tree_.endpoints()[s];
      const Levels on_second = met(others(next), second);
      const Levels before = met(together, second);
      for (std::size_t m = 0; m < load_levels; ++m) {
        ahead_[s][m] *= std::min(1.0, before[m] > 0 ? on_second[m] / before[m] : 1.0);
      }
    }
  }

  /// Returns the expected bandwidth of a flow that starts at s.
  double bandwidth_from(std::uint32_t s) {
    const std::uint32_t out = tree_.out_channel()[s];
    const double sources = fabric_.endpoints_per_switch()[s];
    // The source has routes to other destinations than the present one, which carry no flow now.
    const double own = counts_.starting(out) / sources - 1;
    const Levels first = met(others(s) - own, out);
    double bandwidth = 0;
    for (std::size_t m = 0; m < load_levels; ++m) {
      // Beyond the last level all count as met no more often than there.
      const double weight =
          m + 1 < load_levels ? reciprocals[m] - reciprocals[m + 1] : reciprocals[m];
      bandwidth += first[m] * ahead_[s][m] * weight;
    }
    return bandwidth;
  }

  /// Numbers of routes are whole ones, and mostly small: what is known of one is kept.
  Levels at_most_of(double routes) {
    const auto number = static_cast<std::size_t>(routes);
    if (number >= most_kept || static_cast<double>(number) != routes) {
      return poisson_at_most(routes / (2 * endpoints_));
    }
    if (number >= at_most_.size()) {
      at_most_.resize(std::min(most_kept, 2 * number + 1), not_known);
    }
    Levels& kept = at_most_[number];
    if (kept[0] == not_known[0]) kept = poisson_at_most(routes / (2 * endpoints_));
    return kept;
  }

  /// By m: probability that the share of a flow on the channel is at least 1 / (m + 1) if the
  /// channel has `routes` routes of other flows.
  Levels met(double routes, std::uint32_t channel) {
    const Levels at_most = at_most_of(std::max(0.0, routes));
    const double cost = fabric_.channel_cost()[channel];
    if (cost == 1) return at_most;
    Levels scaled{};
    for (std::size_t m = 0; m < load_levels; ++m) {
      const double flows = std::floor((static_cast<double>(m) + 1) / cost);
      if (flows >= 1)
        scaled[m] = at_most[std::min(load_levels, static_cast<std::size_t>(flows)) - 1];
    }
    return scaled;
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  DestinationTree tree_;
  ContentionCounts counts_;
  std::vector<Levels> ahead_;
  std::vector<double> as_source_;  // sum of the bandwidths of one endpoint's flows, by SwitchId
  double endpoints_;
  static constexpr std::size_t most_kept = 16384;
  static constexpr Levels not_known{-1};
  std::vector<Levels> at_most_;  // by the number of others' routes
};

}  // namespace

BandwidthEstimate estimate_bandwidth(const Fabric& fabric, const ForwardingTables& tables) {
  return Estimator(fabric, tables).run();
}

}  // namespace pssp
