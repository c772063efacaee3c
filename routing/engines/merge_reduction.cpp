// The trees of all destinations but one are given. Moving the entry of switch s for that one from
// channel b to b' moves all routes through s. What they merge with changes on their first channel,
// as they come there from another turn, and on the way behind it; before s nothing changes. So with
// the merges behind each switch at hand the gain is exact, and costs one look at a turn for each
// switch that forwards to s.
//
// Switches are taken nearest the destination first: then the merges behind every switch that s may
// forward to are known already. Switches without routes choose too, the way of fewest routes, so
// that a later switch that looks at them as its next hop sees a good way.
//
// Moves that lower the count end in a state that no single move improves, and on regular fabrics
// the routes of P-SSSP are such a state from the beginning, though far better ones exist. Noisy
// passes leave it: what a look finds is multiplied by a random number around 1. The noise fades
// from pass to pass, and passes without it follow.
//
// With detours allowed, the merges behind a switch are summed along its way each time, and the same
// walk finds whether the way would lead back to s.

#include "routing/engines/merge_reduction.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "routing/engines/destination_order.h"
#include "routing/engines/hop_distances.h"
#include "routing/engines/route_merges.h"

namespace pssp {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// True when `channel`, out of switch s, may be the way from s to the root that `distance` is to.
bool leads_near(const Fabric& fabric, std::span<const std::uint32_t> distance, std::uint32_t s,
                std::uint32_t channel, std::uint32_t max_detour) {
  return distance[fabric.channel_head()[channel]] < distance[s] + max_detour;
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// One destination's tree while its entries are moved.
class TreeUnderChange {
 public:
  TreeUnderChange(const Fabric& fabric, const MergeCounts& counts,
                  const MergeReductionOptions& options)
      : fabric_(fabric),
        counts_(counts),
        max_detour_(options.max_detour),
        random_(options.seed),
        distances_(fabric),
        first_candidate_(fabric.switch_count() + 1, 0),
        out_(fabric.switch_count(), none),
        routes_(fabric.switch_count(), 0),
        hops_(fabric.switch_count(), 0),
        from_(fabric.switch_count(), 0),
        first_child_(fabric.switch_count(), none),
        next_sibling_(fabric.switch_count(), none) {}

  /// Prepares for trees towards `root`.
  void set_root(SwitchId root) {
    root_ = root.value();
    distances_.search(root);
    const auto distance = distances_.distance();
    const auto first = fabric_.first_channel();
    candidates_.clear();
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      first_candidate_[s] = static_cast<std::uint32_t>(candidates_.size());
      if (s == root_ || distance[s] == unreachable_distance) continue;
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (leads_near(fabric_, distance, s, c, max_detour_)) candidates_.push_back(c);
      }
    }
    first_candidate_.back() = static_cast<std::uint32_t>(candidates_.size());
  }

