// A failed switch leaves free ports at all its neighbors. Since most switches have free ports
// anyway, a comparison with peers must show that a switch is missing.
//
// In the middle of a tree, a pod (switches with nearly the same children) has as many switches of
// each column (tree_coordinates.h) as most other pods. If it has fewer, and its children and the
// parents of the column have free ports, a switch is missing.
//
// If no column spans several pods, as at the top, a column is compared with the other columns below
// the top: it should have as many parents as most of these, if its members have free ports.
//
// A missing leaf is not inferred, because its hosts are missing too. Neither are top switches of a
// two-level tree, whose leaves all have one column: with fewer tops it is still a complete tree.

#include "routing/trees/inferred_switches.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/no_index.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

using SwitchNumbers = std::vector<std::uint32_t>;

/// The most frequent number; of equals the smallest.
std::size_t most_frequent(const std::vector<std::size_t>& numbers) {
  std::map<std::size_t, std::size_t> frequency;
  for (const std::size_t each : numbers) ++frequency[each];
  return std::max_element(frequency.begin(), frequency.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

class SwitchImaginer {
 public:
  explicit SwitchImaginer(const Fabric& fabric)
      : fabric_(fabric),
        coordinates_(tree_coordinates(fabric)),
        free_(fabric.switch_count()),
        next_(static_cast<std::uint32_t>(fabric.switch_count())) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      parents_.push_back(tree_parents(fabric, levels(), s));
      children_.push_back(tree_children(fabric, levels(), s));
      for (unsigned port = 1; port <= fabric.switch_at(SwitchId(s)).ports; ++port) {
        const auto number = static_cast<PortNumber>(port);
        if (fabric.behind(SwitchId(s), number).kind == PortTarget::Kind::none) {
          free_[s].push_back(number);
        }
      }
      if (levels()[s] != no_rank && levels()[s] != 0 && !parents_[s].empty()) {
        columns_[levels()[s]][coordinates_.column[s]].push_back(s);
      }
    }
  }

  std::vector<InferredLink> run() {
    for (const auto& [level, columns] : columns_) {
      look_at_pods(columns);
      look_at_tops(columns);
    }
    std::sort(links_.begin(), links_.end());
    return std::move(links_);
  }

 private:
  /// Switches of one level, by column.
  using Columns = std::map<std::uint32_t, SwitchNumbers>;
  /// Cables from a missing switch to a present one.
  struct Stub {
    std::uint32_t at;
    std::size_t cables;
  };

  std::span<const std::uint32_t> levels() const { return coordinates_.level; }

  std::size_t cables(std::uint32_t from, std::uint32_t to) const {
    const auto heads = fabric_.channel_head().subspan(
        fabric_.first_channel()[from],
        fabric_.first_channel()[from + 1] - fabric_.first_channel()[from]);
    return static_cast<std::size_t>(std::count(heads.begin(), heads.end(), to));
  }

  /// The pod of each switch of these columns, and the number of pods.
  std::pair<std::map<std::uint32_t, std::size_t>, std::size_t> find_pods(
      const Columns& columns) const {
    std::map<std::uint32_t, std::size_t> pod_of;
    for (const auto& [column, members] : columns) {
      for (const std::uint32_t s : members) pod_of[s] = no_index;
    }
    std::size_t pods = 0;
    for (auto& [s, pod] : pod_of) {
      if (pod != no_index) continue;
      for (const std::uint32_t other : with_same_children(s)) {
        const auto found = pod_of.find(other);
        if (found != pod_of.end() && found->second == no_index) found->second = pods;
      }
      ++pods;
    }
    return {std::move(pod_of), pods};
  }

  /// The switch itself, and the switches that share at least half of the smaller set of children.
  SwitchNumbers with_same_children(std::uint32_t s) const {
    std::map<std::uint32_t, std::size_t> shared{{s, children_[s].size()}};
    for (const std::uint32_t child : children_[s]) {
      for (const std::uint32_t other : parents_[child]) {
        if (other != s) ++shared[other];
      }
    }
    SwitchNumbers same;
    for (const auto& [other, common] : shared) {
      if (2 * common >= std::min(children_[s].size(), children_[other].size())) {
        same.push_back(other);
      }
    }
    return same;
  }

  /// Finds, column by column, the pods that lack a switch of the column.
  void look_at_pods(const Columns& columns) {
    const auto [pod_of, pods] = find_pods(columns);
    for (const auto& [column, members] : columns) {
      std::vector<std::size_t> count(pods, 0);
      for (const std::uint32_t s : members) ++count[pod_of.at(s)];
      const std::size_t expected = most_frequent(count);
      const auto complete = static_cast<std::size_t>(
          std::count_if(count.begin(), count.end(), [&](std::size_t n) { return n >= expected; }));
      if (2 * complete <= pods) continue;
      const std::vector<Stub> above = stubs_above(members);
      for (std::size_t pod = 0; pod < pods; ++pod) {
        for (std::size_t n = count[pod]; n < expected; ++n) {
          std::vector<Stub> stubs = stubs_below(pod, pod_of, members);
          if (!are_mostly_free(stubs) || !are_mostly_free(above)) break;
          stubs.insert(stubs.end(), above.begin(), above.end());
          add_switch(stubs);
        }
      }
    }
  }

  /// The parents of most members.
  std::vector<Stub> stubs_above(const SwitchNumbers& members) const {
    std::map<std::uint32_t, std::vector<std::size_t>> counts;  // numbers of cables, by parent
    for (const std::uint32_t s : members) {
      for (const std::uint32_t parent : parents_[s]) counts[parent].push_back(cables(s, parent));
    }
    std::vector<Stub> stubs;
    for (const auto& [parent, of_members] : counts) {
      if (2 * of_members.size() >= members.size()) {
        stubs.push_back({parent, most_frequent(of_members)});
      }
    }
    return stubs;
  }

  /// The children of a pod, each with the usual number of cables to a member of the column.
  std::vector<Stub> stubs_below(std::size_t pod, const std::map<std::uint32_t, std::size_t>& pod_of,
                                const SwitchNumbers& members) const {
    std::vector<std::size_t> counts;
    for (const std::uint32_t s : members) {
      for (const std::uint32_t child : children_[s]) counts.push_back(cables(child, s));
    }
    SwitchNumbers below;
    for (const auto& [s, its_pod] : pod_of) {
      if (its_pod == pod) below.insert(below.end(), children_[s].begin(), children_[s].end());
    }
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    std::vector<Stub> stubs;
    for (const std::uint32_t child : below) stubs.push_back({child, most_frequent(counts)});
    return stubs;
  }

  /// Finds columns with too few parents, if the parents of each column are interchangeable.
  void look_at_tops(const Columns& columns) {
    std::map<std::uint32_t, std::vector<Stub>> parents;  // by column
    std::vector<std::size_t> descending;
    for (const auto& [column, members] : columns) {
      std::vector<Stub> above = stubs_above(members);
      if (members.size() < 2 || !stand_for_each_other(above)) continue;
      descending.push_back(above.size());
      parents.emplace(column, std::move(above));
    }
    if (descending.size() < 2) return;
    std::sort(descending.rbegin(), descending.rend());
    // At least half of the columns have this many.
    const std::size_t expected = descending[(descending.size() - 1) / 2];
    for (const auto& [column, above] : parents) {
      for (std::size_t n = above.size(); n < expected; ++n) {
        std::vector<Stub> stubs = stubs_below_top(columns.at(column));
        if (!are_mostly_free(stubs)) break;
        const std::vector<Stub> higher = stubs_above(switches_of(above));
        stubs.insert(stubs.end(), higher.begin(), higher.end());
        add_switch(stubs);
      }
    }
  }

  static SwitchNumbers switches_of(const std::vector<Stub>& stubs) {
    SwitchNumbers switches;
    for (const Stub& stub : stubs) switches.push_back(stub.at);
    return switches;
  }

  /// Whether the switches are tops, or switches of one column.
  bool stand_for_each_other(const std::vector<Stub>& above) const {
    if (above.empty()) return false;
    const std::uint32_t first = above.front().at;
    return std::all_of(above.begin(), above.end(), [&](const Stub& stub) {
      if (parents_[first].empty()) return parents_[stub.at].empty();
      return above.size() > 1 && !parents_[stub.at].empty() &&
             coordinates_.column[stub.at] == coordinates_.column[first];
    });
  }

  std::vector<Stub> stubs_below_top(const SwitchNumbers& members) const {
    std::vector<std::size_t> counts;
    for (const std::uint32_t s : members) {
      for (const std::uint32_t parent : parents_[s]) counts.push_back(cables(s, parent));
    }
    std::vector<Stub> stubs;
    for (const std::uint32_t s : members) stubs.push_back({s, most_frequent(counts)});
    return stubs;
  }

  bool are_mostly_free(const std::vector<Stub>& stubs) const {
    const auto free = std::count_if(stubs.begin(), stubs.end(), [this](const Stub& stub) {
      return free_[stub.at].size() >= stub.cables;
    });
    return 2 * static_cast<std::size_t>(free) > stubs.size();
  }

  void add_switch(const std::vector<Stub>& stubs) {
    unsigned port = 1;
    for (const Stub& stub : stubs) {
      std::vector<PortNumber>& free = free_[stub.at];
      for (std::size_t i = 0; i < stub.cables && !free.empty() && port <= max_port_number; ++i) {
        links_.push_back(
            {{SwitchId(stub.at), free.front()}, {SwitchId(next_), static_cast<PortNumber>(port)}});
        free.erase(free.begin());
        ++port;
      }
    }
    ++next_;
  }

  const Fabric& fabric_;
  TreeCoordinates coordinates_;
  std::vector<std::vector<PortNumber>> free_;      // free ports, by SwitchId
  std::vector<SwitchNumbers> parents_, children_;  // by SwitchId
  std::map<std::uint32_t, Columns> columns_;       // by level, without the top level
  std::uint32_t next_;                             // SwitchId of the next inferred switch
  std::vector<InferredLink> links_;
};

}  // namespace

std::vector<InferredLink> infer_switches(const Fabric& fabric) {
  return SwitchImaginer(fabric).run();
}

}  // namespace pssp
