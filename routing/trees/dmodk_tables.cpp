// From a leaf to the hosts of another leaf, every up path is used once before one is used twice,
// because neighboring hosts have consecutive numbers. At the top switches, where the down path
// begins, all packets to a destination use one path. So in a shift two flows share a channel only
// if there are more hosts than paths, and a leaf receives over as many paths as it sends.
//
// Each node type is counted separately. Otherwise, a server on each leaf would have the numbers 0,
// 18, 36, ..., and all servers would share one up path.
//
// For further LIDs of a host, each digit of the host's number is shifted (plane_turns.h), so that
// shifts are balanced in all planes.
//
// In a damaged tree, only some paths lead to a destination; the modulo is taken over these paths.

#include "routing/trees/dmodk_tables.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/no_index.h"
#include "base/workers.h"
#include "fabric/paths/up_down_distances.h"
#include "routing/trees/plane_turns.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Larger products than hosts distinguish nothing, so the product is capped.
constexpr std::uint64_t widest_product = 1U << 30U;

/// Numbers of up paths.
struct TreeWidths {
  std::vector<std::size_t> usual;    ///< by level with up paths: the most frequent number
  std::vector<std::uint32_t> below;  ///< by SwitchId: the product over the levels below it
  std::uint32_t round = 1;           ///< their product: after this many hosts, all paths repeat

  std::size_t of_leaves() const { return usual.empty() ? 1 : usual.front(); }
};

TreeWidths measure_widths(const Fabric& fabric) {
  const std::vector<std::uint32_t> levels = switch_ranks(fabric);
  std::map<std::uint32_t, std::map<std::size_t, std::size_t>> switches_by_parents;  // by level
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (levels[s] == no_rank) continue;
    const std::size_t parents = tree_parents(fabric, levels, s).size();
    if (parents != 0) ++switches_by_parents[levels[s]][parents];
  }
  TreeWidths widths;
  std::vector<std::uint32_t> below_level{1};
  for (const auto& [level, switches] : switches_by_parents) {
    const auto usual =
        std::max_element(switches.begin(), switches.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    widths.usual.push_back(usual->first);
    const std::uint64_t wider = below_level.back() * usual->first;
    below_level.push_back(wider > widest_product ? below_level.back()
                                                 : static_cast<std::uint32_t>(wider));
  }
  widths.round = below_level.back();
  widths.below.assign(fabric.switch_count(), 1);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (levels[s] == no_rank) continue;
    widths.below[s] = below_level[std::min<std::size_t>(levels[s], below_level.size() - 1)];
  }
  return widths;
}

/// Offsets of the numbers of a leaf's hosts, by SwitchId: whole rounds over the leaf's up paths;
/// empty if no leaf has an offset.
///
/// On a three-level tree, hosts at the same position of all leaves share the up path, or shifts
/// would be unbalanced. If a leaf has several rounds of hosts, and the numbers of rounds and of
/// next-level paths have a common factor, such hosts also share some next-level paths and leave
/// others unused (for example the last host of each leaf, often a server). Shifts do not require
/// this: the switches of the next level must only use all their paths in turn for the hosts of a
/// pod. So each time they have used all paths within a pod, the next leaf begins one path later.
std::vector<std::uint32_t> turns_of_leaves(const Fabric& fabric, const TreeWidths& widths,
                                           const NodeTypesOfHosts& node_types) {
  if (widths.usual.size() != 2 || fabric.endpoints().empty()) return {};
  const auto below = static_cast<std::uint32_t>(widths.usual[0]);
  const auto above = static_cast<std::uint32_t>(widths.usual[1]);
  const std::vector<std::uint32_t> levels = switch_ranks(fabric);
  const std::uint32_t type = node_types.of[fabric.endpoints().front().value()];
  for (const EndPortId e : fabric.endpoints()) {
    if (node_types.of[e.value()] != type) return {};
  }
  std::vector<std::uint32_t> turns(fabric.switch_count(), 0);
  std::vector<std::uint32_t> of_pod;  // switches of the next level
  std::uint32_t hosts = 0;            // hosts per leaf
  std::uint32_t before = 0;           // rounds already counted in the pod
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::uint32_t here = fabric.endpoints_per_switch()[s];
    if (here == 0) continue;
    if (hosts == 0) hosts = here;
    std::vector<std::uint32_t> parents = tree_parents(fabric, levels, s);
    if (here != hosts || here % below != 0 || parents.size() != below) return {};
    if (parents != of_pod) {
      // An incomplete round over the next-level paths at the end of a pod would disturb every
      // shift.
      if (before % above != 0) return {};
      of_pod = std::move(parents);
      before = 0;
    }
    turns[s] = below * (before / above);
    before += here / below;
  }
  if (before % above != 0 || std::gcd(hosts / below, above) == 1) return {};
  return turns;
}