  /// Reads the tree of a LID at the root.
  void read(const ForwardingTables& tables, Lid lid) {
    for (const std::uint32_t s : distances_.order()) first_child_[s] = none;
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      out_[s] = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), lid)).index;
      link(s);
    }
    order_.assign(1, root_);
    hops_[root_] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t s = order_[i];
      routes_[s] = fabric_.endpoints_per_switch()[s];
      for (std::uint32_t k = first_child_[s]; k != none; k = next_sibling_[k]) {
        hops_[k] = hops_[s] + 1;
        order_.push_back(k);
      }
    }
    for (std::size_t i = order_.size() - 1; i > 0; --i) {
      routes_[next(order_[i])] += routes_[order_[i]];
    }
  }

  RouteTree tree() const { return {std::span(order_).subspan(1), out_, routes_, root_}; }

  /// From now on what is found of other ways is up to `noise` / 2 too low or too high, by share.
  void set_noise(double noise) { noise_ = noise; }

  /// Moves the entries of all switches once, nearest first, to where their routes merge least.
  /// Returns by how much the merges fell; subtracts what was looked at from `looks_left`, and stops
  /// at 0.
  double improve(std::uint64_t& looks_left) {
    double gain = 0;
    for (const std::uint32_t s : std::span(order_).subspan(1)) {
      const std::uint32_t candidates = first_candidate_[s + 1] - first_candidate_[s];
      if (candidates > 1 && looks_left != 0) {
        looks_left -= std::min<std::uint64_t>(looks_left, candidates);
        gain += choose(s);
      }
      if (max_detour_ == 0) from_[s] = counts_.on_channel(out_[s]) + merges_behind(out_[s]);
    }
    return gain;
  }

  void write(ForwardingTables& tables, Lid lid) const {
    for (const std::uint32_t s : std::span(order_).subspan(1)) {
      tables.set(SwitchId(s), lid, fabric_.channel_out_port()[out_[s]]);
    }
  }

 private:
  std::uint32_t next(std::uint32_t s) const { return fabric_.channel_head()[out_[s]]; }

  void link(std::uint32_t s) {
    next_sibling_[s] = first_child_[next(s)];
    first_child_[next(s)] = s;
  }

  void unlink(std::uint32_t s) {
    std::uint32_t* place = &first_child_[next(s)];
    while (*place != s) place = &next_sibling_[*place];
    *place = next_sibling_[s];
  }

  /// Returns by how much the merges fell.
  double choose(std::uint32_t s) {
    // Rounding must not make two ways take turns for ever.
    constexpr double clearly_less = 1 - 1e-9;
    const std::uint32_t room = max_detour_ == 0 ? 0 : room_for_detour(s);
    std::uint32_t best_out = out_[s];
    const double now = merges_over(s, best_out, room);
    double best = now;
    for (std::uint32_t i = first_candidate_[s]; i < first_candidate_[s + 1]; ++i) {
      if (candidates_[i] == out_[s]) continue;
      const double merges = merges_over(s, candidates_[i], room) * random_factor();
      if (merges < best * clearly_less) {
        best = merges;
        best_out = candidates_[i];
      }
    }
    if (best_out == out_[s]) return 0;
    move(s, best_out);
    return routes_[s] == 0 ? 0 : now - best;
  }

  double random_factor() {
    if (noise_ == 0) return 1;
    const double uniform = static_cast<double>(random_.next() >> 11) * 0x1p-53;  // [0, 1)
    return 1 + noise_ * (uniform - 0.5);
  }

  /// Merges of the routes through s, from s on, if they left it by `channel`. Infinite where that
  /// makes a loop or a way that is too long. Where there are no routes: of one more.
  double merges_over(std::uint32_t s, std::uint32_t channel, std::uint32_t room) const {
    const double behind = max_detour_ == 0 ? merges_behind(channel) : walk(s, channel, room);
    const double each = counts_.on_channel(channel) + behind;
    if (routes_[s] == 0) return each;
    double merges = routes_[s] * each;
    if (fabric_.endpoints_per_switch()[s] != 0) merges -= counts_.started_together(channel);
    for (std::uint32_t k = first_child_[s]; k != none; k = next_sibling_[k]) {
      if (routes_[k] != 0) merges -= routes_[k] * counts_.turned_together(out_[k], channel);
    }
    return merges;
  }

  /// Merges of one route behind `channel`.
  double merges_behind(std::uint32_t channel) const {
    const std::uint32_t at = fabric_.channel_head()[channel];
    return at == root_ ? 0 : from_[at] - counts_.turned_together(channel, out_[at]);
  }

  double merges_at_turn(std::uint32_t before, std::uint32_t channel) const {
    return counts_.on_channel(channel) - counts_.turned_together(before, channel);
  }

  /// The same hop by hop; infinite when the way leads back to s or makes it more than `room` hops
  /// farther from the root than it is now.
  double walk(std::uint32_t s, std::uint32_t channel, std::uint32_t room) const {
    double merges = 0;
    std::uint32_t at = fabric_.channel_head()[channel];
    if (hops_[at] + 1 > hops_[s] + room) return std::numeric_limits<double>::infinity();
    while (at != root_ && at != s) {
      merges += merges_at_turn(channel, out_[at]);
      channel = out_[at];
      at = fabric_.channel_head()[channel];
    }
    return at == root_ ? merges : std::numeric_limits<double>::infinity();
  }

  /// Hops by which the ways of all switches of the subtree of s may yet grow.
  std::uint32_t room_for_detour(std::uint32_t s) {
    std::uint32_t room = none;
    for_subtree(s, [&](std::uint32_t k) {
      room = std::min(room, distances_.distance()[k] + max_detour_ - hops_[k]);
    });
    return room;
  }

  template <class Visitor>
  void for_subtree(std::uint32_t s, const Visitor& visit) {
    subtree_.assign(1, s);
    while (!subtree_.empty()) {
      const std::uint32_t at = subtree_.back();
      subtree_.pop_back();
      visit(at);
      for (std::uint32_t k = first_child_[at]; k != none; k = next_sibling_[k]) {
        subtree_.push_back(k);
      }
    }
  }

  void move(std::uint32_t s, std::uint32_t channel) {
    unlink(s);
    for (std::uint32_t at = s; at != root_;) routes_[at = next(at)] -= routes_[s];
    out_[s] = channel;
    for (std::uint32_t at = s; at != root_;) routes_[at = next(at)] += routes_[s];
    link(s);
    const std::uint32_t growth = hops_[next(s)] + 1 - hops_[s];  // modulo 2^32: it may be negative
    if (growth != 0) for_subtree(s, [&](std::uint32_t k) { hops_[k] += growth; });
  }

  const Fabric& fabric_;
  const MergeCounts& counts_;
  std::uint32_t max_detour_;
  double noise_ = 0;
  SplitMix random_;

  std::uint32_t root_ = 0;
  HopDistances distances_;
  std::vector<std::uint32_t> first_candidate_;  // by SwitchId, into candidates_
  std::vector<std::uint32_t> candidates_;       // channels that lead near enough to the root

  std::vector<std::uint32_t> order_;   // switches of the tree as read, the root first
  std::vector<std::uint32_t> out_;     // by SwitchId, as all below
  std::vector<std::uint32_t> routes_;  // through the switch
  std::vector<std::uint32_t> hops_;
  std::vector<double> from_;  // merges of one more route that starts at the switch
  std::vector<std::uint32_t> first_child_, next_sibling_;
  std::vector<std::uint32_t> subtree_;
};

