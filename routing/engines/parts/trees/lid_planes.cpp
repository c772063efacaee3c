// The paths to each LID form a tree, independent of the trees of other LIDs. So tables that are
// good for base LIDs can get other planes without a loss for traffic that uses only base LIDs.

#include "routing/engines/parts/trees/lid_planes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/destination_tree.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/trees/plane_turns.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

Lid base_lid_of(const Fabric& fabric, Lid lid) {
  return fabric.end_port(EndPortId(fabric.owner(lid).index)).lid;
}

/// Walks over all LIDs of endpoints but the first of each, plane by plane, and has the next hops of
/// each ready.
template <class Distances>
class PlaneWalk {
 public:
  PlaneWalk(const Fabric& fabric, Distances distances)
      : fabric_(fabric), distances_(std::move(distances)), end_candidate_(fabric.switch_count()) {}

  /// A switch that a destination's LIDs come by, and how many next hops it has for them.
  struct FanOut {
    std::uint32_t at;
    std::size_t next_hops;
  };

  /// `set_root(fan-outs)` begins the LIDs behind a switch, `set_lid(lid, base)` one of them, then
  /// `choose(s, candidates)` is called for each switch, nearest the destination first, and says
  /// which channel it takes.
  template <class SetRoot, class SetLid, class Choose>
  void run(ForwardingTables& tables, const StopSignal& stop, SetRoot set_root, SetLid set_lid,
           Choose choose) {
    const DestinationOrder order = destinations_by_switch(fabric_, switches_by_proximity(fabric_));
    for (const DestinationGroup& group : order.endpoints) {
      stop.check("planes of LIDs", group, order.endpoints);
      bool is_ready = false;
      for (const Lid lid : group.lids) {
        const Lid base = base_lid_of(fabric_, lid);
        if (lid == base) continue;
        if (!std::exchange(is_ready, true)) {
          gather_candidates(group.at);
          set_root(fan_outs_);
        }
        set_lid(lid, base);
        route(tables, lid, choose);
      }
    }
  }

 private:
  void gather_candidates(SwitchId root) {
    distances_.search(root);
    candidates_.clear();
    fan_outs_.clear();
    const auto first = fabric_.first_channel();
    for (const std::uint32_t s : distances_.order()) {
      const std::size_t begin = candidates_.size();
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (distances_.is_next_hop(s, c)) candidates_.push_back(c);
      }
      fan_outs_.push_back({s, candidates_.size() - begin});
      end_candidate_[s] = candidates_.size();
    }
  }

  template <class Choose>
  void route(ForwardingTables& tables, Lid lid, Choose& choose) {
    const auto order = distances_.order();
    std::size_t begin = end_candidate_[order.front()];
    for (const std::uint32_t s : order.subspan(1)) {
      const std::span<const std::uint32_t> candidates(candidates_.data() + begin,
                                                      end_candidate_[s] - begin);
      tables.set(SwitchId(s), lid, fabric_.channel_out_port()[choose(s, candidates)]);
      begin = end_candidate_[s];
    }
    const Delivery delivery = fabric_.delivery(lid);
    tables.set(delivery.at, lid, delivery.port);
  }

  const Fabric& fabric_;
  Distances distances_;
  std::vector<std::uint32_t> candidates_;   // of one switch after the other, nearest first
  std::vector<std::size_t> end_candidate_;  // by SwitchId
  std::vector<FanOut> fan_outs_;            // nearest first, the root, too
};

template <class Run>
auto with_paths(const Fabric& fabric, const PlanePaths& paths, Run run) {
  if (paths.up_down != nullptr)
    return run(PlaneWalk(fabric, UpDownDistances(fabric, *paths.up_down)));
  return run(PlaneWalk(fabric, HopDistances(fabric)));
}

/// The next hop of each plane (routing/trees/plane_turns.h).
class Turns {
 public:
  explicit Turns(std::vector<std::uint32_t> ranks) : rank_(std::move(ranks)) {}

  /// Planes can separate at every switch with several next hops. Switches of one rank mostly have
  /// equally many next hops; otherwise, the most frequent number counts (if several are equally
  /// frequent, the largest).
  template <class FanOuts>
  void set_root(const FanOuts& fan_outs) {
    switches_with_.clear();
    for (const auto& each : fan_outs) {
      if (each.next_hops > 1) ++switches_with_[{rank_[each.at], each.next_hops}];
    }
    base_.clear();
    std::size_t most = 0;
    for (const auto& [kind, switches] : switches_with_) {
      const auto& [rank, next_hops] = kind;
      if (rank >= base_.size()) {
        base_.resize(rank + 1, 1);
        most = 0;
      }
      if (switches < most) continue;
      most = switches;
      base_[rank] = next_hops;
    }
  }

  /// The position of the next hop of plane `plane` among `count` next hops at switch s, if plane 0
  /// uses the one at `place`.
  std::size_t place(std::size_t place, std::size_t count, std::size_t plane, std::size_t planes,
                    std::uint32_t s) const {
    return turned_path(place, count, plane, planes, rank_[s], base_);
  }