/// Numbers of destinations, by EndPortId: each node type is counted leaf by leaf.
///
/// Shifts wrap around: the last host is a neighbor of the first. If the number of hosts is not a
/// whole number of rounds over all paths, every shift would be unbalanced there on some leaf. So
/// the unused numbers are spread among the leaves.
class DestinationNumbers {
 public:
  DestinationNumbers(const Fabric& fabric, const DmodkCount& count, const TreeWidths& widths)
      : fabric_(fabric),
        widths_(widths),
        node_types_(find_node_types(fabric, count.node_types)),
        number_(fabric.end_port_count(), 0) {
    if (count.start == LeafStart::next) {
      count_on(count.gap);
      if (count.gap == 0) turn();
    } else {
      count_again();
    }
  }

  std::uint32_t operator[](EndPortId e) const { return number_[e.value()]; }

 private:
  /// Skips `gap` numbers after the hosts of a node type on a leaf.
  void count_on(std::uint32_t gap) {
    const std::vector<std::uint64_t> all = count_of_types(gap);
    std::vector<std::uint64_t> next(node_types_.count, 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const std::vector<std::uint64_t> before = next;
      for (const EndPortId e : fabric_.end_ports_of(SwitchId(s))) {
        const std::uint32_t type = node_types_.of[e.value()];
        number_[e.value()] =
            static_cast<std::uint32_t>(next[type]++ + left_out(all[type], before[type]));
      }
      for (std::size_t type = 0; type < next.size(); ++type) {
        if (next[type] != before[type]) next[type] += gap;
      }
    }
  }

  void turn() {
    const std::vector<std::uint32_t> turns = turns_of_leaves(fabric_, widths_, node_types_);
    for (std::uint32_t s = 0; s < turns.size(); ++s) {
      for (const EndPortId e : fabric_.end_ports_of(SwitchId(s))) number_[e.value()] += turns[s];
    }
  }

  /// Numbers of each node type, including gaps.
  std::vector<std::uint64_t> count_of_types(std::uint32_t gap) const {
    std::vector<std::uint64_t> numbers(node_types_.count, 0);
    std::vector<std::uint32_t> last_switch(node_types_.count, no_index);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      for (const EndPortId e : fabric_.end_ports_of(SwitchId(s))) {
        const std::uint32_t type = node_types_.of[e.value()];
        numbers[type] += std::exchange(last_switch[type], s) == s ? 1 : 1 + gap;
      }
    }
    return numbers;
  }

  /// Numbers skipped before host number `before` of `all` hosts. Skips single numbers to fill the
  /// rounds of the leaves, and whole rounds of the leaves to fill the rounds of the levels above.
  std::uint64_t left_out(std::uint64_t all, std::uint64_t before) const {
    const std::uint64_t of_leaves = widths_.of_leaves();
    const std::uint64_t single = (of_leaves - all % of_leaves) % of_leaves;
    const std::uint64_t rounds = (all + single) / of_leaves;
    const std::uint64_t above = std::max<std::uint64_t>(1, widths_.round / of_leaves);
    const std::uint64_t whole = (above - rounds % above) % above;
    return single * before / all + of_leaves * (whole * before / all);
  }

  /// Each leaf begins at a whole number of rounds over its own up paths.
  void count_again() {
    const std::vector<std::uint32_t> levels = switch_ranks(fabric_);
    std::vector<std::uint32_t> next(node_types_.count, 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const auto paths = static_cast<std::uint32_t>(
          std::max<std::size_t>(1, tree_parents(fabric_, levels, s).size()));
      for (std::uint32_t& each : next) each = (each + paths - 1) / paths * paths;
      for (const EndPortId e : fabric_.end_ports_of(SwitchId(s))) {
        number_[e.value()] = next[node_types_.of[e.value()]]++;
      }
    }
  }

  const Fabric& fabric_;
  const TreeWidths& widths_;
  NodeTypesOfHosts node_types_;
  std::vector<std::uint32_t> number_;
};

/// The number of a further LID, derived from the number of its host.
std::uint32_t plane_number(std::uint32_t number, unsigned plane, unsigned planes,
                           const std::vector<std::size_t>& widths) {
  if (plane == 0) return number;
  std::uint64_t rest = number;
  std::uint64_t turned = 0;
  std::uint64_t below = 1;
  for (std::size_t level = 0; level < widths.size(); ++level) {
    const std::size_t width = widths[level];
    if (below * width > widest_product) break;
    turned += below * turned_path(rest % width, width, plane, planes, level, widths);
    rest /= width;
    below *= width;
  }
  return static_cast<std::uint32_t>(turned + below * rest);
}

/// A LID and the number that determines its paths.
struct Destination {
  Lid lid;
  std::uint32_t number;
};

/// Routes to all destinations at a switch. `Distances` determines the legal paths.
template <class Distances>
class LeafRouter {
 public:
  LeafRouter(const Fabric& fabric, Distances distances, const TreeWidths& widths,
             std::span<const std::uint32_t> place, ForwardingTables& tables)
      : fabric_(fabric),
        distances_(std::move(distances)),
        widths_(widths),
        place_(place),
        tables_(tables) {}

