// A cut changes by one switch at a time. Each change costs the degree of the switch: the switch
// changes the numbers of endpoints and LIDs, and the links across the cut.
//
// A switch sends all routes to one LID over one channel, so routes cannot be split arbitrarily. If
// all channels of a cut leave one switch (such as the uplinks of a leaf), each LID uses one of
// these channels as a whole, which rounds the bound up.

#include "routing/bounds/cuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "fabric/paths/hop_distances.h"

namespace pssp {
namespace {

/// Endpoints and their LIDs.
struct Traffic {
  double endpoints = 0;
  double lids = 0;
};

std::vector<Traffic> traffic_per_switch(const Fabric& fabric) {
  std::vector<Traffic> traffic(fabric.switch_count());
  for (const EndPortId e : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(e);
    Traffic& at = traffic[port.attached.value()];
    at.endpoints += 1;
    if (port.lid != no_lid) at.lids += 1U << port.lmc;
  }
  return traffic;
}

/// A set of switches of one island that changes one switch at a time.
class CutState {
 public:
  CutState(const Fabric& fabric, const std::vector<Traffic>& traffic)
      : fabric_(fabric), traffic_(traffic), is_inside_(fabric.switch_count(), 0) {}

  /// Empties the set, and selects the island of these switches.
  void start(std::span<const std::uint32_t> island) {
    std::fill(is_inside_.begin(), is_inside_.end(), std::uint8_t{0});
    all_ = inside_ = {};
    capacity_ = 0;
    for (const std::uint32_t s : island) {
      all_.endpoints += traffic_[s].endpoints;
      all_.lids += traffic_[s].lids;
    }
  }

  bool is_inside(std::uint32_t s) const { return is_inside_[s] != 0; }

  void flip(std::uint32_t s) {
    const Change change = change_by(s);
    inside_ = change.inside;
    capacity_ = change.capacity;
    is_inside_[s] ^= 1;
  }

  double value() const { return value(inside_, capacity_); }

  /// The bound for LIDs that use one channel as a whole, or 0 unless all channels of one direction
  /// of the cut leave one switch. `inside` is the set. O(channels of its switches).
  double value_of_whole_lids(std::span<const std::uint32_t> inside) const {
    const Traffic outside{all_.endpoints - inside_.endpoints, all_.lids - inside_.lids};
    std::vector<std::uint32_t> outward, inward;
    for (const std::uint32_t s : inside) {
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        if (is_inside(fabric_.channel_head()[c])) continue;
        outward.push_back(c);
        inward.push_back(fabric_.channel_reverse()[c]);
      }
    }
    return std::max(deal_out(inside_.endpoints, outside.lids, outward),
                    deal_out(outside.endpoints, inside_.lids, inward));
  }

  /// The result of value() after flip(s).
  double value_after(std::uint32_t s) const {
    const Change change = change_by(s);
    return value(change.inside, change.capacity);
  }

 private:
  struct Change {
    Traffic inside;
    double capacity;
  };

  Change change_by(std::uint32_t s) const {
    const double sign = is_inside_[s] == 0 ? 1 : -1;
    Change change{
        {inside_.endpoints + sign * traffic_[s].endpoints, inside_.lids + sign * traffic_[s].lids},
        capacity_};
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric_.channel_head()[c];
      if (next == s) continue;
      const double share = 1 / fabric_.channel_cost()[c];
      change.capacity += is_inside_[next] == is_inside_[s] ? share : -share;
    }
    return change;
  }

  double value(const Traffic& inside, double capacity) const {
    // Rounding errors can leave a tiny capacity instead of 0.
    constexpr double least_capacity = 1e-6;
    if (capacity < least_capacity) return 0;
    const double outward = inside.endpoints * (all_.lids - inside.lids);
    const double inward = (all_.endpoints - inside.endpoints) * inside.lids;
    return std::max(outward, inward) / capacity;
  }

  /// Load of the busiest channel if `lids` LIDs with `routes` routes each are divided as evenly as
  /// possible among the channels; 0 if the channels leave several switches.
  double deal_out(double routes, double lids, std::span<const std::uint32_t> channels) const {
    if (channels.empty()) return 0;
    double capacity = 0;
    for (const std::uint32_t c : channels) {
      if (fabric_.channel_tail()[c] != fabric_.channel_tail()[channels.front()]) return 0;
      capacity += 1 / fabric_.channel_cost()[c];
    }
    // First each channel gets its whole share; each remaining LID goes to the channel with the
    // least load.
    std::vector<double> dealt;
    double left = lids;
    for (const std::uint32_t c : channels) {
      dealt.push_back(std::floor(lids / (capacity * fabric_.channel_cost()[c])));
      left -= dealt.back();
    }
    for (auto rest = std::llround(left); rest > 0; --rest) {
      std::size_t least = 0;
      for (std::size_t i = 1; i < channels.size(); ++i) {
        if (load(dealt[i] + 1, channels[i]) < load(dealt[least] + 1, channels[least])) least = i;
      }
      dealt[least] += 1;
    }
    double busiest = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      busiest = std::max(busiest, load(dealt[i], channels[i]));
    }
    return busiest * routes;
  }

  double load(double lids, std::uint32_t channel) const {
    return lids * fabric_.channel_cost()[channel];
  }

  const Fabric& fabric_;
  const std::vector<Traffic>& traffic_;
  std::vector<std::uint8_t> is_inside_;
  Traffic all_, inside_;
  double capacity_ = 0;  // of the channels that leave the set; those that enter it have the same
};

