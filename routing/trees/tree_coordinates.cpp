// Works from the top down: switches with nearly the same parents form a column, and columns have
// the order of their parents' columns. Similarity is relative to the smaller set, so that a switch
// that lost most of its links is still recognized by the remaining ones.

#include "routing/trees/tree_coordinates.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>

#include "base/no_index.h"
#include "fabric/nodes/node_description.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Neighbors whose level differs from that of s by `step`.
std::vector<std::uint32_t> neighbours(const Fabric& fabric, std::span<const std::uint32_t> levels,
                                      std::uint32_t s, std::uint32_t level) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    const std::uint32_t next = fabric.channel_head()[c];
    if (levels[next] == level) found.push_back(next);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

using Sets = std::vector<std::vector<std::uint32_t>>;  // of switches, by SwitchId

class CoordinateFinder {
 public:
  explicit CoordinateFinder(const Fabric& fabric) : fabric_(fabric) {
    found_.level = switch_ranks(fabric);
    const auto switches = static_cast<std::uint32_t>(fabric.switch_count());
    found_.column.assign(switches, 0);
    for (std::uint32_t s = 0; s < switches; ++s) {
      parents_.push_back(tree_parents(fabric, found_.level, s));
      children_.push_back(tree_children(fabric, found_.level, s));
      const std::uint32_t level = found_.level[s];
      if (level == no_rank) continue;
      if (level >= of_level_.size()) of_level_.resize(level + 1);
      of_level_[level].push_back(s);
    }
  }

  TreeCoordinates run() && {
    order_names();
    order_switch_names();
    find_first_hosts();
    for (std::size_t level = of_level_.size(); level-- > 0;) find_columns(of_level_[level]);
    order_switches();
    order_end_ports();
    return std::move(found_);
  }

