#include "evaluator/flows/flow_paths.h"

// The only pass over the flows of a pattern that reads the large store. Its addresses depend only
// on the flows, so the processor overlaps the cache misses; counting and looking up use the
// collected cells, which stay in the innermost caches.

namespace pssp {

FlowPaths::FlowPaths(const RouteStore& routes) : routes_(routes) {
  if (std::holds_alternative<std::vector<RouteStore::Cell<std::uint32_t>>>(routes.cells())) {
    cells_.emplace<Cells<std::uint32_t>>();
  }
}

void FlowPaths::collect(std::span<const Flow> flows) {
  flows_ = flows;
  std::visit([this](auto& cells) { collect(cells); }, cells_);
}

template <class Index>
void FlowPaths::collect(Cells<Index>& cells) const {
  const auto& store = std::get<std::vector<RouteStore::Cell<Index>>>(routes_.cells());
  const std::span<const std::uint32_t> rows = routes_.endpoint_rows();
  cells.cells.resize(flows_.size());
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    cells.cells[i] = store[routes_.cell_index(flows_[i].destination, rows[flows_[i].source])];
  }
  if (!routes_.single_cell()) collect_tails(cells);
}

template <class Index>
void FlowPaths::collect_tails(Cells<Index>& cells) const {
  const auto& store = std::get<std::vector<RouteStore::Cell<Index>>>(routes_.cells());
  const std::span<const std::uint32_t> rows = routes_.endpoint_rows();
  cells.flow_of_tail.clear();
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const std::uint32_t last = cells.cells[i].back();
    if (last >= routes_.channel_count()) continue;
    const std::uint32_t flow =
        i < flows_.size() ? static_cast<std::uint32_t>(i) : cells.flow_of_tail[i - flows_.size()];
    const std::uint32_t destination = flows_[flow].destination;
    const std::uint32_t row = routes_.row_behind(last);
    if (row == rows[destination]) continue;
    cells.cells.push_back(store[routes_.cell_index(destination, row)]);
    cells.flow_of_tail.push_back(flow);
  }
}

}  // namespace pssp
