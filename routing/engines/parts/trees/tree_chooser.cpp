// For one destination, only channels that lead nearer to it matter. Switches are visited nearest
// first, so one pass over the channels of each switch finds its cheapest path, without a heap.
//
// This pass determines the time for large fabrics. The cheapest path is unpredictable, so the code
// has no branches: the last bits of each load contain the number of the channel (tree_loads.h), and
// so do those of the minimum of sums, which is computed for several channels at a time. The loads
// of a switch's channels are contiguous in memory, and the costs from the next switches on are
// collected once for all switches of a group.

#include "routing/engines/parts/trees/tree_chooser.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace pssp {
namespace {

using TwoLoads __attribute__((vector_size(16))) = double;

constexpr double infinite_cost = std::numeric_limits<double>::infinity();

TwoLoads two_at(const double* loads) {
  TwoLoads two{};
  std::memcpy(&two, loads, sizeof(two));
  return two;
}

TwoLoads lesser(TwoLoads a, TwoLoads b) { return a < b ? a : b; }

struct ChosenPath {
  double cost;
  std::uint32_t path;  // among all of the switch
};

/// Separates a marked cost from its mark: adding this large number leaves no bits of a double for
/// less than a step, so it rounds to steps.
ChosenPath read_mark(double cost) {
  constexpr double rounder = 0x1.8p52 * TreeLoads::step;
  const auto in_marks = static_cast<std::int64_t>(cost * (1 / TreeLoads::mark));
  return {(cost + rounder) - rounder,
          static_cast<std::uint32_t>(in_marks & (TreeLoads::marks - 1))};
}

/// The minimum of loads[k] + nearer[k], computed four at a time: nearer[paths] and later values are
/// infinite.
struct ByMarks {
  static ChosenPath single(double cost, std::uint32_t /*way*/) { return read_mark(cost); }

  static ChosenPath choose(const double* loads, const double* nearer, const PathGroup& group) {
    TwoLoads least = two_at(loads) + two_at(nearer);
    TwoLoads other = two_at(loads + 2) + two_at(nearer + 2);
    for (std::size_t k = 4; k < group.paths; k += 4) {
      least = lesser(least, two_at(loads + k) + two_at(nearer + k));
      other = lesser(other, two_at(loads + k + 2) + two_at(nearer + k + 2));
    }
    least = lesser(least, other);
    return read_mark(std::min(least[0], least[1]));
  }
};

struct ByComparison {
  static ChosenPath single(double cost, std::uint32_t path) { return {cost, path}; }

  static ChosenPath choose(const double* loads, const double* nearer, const PathGroup& group) {
    ChosenPath chosen{infinite_cost, 0};
    for (std::uint32_t k = 0; k < group.paths; ++k) {
      const double cost = nearer[k] + loads[k];
      if (cost < chosen.cost) chosen = {cost, group.first_path + k};
    }
    return chosen;
  }
};

}  // namespace

TreeChooser::TreeChooser(const Fabric& fabric)
    : fabric_(fabric),
      cost_(fabric.switch_count() + 1, infinite_cost),
      nearer_(TreeLoads::marks + TreeLoads::padding, infinite_cost),
      endpoints_(fabric.switch_count()) {}

void TreeChooser::choose(std::uint32_t root, const RootPaths& paths, TreeLoads& loads,
                         std::span<std::uint8_t> column) {
  cost_[root] = 0;
  if (loads.are_marked()) {
    choose(paths, loads.values().data(), column, ByMarks());
  } else {
    choose(paths, loads.values().data(), column, ByComparison());
  }
}

void TreeChooser::probe_closer(const std::uint32_t* heads, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) nearer_[k] = cost_[heads[k]];
  std::fill_n(nearer_.begin() + static_cast<std::ptrdiff_t>(count), TreeLoads::padding,
              infinite_cost);
}

template <class ChoosePath>
void TreeChooser::choose(const RootPaths& paths, const double* loads,
                         std::span<std::uint8_t> column, const ChoosePath& choose_path) {
  const std::uint32_t* first = fabric_.first_channel().data();
  const std::uint32_t* s = paths.switches.data();
  const std::uint32_t* heads = paths.heads.data();
  const auto enter = [&](std::uint32_t at, const ChosenPath& chosen) {
    cost_[at] = chosen.cost;
    column[at] = static_cast<std::uint8_t>(chosen.path);
  };
  for (const PathGroup& group : paths.groups) {
    const std::uint32_t* end = s + group.switches;
    if (group.paths == 1) {
      for (; s != end; ++s, heads += 2) {
        enter(*s, choose_path.single(cost_[heads[0]] + loads[first[*s] + heads[1]], heads[1]));
      }
      continue;
    }
    probe_closer(heads, group.paths);
    for (; s != end; ++s) {
      enter(*s, choose_path.choose(loads + first[*s] + group.first_path, nearer_.data(), group));
    }
    heads += group.paths;
  }
}

void TreeChooser::add_routes(const RootPaths& paths, std::span<const std::uint8_t> column,
                             TreeLoads& loads) {
  const auto per_switch = fabric_.endpoints_per_switch();
  for (std::size_t s = 0; s < per_switch.size(); ++s) endpoints_[s] = {per_switch[s], 0};
  if (loads.count_routes()) {
    add_routes(paths, column, loads.values().data(),
               [](std::uint32_t routes, std::uint32_t) -> double { return routes; });
  } else {
    const double* cost = fabric_.channel_cost().data();
    add_routes(
        paths, column, loads.values().data(),
        [cost](std::uint32_t routes, std::uint32_t channel) { return routes * cost[channel]; });
  }
}

template <class Share>
void TreeChooser::add_routes(const RootPaths& paths, std::span<const std::uint8_t> column,
                             double* loads, const Share& share) {
  const std::uint32_t* first = fabric_.first_channel().data();
  const std::uint32_t* s = paths.switches.data() + paths.switches.size();
  const std::uint32_t* heads = paths.heads.data() + paths.heads.size();
  std::array<std::uint32_t, 2>* endpoints = endpoints_.data();
  std::size_t turn = 0;
  const auto add = [&](std::uint32_t from, std::uint32_t path, std::uint32_t head) {
    const std::uint32_t routes = endpoints[from][0] + endpoints[from][1];
    const std::uint32_t channel = first[from] + path;
    loads[channel] += share(routes, channel);
    endpoints[head][turn] += routes;
    turn ^= 1;
  };
  for (std::size_t g = paths.groups.size(); g > 0; --g) {
    const PathGroup& group = paths.groups[g - 1];
    const std::uint32_t* begin = s - group.switches;
    if (group.paths == 1) {
      while (s != begin) {
        --s;
        heads -= 2;
        add(*s, heads[1], heads[0]);
      }
      continue;
    }
    heads -= group.paths;
    while (s != begin) {
      --s;
      add(*s, column[*s], heads[column[*s] - group.first_path]);
    }
  }
}

}  // namespace pssp
