// Each lane has a graph of the dependencies between channels, and an order of channels in which all
// dependencies ascend. The unchanged routes of a lane are added at once. A further route is tried
// in one lane after the other: where one of its dependencies descends, the channels between both
// ends are sorted again, unless the dependency closes a cycle.

#include "routing/deadlock/extended_levels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/no_index.h"

namespace pssp {
namespace {

/// The channels of a route, first to last.
using Route = std::vector<std::uint32_t>;

/// The channel dependency graph of a lane.
class LaneGraph {
 public:
  explicit LaneGraph(std::size_t channels)
      : next_(channels), previous_(channels), position_(channels), mark_(channels, 0) {
    for (std::uint32_t c = 0; c < channels; ++c) position_[c] = c;
  }

  /// Without a look at cycles; sort() comes before add().
  void add_unsorted(const Route& route) {
    for (std::size_t i = 1; i < route.size(); ++i) {
      if (!has(route[i - 1], route[i])) link(route[i - 1], route[i]);
    }
  }

  /// Orders the channels such that all dependencies ascend; false if they have a cycle.
  bool sort() {
    std::vector<std::uint32_t> waits_for(next_.size()), sorted;
    for (std::uint32_t c = 0; c < next_.size(); ++c) {
      waits_for[c] = static_cast<std::uint32_t>(previous_[c].size());
      if (waits_for[c] == 0) sorted.push_back(c);
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      position_[sorted[i]] = static_cast<std::uint32_t>(i);
      for (const std::uint32_t next : next_[sorted[i]]) {
        if (--waits_for[next] == 0) sorted.push_back(next);
      }
    }
    return sorted.size() == next_.size();
  }

  /// False, and the graph is as before, if the route closes a cycle.
  bool add(const Route& route) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
    for (std::size_t i = 1; i < route.size(); ++i) {
      if (has(route[i - 1], route[i])) continue;
      if (!make_ascend(route[i - 1], route[i])) {
        for (std::size_t k = added.size(); k-- > 0;) unlink_last(added[k].first, added[k].second);
        return false;
      }
      link(route[i - 1], route[i]);
      added.emplace_back(route[i - 1], route[i]);
    }
    return true;
  }

 private:
  bool has(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::find(next_[a], b) != next_[a].end();
  }
  void link(std::uint32_t a, std::uint32_t b) {
    next_[a].push_back(b);
    previous_[b].push_back(a);
  }
  /// What link() added last.
  void unlink_last(std::uint32_t a, std::uint32_t b) {
    next_[a].pop_back();
    previous_[b].pop_back();
  }

  /// Moves channels such that a comes before b; false if b leads to a.
  bool make_ascend(std::uint32_t a, std::uint32_t b) {
    if (position_[a] < position_[b]) return true;
    const std::vector<std::uint32_t> behind_b =
        reached_from(b, next_, [&](std::uint32_t c) { return position_[c] <= position_[a]; });
    if (std::ranges::find(behind_b, a) != behind_b.end()) return false;
    const std::vector<std::uint32_t> before_a =
        reached_from(a, previous_, [&](std::uint32_t c) { return position_[c] >= position_[b]; });
    reorder(before_a, behind_b);
    return true;
  }

  using Neighbors = std::vector<std::vector<std::uint32_t>>;

  /// Channels that `start` leads to by channels in range, itself included.
  template <class InRange>
  std::vector<std::uint32_t> reached_from(std::uint32_t start, const Neighbors& neighbors,
                                          const InRange& is_in_range) {
    ++run_;
    std::vector<std::uint32_t> reached{start};
    mark_[start] = run_;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t c : neighbors[reached[i]]) {
        if (mark_[c] == run_ || !is_in_range(c)) continue;
        mark_[c] = run_;
        reached.push_back(c);
      }
    }
    return reached;
  }

  /// Gives the positions of both groups to the first and then to the second, each in its order.
  void reorder(std::vector<std::uint32_t> first, std::vector<std::uint32_t> second) {
    const auto by_position = [this](std::uint32_t c) { return position_[c]; };
    std::ranges::sort(first, {}, by_position);
    std::ranges::sort(second, {}, by_position);
    first.insert(first.end(), second.begin(), second.end());
    std::vector<std::uint32_t> positions;
    positions.reserve(first.size());
    for (const std::uint32_t c : first) positions.push_back(position_[c]);
    std::ranges::sort(positions);
    for (std::size_t i = 0; i < first.size(); ++i) position_[first[i]] = positions[i];
  }

  Neighbors next_, previous_;            // by channel
  std::vector<std::uint32_t> position_;  // in the order, by channel
  std::vector<std::uint32_t> mark_;      // by channel: the last search that reached it
  std::uint32_t run_ = 0;
};

