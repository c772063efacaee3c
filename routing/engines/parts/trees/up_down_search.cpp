// The sum of squared loads counts the pairs of routes that share a channel, and rises both with
// longer paths and with congestion. On a dozen fabrics with sixteen orders each, it ranked the
// orders almost like the estimated bandwidth of the finished tables, in a fraction of the time.

#include "routing/engines/parts/trees/up_down_search.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/random.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"

namespace pssp {
namespace {

/// Expected sum over the channels of the squared load.
class ExpectedSharing {
 public:
  explicit ExpectedSharing(const Fabric& fabric, StopSignal stop = {})
      : fabric_(fabric),
        stop_(std::move(stop)),
        load_(fabric.channel_count()),
        routes_(fabric.switch_count()) {
    for (std::uint32_t t = 0; t < fabric.switch_count(); ++t) {
      if (fabric.endpoints_per_switch()[t] != 0) destinations_.push_back(t);
    }
  }

  /// Number of channels that one call of of() examines; at least 1.
  std::uint64_t probes() const noexcept { return 1 + destinations_.size() * load_.size(); }

  /// O(probes()). `Distances`: UpDownDistances or HopDistances.
  template <class Distances>
  double of(Distances distances) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (const std::uint32_t t : destinations_) {
      stop_.check("search for an up*/down* order");
      distances.search(SwitchId(t));
      add_routes(distances, fabric_.endpoints_per_switch()[t]);
    }
    double sum = 0;
    for (const double load : load_) sum += load * load;
    return sum;
  }

 private:
  template <class Distances>
  void add_routes(const Distances& distances, std::uint32_t destinations) {
    const auto first = fabric_.first_channel();
    const auto cost = fabric_.channel_cost();
    const auto nearest_first = distances.order();
    for (const std::uint32_t s : nearest_first) {
      routes_[s] = static_cast<double>(fabric_.endpoints_per_switch()[s]) * destinations;
    }
    for (std::size_t i = nearest_first.size() - 1; i > 0; --i) {
      const std::uint32_t s = nearest_first[i];
      if (routes_[s] == 0) continue;
      paths_.clear();
      double capacity = 0;
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (!distances.is_next_hop(s, c)) continue;
        paths_.push_back(c);
        capacity += 1 / cost[c];
      }
      // Shared out by capacity, so that the load relative to it is the same on all.
      const double load = routes_[s] / capacity;
      for (const std::uint32_t c : paths_) {
        load_[c] += load;
        routes_[fabric_.channel_head()[c]] += load / cost[c];
      }
    }
  }

  const Fabric& fabric_;
  StopSignal stop_;
  std::vector<std::uint32_t> destinations_;  // switches with endpoints
  std::vector<double> load_;                 // by ChannelId, relative to the capacity
  std::vector<double> routes_;               // through each switch, to the current destination
  std::vector<std::uint32_t> paths_;
};

/// Without this margin, rounding errors could decide between equal orders.
constexpr double hardly_more = 1 + 1e-9;

class OrderSearch {
 public:
  OrderSearch(const Fabric& fabric, const UpDownOptions& options, const StopSignal& stop)
      : fabric_(fabric),
        sharing_(fabric, stop),
        unrestricted_(sharing_.of(HopDistances(fabric))),
        probes_left_(options.max_probes),
        random_(fabric.channel_count()) {
    grow_orders(options.roots);
    improve();
  }

  UpDownOrder take_best() && { return std::move(best_); }

 private:
  void grow_orders(unsigned root_count) {
    const OrderGrower grower(fabric_, root_count);
    best_ = grower.grow(0, Growth::central_first);
    lowest_ = sharing_.of(UpDownDistances(fabric_, best_));
    for (std::size_t root = 0; root < grower.root_count(); ++root) {
      for (const Growth growth : {Growth::near_first, Growth::deep_first, Growth::central_first}) {
        if (may_go_on()) attempt(grower.grow(root, growth));
      }
    }
  }

  /// Moves one random switch at a time past a neighbor, until many moves in a row do not help.
  void improve() {
    const std::size_t patience = 4 * fabric_.channel_count();
    for (std::size_t failures = 0; failures < patience && may_go_on(); ++failures) {
      const std::size_t c = random_.below(fabric_.channel_count());
      const std::uint32_t s = fabric_.channel_tail()[c];
      UpDownOrder order = best_;
      order.move_past(s, fabric_.channel_head()[c]);
      const bool is_usable = summits_around(order, s) <= summits_around(best_, s);
      if (is_usable && attempt(std::move(order))) failures = 0;
    }
  }

  /// Whether work is left, and the order is worse than if all minimal paths were legal.
  bool may_go_on() const {
    return probes_left_ >= sharing_.probes() && lowest_ > unrestricted_ * hardly_more;
  }

  /// Keeps the order unless it is worse; true if it is better. Equal orders are also kept, because
  /// several moves together can be better even if no single move is.
  bool attempt(UpDownOrder order) {
    probes_left_ -= sharing_.probes();
    const double sharing = sharing_.of(UpDownDistances(fabric_, order));
    if (sharing > lowest_ * hardly_more) return false;
    const bool is_better = sharing * hardly_more < lowest_;
    lowest_ = std::min(lowest_, sharing);
    best_ = std::move(order);
    return is_better;
  }

  /// Summits among switch s and its neighbours: moving s can make no others.
  std::size_t summits_around(const UpDownOrder& order, std::uint32_t s) const {
    std::size_t summits = is_summit(fabric_, order, s) ? 1 : 0;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (is_summit(fabric_, order, fabric_.channel_head()[c])) ++summits;
    }
    return summits;
  }

  const Fabric& fabric_;
  ExpectedSharing sharing_;
  double unrestricted_;  // what all minimal paths would share
  std::uint64_t probes_left_;
  MersenneRandom random_;
  UpDownOrder best_;
  double lowest_ = 0;
};

}  // namespace

double sharing_factor(const Fabric& fabric, const UpDownOrder& order) {
  ExpectedSharing sharing(fabric);
  const double unrestricted = sharing.of(HopDistances(fabric));
  return unrestricted == 0 ? 1 : sharing.of(UpDownDistances(fabric, order)) / unrestricted;
}

UpDownOrder find_up_down_order(const Fabric& fabric, const UpDownOptions& options,
                               const StopSignal& stop) {
  return OrderSearch(fabric, options, stop).take_best();
}

}  // namespace pssp