/// Tries these sets of switches:
/// - The first k switches by distance from a switch, for every k: this finds leaf switches, pods,
///   half-connected corners, and the middle of a mesh.
/// - For each link, the switches nearer to one end. On a mesh, torus or hypercube, this is one of
///   the planes across the link (Djokovic, Distance-preserving subgraphs of hypercubes, J.
///   Combinatorial Theory B 14, 1973).
/// - The best of these sets, improved by moving the switch with the largest gain until no move
///   helps (the method of Fiduccia and Mattheyses, without buckets).
class CutSearch {
 public:
  CutSearch(const Fabric& fabric, std::uint64_t max_work)
      : fabric_(fabric),
        traffic_(traffic_per_switch(fabric)),
        state_(fabric, traffic_),
        from_(fabric),
        to_(fabric),
        work_left_(max_work) {}

  Cut run() {
    const std::uint64_t all_work = work_left_;
    // The order of the roots reaches all parts of the fabric early, in case the work limit ends the
    // search.
    for (const std::uint32_t root : spread()) {
      if (work_left_ < all_work / 2) break;
      try_nearest(root);
    }
    for (const std::uint32_t s : spread()) {
      if (work_left_ < all_work / 4) break;
      try_across_links_of(s);
    }
    const std::array<Cut, 4> found = best_;
    for (const Cut& each : found) improve(each);
    return best_.front();
  }

 private:
  /// All switches, in an order in which neighbors of a regular numbering are far apart.
  std::vector<std::uint32_t> spread() const {
    constexpr std::uint32_t golden_ratio = 2654435769U;  // 2^32 / phi
    std::vector<std::uint32_t> order(fabric_.switch_count());
    for (std::uint32_t s = 0; s < order.size(); ++s) order[s] = s;
    std::stable_sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
      return a * golden_ratio < b * golden_ratio;
    });
    return order;
  }

  void try_nearest(std::uint32_t root) {
    from_.search(SwitchId(root));
    const auto order = from_.order();
    state_.start(order);
    state_.flip(root);
    std::size_t best_size = 1;
    double best = std::max(state_.value(), state_.value_of_whole_lids(order.first(1)));
    for (std::size_t i = 1; i < order.size(); ++i) {
      state_.flip(order[i]);
      if (state_.value() > best) {
        best = state_.value();
        best_size = i + 1;
      }
    }
    spend(fabric_.channel_count());
    keep(best, order.first(best_size));
  }

  void try_across_links_of(std::uint32_t s) {
    from_.search(SwitchId(s));
    std::uint32_t last = s;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric_.channel_head()[c];
      if (next == last) continue;  // a parallel link
      last = next;
      to_.search(SwitchId(next));
      state_.start(from_.order());
      nearer_.clear();
      for (const std::uint32_t at : from_.order()) {
        if (from_.distance()[at] >= to_.distance()[at]) continue;
        nearer_.push_back(at);
        state_.flip(at);
      }
      spend(fabric_.channel_count());
      keep(state_.value(), nearer_);
    }
  }

  /// Moves the switch with the largest gain until no move helps.
  void improve(const Cut& cut) {
    if (cut.inside.empty()) return;
    from_.search(cut.inside.front());
    const auto island = from_.order();
    state_.start(island);
    for (const SwitchId s : cut.inside) state_.flip(s.value());
    while (work_left_ > 0) {
      double best = state_.value() * (1 + 1e-9);
      const std::uint32_t* mover = nullptr;
      for (const std::uint32_t& s : island) {
        const double value = state_.value_after(s);
        if (value > best) {
          best = value;
          mover = &s;
        }
      }
      spend(fabric_.channel_count());
      if (mover == nullptr) break;
      state_.flip(*mover);
    }
    nearer_.clear();
    for (const std::uint32_t s : island) {
      if (state_.is_inside(s)) nearer_.push_back(s);
    }
    keep(std::max(state_.value(), state_.value_of_whole_lids(nearer_)), nearer_);
  }

  void spend(std::uint64_t work) { work_left_ -= std::min(work_left_, work); }

  /// Keeps the cut if it is among the best and no kept cut has the same value.
  void keep(double value, std::span<const std::uint32_t> inside) {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (value <= 0 || value == best_[i].routes_per_channel) return;
      if (value < best_[i].routes_per_channel) continue;
      std::move_backward(best_.begin() + static_cast<std::ptrdiff_t>(i), best_.end() - 1,
                         best_.end());
      best_[i].routes_per_channel = value;
      best_[i].inside.clear();
      for (const std::uint32_t s : inside) best_[i].inside.emplace_back(s);
      std::sort(best_[i].inside.begin(), best_[i].inside.end());
      return;
    }
  }

  const Fabric& fabric_;
  std::vector<Traffic> traffic_;
  CutState state_;
  HopDistances from_, to_;
  std::vector<std::uint32_t> nearer_;
  std::uint64_t work_left_;
  std::array<Cut, 4> best_;  // in descending order of their values
};

}  // namespace

Cut find_tight_cut(const Fabric& fabric, std::uint64_t max_work) {
  return CutSearch(fabric, max_work).run();
}

}  // namespace pssp