  void route(SwitchId leaf, const std::vector<Destination>& destinations) {
    distances_.search(leaf);
    choices_.clear();
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      gather_paths(s);
      choose(widths_.below[s], static_cast<std::uint32_t>(paths_.size()), destinations);
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        tables_.set(SwitchId(s), destinations[i].lid, port_for(choices_[i]));
      }
    }
  }

 private:
  /// Parallel channels to one neighbor.
  struct PathChoice {
    std::uint32_t first, count;
  };
  /// The path for a destination, and the quotient that selects a parallel cable.
  struct Choice {
    std::uint32_t path, rest;
  };

  /// Most switches of a level make the same choices, so the results of the divisions are reused.
  void choose(std::uint32_t below, std::uint32_t paths,
              const std::vector<Destination>& destinations) {
    if (!choices_.empty() && below == below_chosen_ && paths == paths_chosen_) return;
    below_chosen_ = below;
    paths_chosen_ = paths;
    choices_.clear();
    for (const Destination& each : destinations) {
      const std::uint32_t number = each.number / below;
      choices_.push_back({number % paths, number / paths});
    }
  }

  void gather_paths(std::uint32_t s) {
    paths_.clear();
    std::uint32_t last_head = 0;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (!distances_.is_next_hop(s, c)) continue;
      const std::uint32_t head = fabric_.channel_head()[c];
      if (!paths_.empty() && head == last_head) {
        ++paths_.back().count;
      } else {
        paths_.push_back({c, 1});
      }
      last_head = head;
    }
    if (place_.empty()) return;
    std::sort(paths_.begin(), paths_.end(), [this](const PathChoice& a, const PathChoice& b) {
      return place_[fabric_.channel_head()[a.first]] < place_[fabric_.channel_head()[b.first]];
    });
  }

  PortNumber port_for(const Choice& choice) const {
    const PathChoice& path = paths_[choice.path];
    const std::uint32_t cable = path.count == 1 ? 0 : choice.rest % path.count;
    return fabric_.channel_out_port()[path.first + cable];
  }

  const Fabric& fabric_;
  Distances distances_;
  const TreeWidths& widths_;
  std::span<const std::uint32_t> place_;
  ForwardingTables& tables_;
  std::vector<PathChoice> paths_;  // by neighbor, in the order of channels or of place_
  std::vector<Choice> choices_;    // by destination, for these:
  std::uint32_t below_chosen_ = 0;
  std::uint32_t paths_chosen_ = 0;
};

/// The destinations at a switch, including the switch itself.
std::vector<Destination> destinations_of(const Fabric& fabric, std::uint32_t s,
                                         const DestinationNumbers& numbers,
                                         const std::vector<std::size_t>& widths) {
  std::vector<Destination> destinations;
  const auto add = [&](Lid base, unsigned lmc, std::uint32_t number) {
    if (base == no_lid) return;
    for (unsigned i = 0; i < 1U << lmc; ++i) {
      destinations.push_back(
          {static_cast<Lid>(base + i), plane_number(number, i, 1U << lmc, widths)});
    }
  };
  for (const EndPortId e : fabric.end_ports_of(SwitchId(s))) {
    add(fabric.end_port(e).lid, fabric.end_port(e).lmc, numbers[e]);
  }
  add(fabric.switch_at(SwitchId(s)).lid, fabric.switch_at(SwitchId(s)).lmc, s);
  return destinations;
}

/// `make()` returns the distances of a thread.
template <class Make>
ForwardingTables route_all(const Fabric& fabric, const Make& make, const DmodkCount& count,
                           unsigned workers, const StopSignal& stop,
                           std::span<const std::uint32_t> place) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  const TreeWidths widths = measure_widths(fabric);
  const DestinationNumbers numbers(fabric, count, widths);
  // Threads write different, but neighboring columns.
  constexpr std::uint32_t leaves_at_once = 64;
  const auto switches = static_cast<std::uint32_t>(fabric.switch_count());
  const std::size_t tasks = (switches + leaves_at_once - 1) / leaves_at_once;
  run_tasks(workers, tasks, [&](std::size_t task) {
    const auto begin = static_cast<std::uint32_t>(task) * leaves_at_once;
    LeafRouter router(fabric, make(), widths, place, tables);
    for (std::uint32_t s = begin; s < std::min(switches, begin + leaves_at_once); ++s) {
      stop.check("routing by the closed form", static_cast<double>(s) / switches);
      router.route(SwitchId(s), destinations_of(fabric, s, numbers, widths.usual));
    }
  });
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (delivery.at.valid()) tables.set(delivery.at, lid, delivery.port);
  }
  return tables;
}

}  // namespace

ForwardingTables route_dmodk(const Fabric& fabric, const UpDownOrder* order,
                             const DmodkCount& count, unsigned workers, const StopSignal& stop,
                             std::span<const std::uint32_t> place) {
  if (order == nullptr) {
    return route_all(
        fabric, [&] { return HopDistances(fabric); }, count, workers, stop, place);
  }
  return route_all(
      fabric, [&] { return UpDownDistances(fabric, *order); }, count, workers, stop, place);
}

}  // namespace pssp
