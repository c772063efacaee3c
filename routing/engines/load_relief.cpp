// Routes of one LID that meet at a switch go on together, so what can be moved is a subtree: the
// entry of one switch for one LID, with all routes behind it. For the busiest channel, every LID
// whose tree uses it and every switch of that tree whose way leads over it is looked at, with every
// other channel that leads as near to the destination. Of the moves that leave each channel of the
// new way less busy than the busiest is now, the one whose new way stays emptiest is made.
//
// Each move takes load off a busiest channel and makes no other as busy, so the sorted list of
// loads falls lexicographically and the process ends.

#include "routing/engines/load_relief.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "routing/tables/channel_loads.h"
#include "routing/tables/destination_tree.h"

namespace pssp {
namespace {

struct Move {
  SwitchId at;
  Lid lid = no_lid;
  std::uint32_t channel = DestinationTree::no_channel;
  double peak = std::numeric_limits<double>::infinity();  // of the channels that gain load
};

class LoadRelief {
 public:
  LoadRelief(const Fabric& fabric, const DistanceMatrix& distances, ForwardingTables& tables,
             std::uint64_t max_looks)
      : fabric_(fabric),
        distances_(distances),
        tables_(tables),
        looks_left_(max_looks),
        tree_(fabric),
        leads_over_(fabric.switch_count()),
        on_old_way_(fabric.switch_count(), 0) {
    const std::vector<std::uint64_t> routes = channel_loads(fabric, tables);
    for (std::uint32_t c = 0; c < routes.size(); ++c) {
      load_.push_back(static_cast<double>(routes[c]) * fabric.channel_cost()[c]);
      busiest_.push({load_[c], c});
    }
  }

  Relief run() {
    Relief relief;
    while (!busiest_.empty() && looks_left_ > 0) {
      const auto [load, channel] = busiest_.top();
      if (load != load_[channel]) {
        busiest_.pop();  // it has changed since; its present load is in the queue too
        continue;
      }
      const std::uint64_t looks_before = looks_left_;
      const Move move = best_move(channel);
      if (!move.at.valid()) {
        relief.is_optimal = looks_left_ == looks_before;
        break;
      }
      make(move);
      ++relief.moves;
    }
    return relief;
  }

 private:
  Move best_move(std::uint32_t busy) {
    const SwitchId tail(fabric_.channel_tail()[busy]);
    const PortNumber port = fabric_.channel_out_port()[busy];
    Move best;
    best.peak = load_[busy];
    for (const Lid lid : fabric_.lids()) {
      if (tables_.at(tail, lid) != port || !fabric_.is_endpoint_lid(lid)) continue;
      look_at_tree(lid, busy, best);
      if (looks_left_ == 0) break;
    }
    return best;
  }

  void look_at_tree(Lid lid, std::uint32_t busy, Move& best) {
    tree_.read(tables_, lid);
    const std::uint16_t* const distance = distances_.to(fabric_.delivery(lid).at);
    const std::span<const std::uint32_t> order = tree_.upstream_first();
    for (std::size_t i = order.size(); i > 0; --i) {
      const std::uint32_t s = order[i - 1];
      const std::uint32_t out = tree_.out_channel()[s];
      leads_over_[s] = out != DestinationTree::no_channel &&
                       (out == busy || leads_over_[fabric_.channel_head()[out]] != 0);
      if (leads_over_[s] == 0 || tree_.endpoints()[s] == 0) continue;
      mark_old_way(s, true);
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t next = fabric_.channel_head()[c];
        if (c == out || distance[next] >= distance[s] || leads_over_[next] != 0) continue;
        if (looks_left_ > 0) --looks_left_;
        const double peak = peak_of_way(c, out, tree_.endpoints()[s], best.peak);
        if (peak < best.peak) best = {SwitchId(s), lid, c, peak};
      }
      mark_old_way(s, false);
    }
  }

  void mark_old_way(std::uint32_t s, bool mark) {
    while (tree_.out_channel()[s] != DestinationTree::no_channel) {
      s = fabric_.channel_head()[tree_.out_channel()[s]];
      on_old_way_[s] = mark ? 1 : 0;
    }
  }

  /// Largest load on the way that begins with `channel`, as far as it is new, if `routes` more took
  /// it. Infinite when it reaches `limit`, and when that way is then no less loaded in total than
  /// `old` is now: such moves make no progress, but push the same routes to and fro.
  double peak_of_way(std::uint32_t channel, std::uint32_t old, std::uint32_t routes,
                     double limit) const {
    double peak = 0;
    double gain = 0;
    std::uint32_t next = 0;
    while (true) {
      const double load = load_[channel] + routes * fabric_.channel_cost()[channel];
      peak = std::max(peak, load);
      gain -= load;
      next = fabric_.channel_head()[channel];
      if (peak >= limit) return std::numeric_limits<double>::infinity();
      if (on_old_way_[next] != 0) break;
      channel = tree_.out_channel()[next];
    }
    gain += load_[old];
    while (fabric_.channel_head()[old] != next) {
      old = tree_.out_channel()[fabric_.channel_head()[old]];
      gain += load_[old];
    }
    return gain > 0 ? peak : std::numeric_limits<double>::infinity();
  }

  void make(const Move& move) {
    tree_.read(tables_, move.lid);
    const std::uint32_t routes = tree_.endpoints()[move.at.value()];
    add_load(tree_.out_channel()[move.at.value()], -static_cast<double>(routes));
    add_load(move.channel, routes);
    tables_.set(move.at, move.lid, fabric_.channel_out_port()[move.channel]);
  }

  /// Along the tree from `channel` to its root. Where old and new way have rejoined, what one call
  /// takes the other adds.
  void add_load(std::uint32_t channel, double routes) {
    while (channel != DestinationTree::no_channel) {
      load_[channel] += routes * fabric_.channel_cost()[channel];
      busiest_.push({load_[channel], channel});
      channel = tree_.out_channel()[fabric_.channel_head()[channel]];
    }
  }

  const Fabric& fabric_;
  const DistanceMatrix& distances_;
  ForwardingTables& tables_;
  std::uint64_t looks_left_;
  std::vector<double> load_;  // by ChannelId, relative to the capacity
  std::priority_queue<std::pair<double, std::uint32_t>>
      busiest_;  // entries whose load is outdated are skipped
  DestinationTree tree_;
  std::vector<std::uint8_t> leads_over_;  // over the busy channel, by SwitchId
  std::vector<std::uint8_t> on_old_way_;
};

}  // namespace

Relief relieve_busiest_channels(const Fabric& fabric, const DistanceMatrix& distances,
                                ForwardingTables& tables, std::uint64_t max_looks) {
  return LoadRelief(fabric, distances, tables, max_looks).run();
}

}  // namespace pssp
