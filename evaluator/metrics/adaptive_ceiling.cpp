// Linear programming duality with a price on each channel. Bandwidth x of a flow costs at least x
// times the price of its cheapest path. So the total bandwidth of all flows is at most
//
//   sum over channels of price * capacity + sum over flows of rate * max(0, 1 - cheapest path),
//
// for any prices, paths of any length and any splitting. Subgradients improve the prices: channels
// that the cheapest paths overload become more expensive, idle ones cheaper. For given cheapest
// paths, the best common factor of all prices is found exactly, since the bound is convex and
// piecewise linear in it; the search begins with equal prices. Every step gives a valid bound, and
// the smallest one counts. The bisections of a fabric load the same channels, so each begins with
// the best prices of the previous one.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "evaluator/metrics/ceiling.h"
#include "evaluator/patterns/bisection.h"

namespace pssp {
namespace {

constexpr std::uint64_t probes_per_unit_of_effort = 1'000'000;
constexpr std::uint64_t fewest_steps = 4;
constexpr std::uint64_t most_steps = 400;
constexpr double first_step = 0.1;

class PriceSearch {
 public:
  explicit PriceSearch(const Fabric& fabric)
      : fabric_(fabric),
        price_(fabric.channel_count(), 1.0),
        best_price_(fabric.channel_count(), 1.0),
        load_(fabric.channel_count(), 0.0),
        distance_(fabric.switch_count()),
        arrived_by_(fabric.switch_count()),
        flows_from_(fabric.switch_count()) {
    for (const EndPortId host : fabric.endpoints()) {
      at_.push_back(fabric.end_port(host).attached.value());
      rate_.push_back(1 / fabric.end_port_cost(host));
    }
  }

  std::uint64_t probes_per_step() const {
    std::vector<std::uint8_t> has_hosts(fabric_.switch_count(), 0);
    for (const std::uint32_t s : at_) has_hosts[s] = 1;
    const auto sources = static_cast<std::uint64_t>(std::ranges::count(has_hosts, 1));
    return std::max<std::uint64_t>(1, sources * fabric_.channel_count());
  }

  /// The smallest bound found in this many steps, per flow.
  double bound(std::span<const Flow> flows, std::uint64_t steps) {
    for (auto& each : flows_from_) each.clear();
    for (const Flow& flow : flows) {
      flows_from_[at_[flow.source]].push_back(
          {at_[flow.destination], std::min(rate_[flow.source], rate_[flow.destination])});
    }
    double best = std::numeric_limits<double>::max();
    price_ = best_price_;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const double now = value_of_prices();
      if (now < best) {
        best = now;
        best_price_ = price_;
      }
      if (is_first_) {
        is_first_ = false;
        for (double& price : price_) price *= factor_;
        continue;
      }
      change_prices(first_step / std::sqrt(1.0 + static_cast<double>(step)));
    }
    return best / static_cast<double>(flows.size());
  }

 private:
  struct Demand {
    std::uint32_t to;
    double rate;
  };
  /// The cheapest path of a flow.
  struct PathChoice {
    double price;
    double rate;
  };

  /// The bound for these prices with the best factor; adds worthwhile flows to their cheapest
  /// paths.
  double value_of_prices() {
    std::fill(load_.begin(), load_.end(), 0.0);
    paths_.clear();
    double capacity = 0;
    for (std::uint32_t c = 0; c < price_.size(); ++c) {
      capacity += price_[c] / fabric_.channel_cost()[c];
    }
    double free_rate = 0;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (flows_from_[s].empty()) continue;
      find_paths(s);
      for (const Demand& demand : flows_from_[s]) {
        const double path = distance_[demand.to];
        if (std::isinf(path)) continue;  // no path, no bandwidth
        if (demand.to == s) {
          free_rate += demand.rate;
          continue;
        }
        paths_.push_back({path, demand.rate});
        if (path >= 1) continue;  // too expensive
        for (std::uint32_t at = demand.to; at != s;) {
          const std::uint32_t channel = arrived_by_[at];
          load_[channel] += demand.rate;
          at = fabric_.channel_tail()[channel];
        }
      }
    }
    return free_rate + with_best_factor(capacity);
  }