 private:
  void order_names() {
    const std::size_t count = fabric_.end_port_count();
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::vector<std::string_view> names;
    names.reserve(count);
    for (const EndPort& port : fabric_.end_ports()) names.push_back(telling_name(port));
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (const int by_name = compare_with_numbers(names[a], names[b]); by_name != 0) {
        return by_name < 0;
      }
      const EndPort& of_a = fabric_.end_ports()[a];
      const EndPort& of_b = fabric_.end_ports()[b];
      return std::tie(of_a.port_guid, a) < std::tie(of_b.port_guid, b);
    });
    place_of_name_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) place_of_name_[order[i]] = i;
  }

  /// A replacement switch keeps the name, but not the GUID.
  void order_switch_names() {
    const auto count = static_cast<std::uint32_t>(fabric_.switch_count());
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      const Switch& of_a = fabric_.switch_at(SwitchId(a));
      const Switch& of_b = fabric_.switch_at(SwitchId(b));
      const int by_name = compare_with_numbers(of_a.description, of_b.description);
      return by_name != 0 ? by_name < 0 : of_a.guid < of_b.guid;
    });
    place_of_switch_name_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) place_of_switch_name_[order[i]] = i;
  }

  /// Considers only endpoints if a switch has or leads to some, because a service port of every
  /// switch does not indicate its position.
  void find_first_hosts() {
    first_host_.assign(fabric_.switch_count(), no_index);
    for (const EndPortId e : fabric_.endpoints()) {
      std::uint32_t& first = first_host_[fabric_.end_port(e).attached.value()];
      first = std::min(first, place_of_name_[e.value()]);
    }
    for (const std::vector<std::uint32_t>& level : of_level_) {
      for (const std::uint32_t s : level) {
        for (const std::uint32_t child : children_[s]) {
          first_host_[s] = std::min(first_host_[s], first_host_[child]);
        }
      }
    }
  }

  bool is_top(std::uint32_t s) const { return parents_[s].empty(); }

  void find_columns(const std::vector<std::uint32_t>& level) {
    std::vector<std::uint32_t> tops;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t s : level) (is_top(s) ? tops : others).push_back(s);
    std::uint32_t columns = 0;
    for (const std::vector<std::uint32_t>& group : groups_of(tops, children_, parents_)) {
      for (const std::uint32_t s : group) found_.column[s] = columns++;
    }
    std::vector<std::vector<std::uint32_t>> groups = groups_of(others, parents_, children_);
    std::stable_sort(groups.begin(), groups.end(), [this](const auto& a, const auto& b) {
      return first_column_above(a) < first_column_above(b);
    });
    for (const std::vector<std::uint32_t>& group : groups) {
      for (const std::uint32_t s : group) found_.column[s] = columns;
      ++columns;
    }
  }

  std::uint32_t first_column_above(const std::vector<std::uint32_t>& group) const {
    std::uint32_t first = no_index;
    for (const std::uint32_t s : group) {
      for (const std::uint32_t parent : parents_[s]) {
        first = std::min(first, found_.column[parent]);
      }
    }
    return first;
  }

  /// Groups switches by common elements of their `sets`. Each group is similar to its member with
  /// the largest set; groups and members are ordered by first hosts. `back`: the sets that contain
  /// each switch.
  std::vector<std::vector<std::uint32_t>> groups_of(std::vector<std::uint32_t> switches,
                                                    const Sets& sets, const Sets& back) const {
    std::sort(switches.begin(), switches.end(), [this, &sets](std::uint32_t a, std::uint32_t b) {
      return std::tuple(sets[b].size(), first_host_[a], place_of_switch_name_[a]) <
             std::tuple(sets[a].size(), first_host_[b], place_of_switch_name_[b]);
    });
    std::vector<std::uint8_t> is_waiting(fabric_.switch_count(), 0);
    for (const std::uint32_t s : switches) is_waiting[s] = 1;
    std::vector<std::uint32_t> shared(fabric_.switch_count(), 0);
    std::vector<std::vector<std::uint32_t>> groups;
    for (const std::uint32_t seed : switches) {
      if (is_waiting[seed] == 0) continue;
      is_waiting[seed] = 0;
      std::vector<std::uint32_t> group{seed};
      std::vector<std::uint32_t> seen;
      for (const std::uint32_t member : sets[seed]) {
        for (const std::uint32_t other : back[member]) {
          if (is_waiting[other] != 0 && shared[other]++ == 0) seen.push_back(other);
        }
      }
      for (const std::uint32_t other : seen) {
        if (std::size_t{2} * shared[other] >= sets[other].size()) {
          is_waiting[other] = 0;
          group.push_back(other);
        }
        shared[other] = 0;
      }
      std::sort(group.begin(), group.end(), [this](std::uint32_t a, std::uint32_t b) {
        return std::pair(first_host_[a], place_of_switch_name_[a]) <
               std::pair(first_host_[b], place_of_switch_name_[b]);
      });
      groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [this](const auto& a, const auto& b) {
      return first_host_[a.front()] < first_host_[b.front()];
    });
    return groups;
  }

  void order_switches() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) found_.switches.emplace_back(s);
    const auto place = [this](SwitchId id) {
      const std::uint32_t s = id.value();
      const std::uint32_t column = found_.column[s];
      return std::tuple(found_.level[s], is_top(s) ? column : first_host_[s], column,
                        first_host_[s], place_of_switch_name_[s]);
    };
    std::sort(found_.switches.begin(), found_.switches.end(),
              [&place](SwitchId a, SwitchId b) { return place(a) < place(b); });
  }

  void order_end_ports() {
    std::vector<std::uint32_t> place(fabric_.switch_count());
    for (std::uint32_t i = 0; i < place.size(); ++i) place[found_.switches[i].value()] = i;
    const auto leaf = [&](std::uint32_t e) {
      const SwitchId at = fabric_.end_ports()[e].attached;
      return at.valid() ? place[at.value()] : no_index;
    };
    std::vector<std::uint32_t> order(fabric_.end_port_count());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(leaf(a), place_of_name_[a]) < std::pair(leaf(b), place_of_name_[b]);
    });
    for (const std::uint32_t e : order) found_.end_ports.emplace_back(e);
  }

  const Fabric& fabric_;
  TreeCoordinates found_;
  Sets parents_, children_;
  std::vector<std::vector<std::uint32_t>> of_level_;
  std::vector<std::uint32_t> place_of_name_;         // by EndPortId
  std::vector<std::uint32_t> place_of_switch_name_;  // by SwitchId
  std::vector<std::uint32_t> first_host_;            // at or below, by SwitchId; no_index: none
};

}  // namespace

TreeCoordinates tree_coordinates(const Fabric& fabric) { return CoordinateFinder(fabric).run(); }

std::vector<std::uint32_t> tree_parents(const Fabric& fabric, std::span<const std::uint32_t> levels,
                                        std::uint32_t s) {
  return levels[s] == no_rank ? std::vector<std::uint32_t>{}
                              : neighbours(fabric, levels, s, levels[s] + 1);
}

std::vector<std::uint32_t> tree_children(const Fabric& fabric,
                                         std::span<const std::uint32_t> levels, std::uint32_t s) {
  return levels[s] == no_rank || levels[s] == 0 ? std::vector<std::uint32_t>{}
                                                : neighbours(fabric, levels, s, levels[s] - 1);
}

}  // namespace pssp
