// Routes to one LID that meet at a switch continue together, so a move changes the entry of one
// switch for one LID, and with it the path of a whole subtree. For the busiest channel, the probes
// are: every LID whose tree uses it, every switch of this tree whose path contains it, and every
// other channel that leads as near to the destination. Of the moves after which each channel of the
// new path is less busy than the busiest channel is now, it makes the one whose new path is least
// busy, or the first whose new path is clearly less busy.
//
// Each move lowers the load of a busiest channel and makes no other as busy, so the sorted list of
// loads falls lexicographically, and the search ends.

#include "routing/engines/parts/local_search/efi_reduction.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

#include "fabric/tables/channel_loads.h"

namespace pssp {
namespace {

constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();

struct Move {
  SwitchId at;
  Lid lid = no_lid;
  std::uint32_t channel = no_channel;
  std::uint32_t routes = 0;
  double peak = std::numeric_limits<double>::infinity();  // of the channels that gain load
};

class EfiReducer {
 public:
  EfiReducer(const Fabric& fabric, const AllowedChannels& paths, ForwardingTables& tables,
             std::uint64_t max_probes)
      : fabric_(fabric),
        paths_(paths),
        tables_(tables),
        probes_left_(max_probes),
        next_hop_over_(fabric.switch_count(), 0),
        on_old_path_(fabric.switch_count(), 0) {
    for (const EndPortId e : fabric.endpoints()) {
      const EndPort& port = fabric.end_port(e);
      for (unsigned offset = 0; offset < 1U << port.lmc; ++offset) {
        destinations_.push_back(static_cast<Lid>(port.lid + offset));
      }
    }
    const std::vector<std::uint64_t> routes = channel_loads(fabric, tables);
    for (std::uint32_t c = 0; c < routes.size(); ++c) {
      load_.push_back(static_cast<double>(routes[c]) * fabric.channel_cost()[c]);
      busiest_.push({load_[c], c});
    }
  }

  EfiReduction run(std::uint64_t max_moves, const StopSignal& stop) {
    EfiReduction result;
    const std::uint64_t max_probes = probes_left_;
    while (!busiest_.empty() && probes_left_ > 0 && result.moves < max_moves) {
      const auto [load, channel] = busiest_.top();
      if (load != load_[channel]) {
        busiest_.pop();  // outdated; the present load is in the queue, too
        continue;
      }
      stop.check("reduction of the EFI",
                 static_cast<double>(result.moves) / static_cast<double>(max_moves));
      const std::uint64_t probes_before = probes_left_;
      const Move move = best_move(channel);
      if (!move.at.valid()) {
        result.is_optimal = probes_left_ == probes_before;
        break;
      }
      make(move);
      ++result.moves;
    }
    result.probes = max_probes - probes_left_;
    return result;
  }

 private:
  Move best_move(std::uint32_t busy) {
    constexpr double good_enough = 0.9;  // further probes would cost more than they gain
    const SwitchId tail(fabric_.channel_tail()[busy]);
    const PortNumber port = fabric_.channel_out_port()[busy];
    Move best;
    best.peak = load_[busy];
    for (std::size_t i = 0; i < destinations_.size(); ++i) {
      const std::size_t place = (next_ + i) % destinations_.size();
      const Lid lid = destinations_[place];
      if (tables_.at(tail, lid) != port) continue;
      try_moves(lid, busy, best);
      if (probes_left_ == 0 || best.peak <= good_enough * load_[busy]) {
        next_ = place + 1;
        break;
      }
    }
    return best;
  }

  void try_moves(Lid lid, std::uint32_t busy, Move& best) {
    gather_subtree(lid, busy);
    const SwitchId root = fabric_.delivery(lid).at;
    for (const Member& member : subtree_) {
      const std::uint32_t s = member.at;
      if (member.routes == 0) continue;
      mark_old_path(s, lid, true);
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t next = fabric_.channel_head()[c];
        if (c == member.out || !paths_.allow(root, c) || next_hop_over_[next] != 0) continue;
        if (probes_left_ > 0) --probes_left_;
        const double peak = peak_of_path(c, member.out, lid, member.routes, best.peak);
        if (peak < best.peak) best = {SwitchId(s), lid, c, member.routes, peak};
      }
      mark_old_path(s, lid, false);
    }
    for (const Member& member : subtree_) next_hop_over_[member.at] = 0;
  }

