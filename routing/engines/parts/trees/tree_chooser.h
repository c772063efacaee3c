#pragma once

// The cheapest tree among given paths, and what it adds to the loads.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/engines/parts/trees/root_paths.h"
#include "routing/engines/parts/trees/tree_loads.h"

namespace pssp {

/// Serves many trees and allocates only once.
class TreeChooser {
 public:
  explicit TreeChooser(const Fabric& fabric);

  /// For each switch the cheapest way to the root on these loads, the first of equals, into a
  /// column of TreeColumns. O(paths).
  void choose(std::uint32_t root, const RootPaths& paths, TreeLoads& loads,
              std::span<std::uint8_t> column);

  /// Adds the routes of all endpoints by these ways to the loads: going back farthest first, the
  /// number of endpoints behind each switch gives what a tree adds to each channel. O(switches).
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
  std::vector<double> cost_;    // by SwitchId, of the way to the root; infinite for no switch
  std::vector<double> nearer_;  // what it costs from the next switches of a group on
  /// By SwitchId, the endpoints that send through the switch, as the sum of two numbers: neighbours
  /// of a group mostly choose alike, and one sum would wait for the other.
  std::vector<std::array<std::uint32_t, 2>> endpoints_;
};

}  // namespace pssp
