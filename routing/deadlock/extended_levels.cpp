// Each lane has a graph of the dependencies between channels, and a topological order of the
// channels (sorted_channels.h). The unchanged routes of a lane are added at once; each other route
// is tried in one lane after the other.

#include "routing/deadlock/extended_levels.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/no_index.h"
#include "routing/deadlock/sorted_channels.h"

namespace pssp {
namespace {

/// The channels of a route, first to last.
using Route = std::vector<std::uint32_t>;

/// By channel.
using Neighbors = std::vector<std::vector<std::uint32_t>>;

/// Visits all neighbors of a channel.
auto each_of(const Neighbors& neighbors) {
  return [&neighbors](std::uint32_t c, const auto& visit) {
    for (const std::uint32_t each : neighbors[c]) visit(each);
  };
}

/// The channel dependency graph of a lane.
class LaneGraph {
 public:
  explicit LaneGraph(std::size_t channels) : next_(channels), previous_(channels) {}

  /// Does not look for cycles; must be called before sort().
  void add_unsorted(const Route& route) {
    for (std::size_t i = 1; i < route.size(); ++i) {
      if (!has(route[i - 1], route[i])) link(route[i - 1], route[i]);
    }
  }

  /// False if the dependencies have a cycle.
  bool sort() {
    std::vector<std::uint32_t> waits_for(next_.size()), sorted, position(next_.size());
    for (std::uint32_t c = 0; c < next_.size(); ++c) {
      waits_for[c] = static_cast<std::uint32_t>(previous_[c].size());
      if (waits_for[c] == 0) sorted.push_back(c);
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      position[sorted[i]] = static_cast<std::uint32_t>(i);
      for (const std::uint32_t next : next_[sorted[i]]) {
        if (--waits_for[next] == 0) sorted.push_back(next);
      }
    }
    if (sorted.size() != next_.size()) return false;
    sorted_.emplace(std::move(position));
    return true;
  }

  /// Returns false and restores the graph if the route closes a cycle.
  bool add(const Route& route) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
    for (std::size_t i = 1; i < route.size(); ++i) {
      const std::uint32_t first = route[i - 1], second = route[i];
      if (has(first, second)) continue;
      if (!sorted_->move_before(first, second, each_of(next_), each_of(previous_))) {
        for (std::size_t k = added.size(); k-- > 0;) unlink_last(added[k].first, added[k].second);
        return false;
      }
      link(first, second);
      added.emplace_back(first, second);
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
  /// Removes the dependency that link() added last.
  void unlink_last(std::uint32_t a, std::uint32_t b) {
    next_[a].pop_back();
    previous_[b].pop_back();
  }

  Neighbors next_, previous_;
  std::optional<SortedChannels> sorted_;  // none before sort()
};

class LevelExtension {
 public:
  LevelExtension(const Fabric& fabric, const ForwardingTables& tables, const ProvedLevels& earlier,
                 unsigned first, unsigned end, const StopSignal& stop)
      : fabric_(fabric),
        tables_(tables),
        earlier_(earlier),
        first_(first),
        end_(end),
        stop_(stop),
        levels_(fabric.switch_count(), tables.max_lid()),
        state_(fabric.switch_count()) {
    for (unsigned lane = 0; lane < end; ++lane) graphs_.emplace_back(fabric.channel_count());
  }

  std::optional<ServiceLevels> run() {
    for (const Lid lid : fabric_.lids()) {
      if (stop_.asked()) return std::nullopt;
      keep_unchanged(lid);
    }
    for (LaneGraph& graph : graphs_) {
      if (!graph.sort()) return std::nullopt;
    }
    for (const auto& [s, lid] : changed_) {
      if (stop_.asked()) return std::nullopt;
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
      if (state_[s] == State::lost || (!to_endpoint && fabric_.senders_per_switch()[s] == 0))
        continue;
      const ServiceLevel level = earlier_.levels.at(SwitchId(s), lid);
      if (state_[s] == State::changed || level < first_ || level >= end_) {
        changed_.emplace_back(s, lid);
        continue;
      }
      levels_.set(SwitchId(s), lid, level);
      graphs_[level].add_unsorted(route_from(SwitchId(s), lid));
    }
  }

  /// Finds the state of the routes from s and from the switches on its path.
  void find_state(std::uint32_t s, Lid lid) {
    path_.clear();
    while (state_[s] == State::unknown) {
      path_.push_back(s);
      const std::uint32_t channel = channel_of(s, lid);
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

  std::uint32_t channel_of(std::uint32_t s, Lid lid) const {
    const PortTarget target = fabric_.behind(SwitchId(s), tables_.at(SwitchId(s), lid));
    return target.kind == PortTarget::Kind::channel ? target.index : no_index;
  }

  Route route_from(SwitchId s, Lid lid) const {
    Route route;
    for (std::uint32_t c = channel_of(s.value(), lid); c != no_index;
         c = channel_of(fabric_.channel_head()[c], lid)) {
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
  const StopSignal& stop_;
  ServiceLevels levels_;
  std::vector<LaneGraph> graphs_;  // by level
  std::vector<std::pair<std::uint32_t, Lid>> changed_;
  std::vector<State> state_;  // by SwitchId, of the routes to the present LID
  std::vector<std::uint32_t> path_;
};

}  // namespace

std::optional<ServiceLevels> extend_levels(const Fabric& fabric, const ForwardingTables& tables,
                                           const ProvedLevels& earlier, unsigned first,
                                           unsigned end, const StopSignal& stop) {
  return LevelExtension(fabric, tables, earlier, first, end, stop).run();
}

std::uint64_t bytes_to_extend_levels(const Fabric& fabric) {
  constexpr std::uint64_t of_a_route = sizeof(std::pair<std::uint32_t, Lid>) + sizeof(ServiceLevel);
  return of_a_route * fabric.lids().size() * fabric.switch_count();
}

}  // namespace pssp