 private:
  std::vector<std::uint32_t> rank_;  // by SwitchId
  std::vector<std::size_t> base_;    // by rank: number of next hops; 1 if no planes separate there
  /// Number of switches, by rank and number of next hops.
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> switches_with_;
};

/// Chooses next hops whose paths share the fewest channels with other LIDs of the port.
class DiverseChoice {
 public:
  DiverseChoice(const Fabric& fabric, const ForwardingTables& tables)
      : fabric_(fabric),
        tables_(tables),
        tree_(fabric),
        load_(fabric.channel_count(), 0),
        shared_by_(fabric.channel_count(), 0),
        ahead_(fabric.switch_count()) {
    for (const EndPortId e : fabric.endpoints()) {
      if (const Lid lid = fabric.end_port(e).lid; lid != no_lid) count(lid);
    }
  }

  /// Begins a LID. All entries of the previous LID are chosen, so its routes count as loads.
  void begin(Lid lid, Lid base) {
    if (lid_ != no_lid) count(lid_);
    lid_ = lid;
    for (const std::uint32_t channel : shared_) shared_by_[channel] = 0;
    shared_.clear();
    for (Lid sibling = base; sibling < lid; ++sibling) share(sibling);
    ahead_[fabric_.delivery(lid).at.value()] = {};
  }

  std::uint32_t choose(std::uint32_t s, std::span<const std::uint32_t> candidates) {
    PathChoice best{std::numeric_limits<double>::infinity(), 0, 0};
    std::uint32_t chosen = candidates.front();
    for (const std::uint32_t c : candidates) {
      const PathChoice& rest = ahead_[fabric_.channel_head()[c]];
      const PathChoice path{rest.shared + shared_by_[c], std::max(rest.largest, load_[c]),
                            load_[c]};
      if (path < best) {
        best = path;
        chosen = c;
      }
    }
    ahead_[s] = best;
    return chosen;
  }

 private:
  struct PathChoice {
    double shared = 0;   // channels that other LIDs of the port use, each as often as they do
    double largest = 0;  // load
    double first = 0;    // load of the first channel
    bool operator<(const PathChoice& other) const {
      return std::tie(shared, largest, first) < std::tie(other.shared, other.largest, other.first);
    }
  };

  void count(Lid lid) {
    if (!fabric_.delivery(lid).at.valid()) return;
    tree_.read(tables_, lid);
    for (const std::uint32_t s : tree_.upstream_first()) {
      const std::uint32_t out = tree_.out_channel()[s];
      if (out == DestinationTree::no_channel) continue;
      load_[out] += tree_.endpoints()[s] * fabric_.channel_cost()[out];
    }
  }

  void share(Lid sibling) {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const PortTarget target = fabric_.behind(SwitchId(s), tables_.at(SwitchId(s), sibling));
      if (target.kind != PortTarget::Kind::channel) continue;
      if (shared_by_[target.index]++ == 0) shared_.push_back(target.index);
    }
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  DestinationTree tree_;
  std::vector<double> load_;              // by ChannelId
  std::vector<std::uint32_t> shared_by_;  // other LIDs of the port, by ChannelId
  std::vector<std::uint32_t> shared_;     // channels of which that is not 0
  std::vector<PathChoice> ahead_;         // by SwitchId
  Lid lid_ = no_lid;                      // the present one
};

}  // namespace

ForwardingTables with_diverse_planes(const Fabric& fabric, ForwardingTables tables,
                                     const PlanePaths& paths, const StopSignal& stop) {
  DiverseChoice choice(fabric, tables);
  with_paths(fabric, paths, [&](auto walk) {
    walk.run(
        tables, stop, [](const auto&) {}, [&](Lid lid, Lid base) { choice.begin(lid, base); },
        [&](std::uint32_t s, std::span<const std::uint32_t> candidates) {
          return choice.choose(s, candidates);
        });
  });
  return tables;
}

ForwardingTables with_turned_planes(const Fabric& fabric, ForwardingTables tables,
                                    const PlanePaths& paths, const StopSignal& stop) {
  Lid base = no_lid;
  std::size_t plane = 0;
  std::size_t planes = 1;
  Turns turns(switch_ranks(fabric));
  with_paths(fabric, paths, [&](auto walk) {
    walk.run(
        tables, stop, [&](const auto& fan_outs) { turns.set_root(fan_outs); },
        [&](Lid lid, Lid first) {
          base = first;
          plane = lid - first;
          planes = std::size_t{1} << fabric.end_port(EndPortId(fabric.owner(lid).index)).lmc;
        },
        [&](std::uint32_t s, std::span<const std::uint32_t> candidates) {
          const PortTarget own = fabric.behind(SwitchId(s), tables.at(SwitchId(s), base));
          const auto found = std::find(candidates.begin(), candidates.end(), own.index);
          const bool is_there = own.kind == PortTarget::Kind::channel && found != candidates.end();
          const auto place = is_there ? static_cast<std::size_t>(found - candidates.begin()) : 0;
          return candidates[turns.place(place, candidates.size(), plane, planes, s)];
        });
  });
  return tables;
}

}  // namespace pssp