class LevelExtension {
 public:
  LevelExtension(const Fabric& fabric, const ForwardingTables& tables, const ProvedLevels& earlier,
                 unsigned first, unsigned end)
      : fabric_(fabric),
        tables_(tables),
        earlier_(earlier),
        first_(first),
        end_(end),
        levels_(fabric.switch_count(), tables.max_lid()),
        has_senders_(fabric.switch_count(), 0),
        state_(fabric.switch_count()) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      has_senders_[s] =
          std::ranges::any_of(fabric.end_ports_of(SwitchId(s)),
                              [&](EndPortId e) { return fabric.end_port(e).lid != no_lid; })
              ? 1
              : 0;
    }
    for (unsigned lane = 0; lane < end; ++lane) graphs_.emplace_back(fabric.channel_count());
  }

  std::optional<ServiceLevels> run() {
    for (const Lid lid : fabric_.lids()) keep_unchanged(lid);
    for (LaneGraph& graph : graphs_) {
      if (!graph.sort()) return std::nullopt;
    }
    for (const auto& [s, lid] : changed_) {
      const std::optional<ServiceLevel> level = level_for(SwitchId(s), lid);
      if (!level) return std::nullopt;
      levels_.set(SwitchId(s), lid, *level);
    }
    return std::move(levels_);
  }

 private:
  enum class State : std::uint8_t { unknown, same, changed, lost };

  void keep_unchanged(Lid lid) {
    const SwitchId root = fabric_.delivery(lid).at;
    if (!root.valid()) return;
    std::ranges::fill(state_, State::unknown);
    state_[root.value()] = State::same;
    const bool to_endpoint = fabric_.owner(lid).kind == LidOwner::Kind::end_port;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      find_state(s, lid);
      if (state_[s] == State::lost || (!to_endpoint && has_senders_[s] == 0)) continue;
      const ServiceLevel level = earlier_.levels.at(SwitchId(s), lid);
      if (state_[s] == State::changed || level < first_ || level >= end_) {
        changed_.emplace_back(s, lid);
        continue;
      }
      levels_.set(SwitchId(s), lid, level);
      graphs_[level].add_unsorted(route_from(SwitchId(s), lid));
    }
  }

  /// Of the route from the switch, and of those on its way.
  void find_state(std::uint32_t s, Lid lid) {
    path_.clear();
    while (state_[s] == State::unknown) {
      path_.push_back(s);
      const std::uint32_t channel = channel_of(tables_, s, lid);
      if (channel == no_index || path_.size() > fabric_.switch_count()) break;
      s = fabric_.channel_head()[channel];
    }
    const State end = state_[s] == State::unknown ? State::lost : state_[s];
    bool is_same = end == State::same;
    for (std::size_t i = path_.size(); i-- > 0;) {
      is_same = is_same && tables_.at(SwitchId(path_[i]), lid) == earlier_entry(path_[i], lid);
      state_[path_[i]] = end == State::lost ? State::lost : is_same ? State::same : State::changed;
    }
  }

  PortNumber earlier_entry(std::uint32_t s, Lid lid) const {
    return lid <= earlier_.tables.max_lid() ? earlier_.tables.at(SwitchId(s), lid) : no_port;
  }

  std::uint32_t channel_of(const ForwardingTables& tables, std::uint32_t s, Lid lid) const {
    const PortTarget target = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), lid));
    return target.kind == PortTarget::Kind::channel ? target.index : no_index;
  }

  Route route_from(SwitchId s, Lid lid) const {
    Route route;
    for (std::uint32_t c = channel_of(tables_, s.value(), lid); c != no_index;
         c = channel_of(tables_, fabric_.channel_head()[c], lid)) {
      route.push_back(c);
    }
    return route;
  }

  std::optional<ServiceLevel> level_for(SwitchId s, Lid lid) {
    const Route route = route_from(s, lid);
    const ServiceLevel earlier = earlier_.levels.at(s, lid);
    if (earlier >= first_ && earlier < end_ && graphs_[earlier].add(route)) return earlier;
    for (unsigned level = first_; level < end_; ++level) {
      if (level != earlier && graphs_[level].add(route)) return static_cast<ServiceLevel>(level);
    }
    return std::nullopt;
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const ProvedLevels& earlier_;
  unsigned first_, end_;
  ServiceLevels levels_;
  std::vector<std::uint8_t> has_senders_;  // by SwitchId
  std::vector<LaneGraph> graphs_;          // by level
  std::vector<std::pair<std::uint32_t, Lid>> changed_;
  std::vector<State> state_;  // by SwitchId, of the routes to the present LID
  std::vector<std::uint32_t> path_;
};

}  // namespace

std::optional<ServiceLevels> extend_levels(const Fabric& fabric, const ForwardingTables& tables,
                                           const ProvedLevels& earlier, unsigned first,
                                           unsigned end) {
  return LevelExtension(fabric, tables, earlier, first, end).run();
}

}  // namespace pssp
