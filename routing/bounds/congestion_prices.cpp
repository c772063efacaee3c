#include "routing/bounds/congestion_prices.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace pssp {
namespace {

/// Cheapest paths from all switches to one switch (Dijkstra's algorithm).
class CheapestPaths {
 public:
  explicit CheapestPaths(const Fabric& fabric)
      : fabric_(fabric),
        cost_(fabric.switch_count()),
        out_(fabric.switch_count()),
        is_settled_(fabric.switch_count()) {}

  void search(std::uint32_t root, std::span<const double> toll) {
    std::fill(cost_.begin(), cost_.end(), std::numeric_limits<double>::infinity());
    std::fill(is_settled_.begin(), is_settled_.end(), std::uint8_t{0});
    order_.clear();
    cost_[root] = 0;
    frontier_.emplace(0.0, root);
    while (!frontier_.empty()) {
      const std::uint32_t at = frontier_.top().second;
      frontier_.pop();
      if (is_settled_[at] != 0) continue;
      is_settled_[at] = 1;
      order_.push_back(at);
      for (std::uint32_t c = fabric_.first_channel()[at]; c < fabric_.first_channel()[at + 1];
           ++c) {
        const std::uint32_t from = fabric_.channel_head()[c];
        const std::uint32_t inward = fabric_.channel_reverse()[c];
        const double cost = cost_[at] + toll[inward];
        if (cost >= cost_[from]) continue;
        cost_[from] = cost;
        out_[from] = inward;
        frontier_.emplace(cost, from);
      }
    }
  }

  /// Switches that reach the root, in the order of the search; the root is first.
  std::span<const std::uint32_t> order() const { return order_; }
  double cost(std::uint32_t s) const { return cost_[s]; }
  std::uint32_t out(std::uint32_t s) const { return out_[s]; }

 private:
  const Fabric& fabric_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> out_;
  std::vector<std::uint8_t> is_settled_;
  std::vector<std::uint32_t> order_;
  std::priority_queue<std::pair<double, std::uint32_t>,
                      std::vector<std::pair<double, std::uint32_t>>, std::greater<>>
      frontier_;
};

class PriceSearch {
 public:
  explicit PriceSearch(const Fabric& fabric)
      : fabric_(fabric),
        paths_(fabric),
        lids_(fabric.switch_count(), 0),
        load_(fabric.channel_count()),
        toll_(fabric.channel_count()),
        routes_(fabric.switch_count()) {
    for (const EndPortId e : fabric.endpoints()) {
      const EndPort& port = fabric.end_port(e);
      if (port.lid != no_lid) lids_[port.attached.value()] += 1U << port.lmc;
    }
    // A route pays the price times the cost of a channel, so channels of equal capacity have equal
    // prices.
    for (const double cost : fabric.channel_cost()) price_.push_back(1 / cost);
  }

  double run(std::uint64_t max_work) {
    // Small enough for the prices to settle, and large enough to come close to the best prices in
    // some dozens of rounds.
    constexpr double step = 0.1;
    constexpr int patience = 40;
    double best = 0;
    std::uint64_t work = 0;
    for (int rounds_without_gain = 0; rounds_without_gain < patience; ++rounds_without_gain) {
      const double bound = route_all();
      if (bound > best * 1.0005) rounds_without_gain = 0;
      best = std::max(best, bound);
      work += work_a_round_;
      if (work + work_a_round_ > max_work || bound == 0) break;
      raise_prices(step);
    }
    return best;
  }

 private:
  /// Routes all flows on the cheapest paths, and returns the bound that the prices give.
  double route_all() {
    double all_prices = 0;
    for (std::size_t c = 0; c < price_.size(); ++c) {
      all_prices += price_[c];
      toll_[c] = price_[c] * fabric_.channel_cost()[c];
    }
    std::fill(load_.begin(), load_.end(), 0.0);
    double paid = 0;
    work_a_round_ = 0;
    for (std::uint32_t root = 0; root < fabric_.switch_count(); ++root) {
      if (lids_[root] == 0) continue;
      paths_.search(root, toll_);
      work_a_round_ += fabric_.channel_count();
      paid += lids_[root] * add_routes();
    }
    return all_prices > 0 ? paid / all_prices : 0;
  }

  /// Adds the routes to one LID of the root, times its number of LIDs, to the loads. Returns the
  /// cost of the routes to one LID.
  double add_routes() {
    const auto order = paths_.order();
    const std::uint32_t root = order.front();
    double paid = 0;
    for (const std::uint32_t s : order) routes_[s] = fabric_.endpoints_per_switch()[s];
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      const std::uint32_t s = order[i];
      paid += fabric_.endpoints_per_switch()[s] * paths_.cost(s);
      load_[paths_.out(s)] += routes_[s] * lids_[root];
      routes_[fabric_.channel_head()[paths_.out(s)]] += routes_[s];
    }
    return paid;
  }

  void raise_prices(double step) {
    double busiest = 0;
    for (std::size_t c = 0; c < load_.size(); ++c) {
      load_[c] *= fabric_.channel_cost()[c];
      busiest = std::max(busiest, load_[c]);
    }
    double highest = 0;
    for (std::size_t c = 0; c < load_.size(); ++c) {
      price_[c] *= 1 + step * load_[c] / busiest;
      highest = std::max(highest, price_[c]);
    }
    for (double& price : price_) price /= highest;
  }

  const Fabric& fabric_;
  CheapestPaths paths_;
  std::vector<double> lids_;  // number of LIDs of endpoints, by SwitchId
  std::vector<double> price_, load_, toll_;
  std::vector<double> routes_;
  std::uint64_t work_a_round_ = 0;
};

}  // namespace

double price_bound(const Fabric& fabric, std::uint64_t max_work) {
  if (fabric.channel_count() == 0) return 0;
  return PriceSearch(fabric).run(max_work);
}

}  // namespace pssp
