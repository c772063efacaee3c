#pragma once

// The routes of the flows of a pattern, side by side in memory.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "evaluator/flows/route_store.h"
#include "evaluator/patterns/flow.h"

namespace pssp {

/// One object per thread. The store must outlive it.
class FlowPaths {
 public:
  /// The store's cells of the routes.
  template <class Index>
  struct Cells {
    /// The first cell of each flow, in the order of the flows, followed by the remaining cells of
    /// longer routes.
    std::vector<RouteStore::Cell<Index>> cells;
    std::vector<std::uint32_t> flow_of_tail;  ///< flow that cells[flows + i] belongs to
  };

  explicit FlowPaths(const RouteStore& routes);

  /// Looks up the routes of `flows`, which must not change while the paths are in use. O(sum of the
  /// path lengths).
  void collect(std::span<const Flow> flows);

  std::span<const Flow> flows() const noexcept { return flows_; }
  const RouteStore& routes() const noexcept { return routes_; }

  /// Calls work(const Cells<Index>&) with the Index of the store.
  template <class Work>
  void with_cells(Work&& work) const {
    std::visit(std::forward<Work>(work), cells_);
  }

 private:
  template <class Index>
  void collect(Cells<Index>& cells) const;
  template <class Index>
  void collect_tails(Cells<Index>& cells) const;

  const RouteStore& routes_;
  std::span<const Flow> flows_;
  std::variant<Cells<std::uint16_t>, Cells<std::uint32_t>> cells_;
};

}  // namespace pssp