  /// Finds the switches whose path to the LID contains `busy`: first its tail, and each switch
  /// after the one that it forwards to. Far fewer than all switches if `busy` leads away from a
  /// leaf.
  void gather_subtree(Lid lid, std::uint32_t busy) {
    const auto first = fabric_.first_channel();
    subtree_.clear();
    add_member(fabric_.channel_tail()[busy], busy, 0);
    for (std::size_t i = 0; i < subtree_.size(); ++i) {
      const std::uint32_t s = subtree_[i].at;
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        const std::uint32_t back = fabric_.channel_reverse()[c];
        const std::uint32_t neighbour = fabric_.channel_head()[c];
        if (tables_.at(SwitchId(neighbour), lid) == fabric_.channel_out_port()[back]) {
          add_member(neighbour, back, i);
        }
      }
    }
    for (std::size_t i = subtree_.size() - 1; i > 0; --i) {
      subtree_[subtree_[i].next].routes += subtree_[i].routes;
    }
  }

  void add_member(std::uint32_t s, std::uint32_t out, std::size_t next) {
    subtree_.push_back({s, out, fabric_.endpoints_per_switch()[s], next});
    next_hop_over_[s] = 1;
  }

  /// The channel by which a switch forwards to the LID; none at the LID's own switch.
  std::uint32_t out_channel(std::uint32_t s, Lid lid) const {
    const PortTarget target = fabric_.behind(SwitchId(s), tables_.at(SwitchId(s), lid));
    return target.kind == PortTarget::Kind::channel ? target.index : no_channel;
  }

  void mark_old_path(std::uint32_t s, Lid lid, bool mark) {
    for (std::uint32_t out = out_channel(s, lid); out != no_channel; out = out_channel(s, lid)) {
      s = fabric_.channel_head()[out];
      on_old_path_[s] = mark ? 1 : 0;
    }
  }

  /// Largest load on the new part of the path that begins with `channel`, if `routes` more used it.
  /// Infinite if this reaches `limit`, or if the total load of the path would be no lower than that
  /// of `old` is now: such moves make no progress, but push the same routes to and fro.
  double peak_of_path(std::uint32_t channel, std::uint32_t old, Lid lid, std::uint32_t routes,
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
      if (on_old_path_[next] != 0) break;
      channel = out_channel(next, lid);
    }
    gain += load_[old];
    while (fabric_.channel_head()[old] != next) {
      old = out_channel(fabric_.channel_head()[old], lid);
      gain += load_[old];
    }
    return gain > 0 ? peak : std::numeric_limits<double>::infinity();
  }

  void make(const Move& move) {
    const double routes = move.routes;
    add_load(out_channel(move.at.value(), move.lid), move.lid, -routes);
    add_load(move.channel, move.lid, routes);
    tables_.set(move.at, move.lid, fabric_.channel_out_port()[move.channel]);
  }

  /// Adds load to the path to the LID from `channel` on. After old and new path have rejoined, the
  /// two calls cancel out.
  void add_load(std::uint32_t channel, Lid lid, double routes) {
    while (channel != no_channel) {
      load_[channel] += routes * fabric_.channel_cost()[channel];
      busiest_.push({load_[channel], channel});
      channel = out_channel(fabric_.channel_head()[channel], lid);
    }
  }

  /// A switch of a subtree.
  struct Member {
    std::uint32_t at;
    std::uint32_t out;
    std::uint32_t routes;  // over `out`
    std::size_t next;      // position of the switch that it forwards to
  };

  const Fabric& fabric_;
  const AllowedChannels& paths_;
  ForwardingTables& tables_;
  std::uint64_t probes_left_;
  std::vector<Lid> destinations_;  // LIDs of endpoints, in the order of these
  // Index into destinations_ of the first probe; advances, so that all are moved about equally
  // often.
  std::size_t next_ = 0;
  std::vector<double> load_;  // by ChannelId, relative to the capacity
  std::priority_queue<std::pair<double, std::uint32_t>>
      busiest_;                  // entries whose load is outdated are skipped
  std::vector<Member> subtree_;  // switches whose path to the present LID contains `busy`
  std::vector<std::uint8_t> next_hop_over_;  // whether a switch is in subtree_, by SwitchId
  std::vector<std::uint8_t> on_old_path_;
};

}  // namespace

EfiReduction reduce_efi(const Fabric& fabric, const AllowedChannels& paths,
                        ForwardingTables& tables, std::uint64_t max_probes, std::uint64_t max_moves,
                        const StopSignal& stop) {
  return EfiReducer(fabric, paths, tables, max_probes).run(max_moves, stop);
}

}  // namespace pssp
