#pragma once

// Chooses the cheapest tree among given paths, and adds its routes to the loads.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/engines/parts/trees/root_paths.h"
#include "routing/engines/parts/trees/tree_loads.h"

namespace pssp {

/// Reusable for many trees; allocates memory only once.
class TreeChooser {
 public:
  explicit TreeChooser(const Fabric& fabric);

  /// Writes the next hop of each switch on its cheapest path to the root with these loads (the
  /// first of equals) to a column of TreeColumns. O(paths).
  void choose(std::uint32_t root, const RootPaths& paths, TreeLoads& loads,
              std::span<std::uint8_t> column);

  /// Adds the routes of all endpoints on these paths to the loads: visits the farthest switches
  /// first, so that the number of endpoints behind each switch is known. O(switches).
  void add_routes(const RootPaths& paths, std::span<const std::uint8_t> column, TreeLoads& loads);

 private:
  void probe_closer(const std::uint32_t* heads, std::size_t count);
  template <class ChoosePath>
  void choose(const RootPaths& paths, const double* loads, std::span<std::uint8_t> column,
              const ChoosePath& choose_path);
  template <class Share>
  void add_routes(const RootPaths& paths, std::span<const std::uint8_t> column, double* loads,
                  const Share& share);

  const Fabric& fabric_;
  std::vector<double> cost_;    // of the path to the root, by SwitchId; infinite for no switch
  std::vector<double> nearer_;  // costs from the next switches of a group on
  /// By SwitchId, the number of endpoints that send through the switch, as the sum of two numbers:
  /// consecutive switches of a group mostly choose alike, and additions to one sum would wait for
  /// each other.
  std::vector<std::array<std::uint32_t, 2>> endpoints_;
};

}  // namespace pssp