/// The groups of each round: the first LIDs of all endpoints, the second ones, and so on.
std::vector<std::vector<DestinationGroup>> rounds(const Fabric& fabric) {
  std::vector<std::vector<DestinationGroup>> all;
  DestinationOrder order = destinations_by_switch(fabric, switches_by_proximity(fabric));
  for (DestinationGroup& group : order.endpoints) {
    const EndPortId owner(fabric.owner(group.lids.front()).index);
    const std::size_t round = group.lids.front() - fabric.end_port(owner).lid;
    if (round >= all.size()) all.resize(round + 1);
    all[round].push_back(std::move(group));
  }
  return all;
}

class MergeReducer {
 public:
  MergeReducer(const Fabric& fabric, ForwardingTables& tables, const MergeReductionOptions& options)
      : fabric_(fabric),
        tables_(tables),
        options_(options),
        looks_left_(options.max_looks),
        counts_(fabric),
        tree_(fabric, counts_, options) {}

  void run() {
    for (const std::vector<DestinationGroup>& groups : rounds(fabric_)) {
      add_routes(groups);
      make_noisy_passes(groups);
      make_passes(groups);
    }
  }

 private:
  void add_routes(const std::vector<DestinationGroup>& groups) {
    for (const DestinationGroup& group : groups) {
      tree_.set_root(group.at);
      for (const Lid lid : group.lids) {
        tree_.read(tables_, lid);
        if (options_.grow) {
          tree_.improve(looks_left_);
          tree_.write(tables_, lid);
        }
        counts_.add(tree_.tree());
      }
    }
  }

  void make_noisy_passes(const std::vector<DestinationGroup>& groups) {
    // A quarter more or less lets everything move (trials: docs/engines/cassp.md).
    constexpr double first_noise = 0.5;
    for (std::uint32_t pass = 0; pass < options_.noisy_passes; ++pass) {
      tree_.set_noise(first_noise * (options_.noisy_passes - pass) / options_.noisy_passes);
      improve(groups);
    }
    tree_.set_noise(0);
  }

  void make_passes(const std::vector<DestinationGroup>& groups) {
    constexpr double little = 1e-4;  // of all merges: a pass that gains no more is the last
    for (std::uint32_t pass = 0; pass < options_.max_passes; ++pass) {
      if (improve(groups) <= little * counts_.merges()) break;
    }
  }

  double improve(const std::vector<DestinationGroup>& groups) {
    double gain = 0;
    for (const DestinationGroup& group : groups) {
      if (looks_left_ == 0) break;
      tree_.set_root(group.at);
      for (const Lid lid : group.lids) gain += improve(lid);
    }
    return gain;
  }

  double improve(Lid lid) {
    tree_.read(tables_, lid);
    counts_.remove(tree_.tree());
    const double gain = tree_.improve(looks_left_);
    tree_.write(tables_, lid);
    counts_.add(tree_.tree());
    return gain;
  }

  const Fabric& fabric_;
  ForwardingTables& tables_;
  MergeReductionOptions options_;
  std::uint64_t looks_left_;
  MergeCounts counts_;
  TreeUnderChange tree_;
};

}  // namespace

std::uint64_t looks_in_a_pass(const Fabric& fabric, std::uint32_t max_detour) {
  std::uint64_t looks = 0;
  HopDistances distances(fabric);
  for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
    if (fabric.endpoints_per_switch()[root] == 0) continue;
    distances.search(SwitchId(root));
    std::uint64_t candidates = 0;
    for (const std::uint32_t s : distances.order().subspan(1)) {
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        if (leads_near(fabric, distances.distance(), s, c, max_detour)) ++candidates;
      }
    }
    looks += candidates * fabric.endpoints_per_switch()[root];
  }
  return looks;
}

void reduce_merges(const Fabric& fabric, ForwardingTables& tables,
                   const MergeReductionOptions& options) {
  MergeReducer(fabric, tables, options).run();
}

}  // namespace pssp