  /// min over t >= 0 of t * capacity + sum of rate * max(0, 1 - t * path).
  double with_best_factor(double capacity) {
    std::ranges::sort(paths_, std::greater<>{}, &PathChoice::price);
    double rate = 0;
    double slope = capacity;
    for (const PathChoice& path : paths_) {
      rate += path.rate;
      slope -= path.rate * path.price;
    }
    double least = rate;  // t = 0
    factor_ = 0;
    // The most expensive paths drop out first.
    for (const PathChoice& path : paths_) {
      if (path.price <= 0) break;
      if (rate + slope / path.price < least) {
        least = rate + slope / path.price;
        factor_ = 1 / path.price;
      }
      rate -= path.rate;
      slope += path.rate * path.price;
    }
    return least;
  }

  /// Cheapest paths from a switch; of equal ones, the one with the fewest hops.
  void find_paths(std::uint32_t from) {
    std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
    // A hop has a small price, so that the shortest of free paths is taken; the bound treats it as
    // an underestimated price, which keeps it valid.
    constexpr double hop = 1e-9;
    distance_[from] = 0;
    queue_.emplace(0.0, from);
    while (!queue_.empty()) {
      const auto [distance, at] = queue_.top();
      queue_.pop();
      if (distance > distance_[at]) continue;
      for (std::uint32_t c = fabric_.first_channel()[at]; c < fabric_.first_channel()[at + 1];
           ++c) {
        const double next = distance + price_[c] + hop;
        const std::uint32_t head = fabric_.channel_head()[c];
        if (next >= distance_[head]) continue;
        distance_[head] = next;
        arrived_by_[head] = c;
        queue_.emplace(next, head);
      }
    }
    // Excludes the hop prices, because overestimated distances would make the bound too low.
    for (double& each : distance_) {
      each = std::max(0.0, each - hop * static_cast<double>(fabric_.switch_count()));
    }
  }

  void change_prices(double step) {
    double largest = 0;
    for (std::uint32_t c = 0; c < price_.size(); ++c) {
      load_[c] = load_[c] * fabric_.channel_cost()[c] - 1;  // relative to its capacity
      largest = std::max(largest, std::abs(load_[c]));
    }
    if (largest == 0) return;
    for (std::uint32_t c = 0; c < price_.size(); ++c) {
      price_[c] = std::clamp(price_[c] + step * load_[c] / largest, 0.0, 1.0);
    }
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> at_;  // by host: its switch
  std::vector<double> rate_;       // by host
  std::vector<double> price_, best_price_, load_, distance_;
  std::vector<std::uint32_t> arrived_by_;  // by switch: channel by which its path arrives
  std::vector<std::vector<Demand>> flows_from_;
  std::vector<PathChoice> paths_;
  double factor_ = 0;  // best factor for the current prices
  bool is_first_ = true;
  using Position = std::pair<double, std::uint32_t>;
  std::priority_queue<Position, std::vector<Position>, std::greater<>> queue_;
};

/// Bandwidth of a bisection without congested channels.
double of_host_links(const Fabric& fabric, std::span<const Flow> flows) {
  double sum = 0;
  for (const Flow& flow : flows) {
    sum += 1 / std::max(fabric.end_port_cost(fabric.endpoints()[flow.source]),
                        fabric.end_port_cost(fabric.endpoints()[flow.destination]));
  }
  return sum / static_cast<double>(flows.size());
}

}  // namespace

double adaptive_ceiling(const Fabric& fabric, const CeilingOptions& options) {
  PriceSearch search(fabric);
  BisectionPattern pattern(static_cast<std::uint32_t>(fabric.endpoints().size()));
  const std::uint64_t steps =
      std::min(most_steps, options.effort * probes_per_unit_of_effort / options.bisections /
                               search.probes_per_step());
  double sum = 0;
  for (std::uint64_t i = 0; i < options.bisections; ++i) {
    const std::span<const Flow> flows = pattern.draw(options.seed, i);
    double bound = of_host_links(fabric, flows);
    if (steps >= fewest_steps) bound = std::min(bound, search.bound(flows, steps));
    sum += bound;
  }
  return sum / static_cast<double>(options.bisections);
}

}  // namespace pssp
