#pragma once

// The routes between all endpoints of traffic in a form for fast reading: the channels of a route
// are contiguous instead of behind a chain of table lookups.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Immutable; can be read by any number of threads. Does not refer to the fabric or the tables.
///
/// Contains the routes to one LID of each end port (StripedRoutes: to several). A route is complete
/// if every switch on it has an entry, no switch occurs twice, and the last entry is the port of
/// the destination.
class RouteStore {
 public:
  static constexpr std::size_t hops_per_cell = 4;
  /// The next channels of a route. The last channel is followed by padding slots; a cell of an
  /// incomplete route begins with the slot `blocked()`.
  template <class Index>
  using Cell = std::array<Index, hops_per_cell>;
  /// Cells of all (destination, row), destination-major. 16-bit if the number of slots permits.
  using Cells = std::variant<std::vector<Cell<std::uint16_t>>, std::vector<Cell<std::uint32_t>>>;

  /// O(endpoints * switches) time, on all threads of oneTBB; 8 bytes (16 beyond 65,531 channels)
  /// per pair of endpoint and switch with endpoints (or any switch, if a route is longer than four
  /// channels). Throws Error(mismatch) if the tables have fewer LIDs or another number of switches
  /// than the fabric.
  ///
  /// Uses the LID `lid_offset` above the base LID for ports that have it, else the base LID.
  RouteStore(const Fabric& fabric, const ForwardingTables& tables, unsigned lid_offset = 0);

  std::uint32_t endpoint_count() const noexcept {
    return static_cast<std::uint32_t>(endpoint_row_.size());
  }
  std::uint32_t channel_count() const noexcept { return channel_count_; }

  /// Rows are the switches where routes start or where a cell of a longer route continues.
  std::uint32_t row_count() const noexcept { return row_count_; }
  /// Row of the switch that the endpoint is cabled to.
  std::uint32_t endpoint_row(std::uint32_t rank) const noexcept { return endpoint_row_[rank]; }
  std::span<const std::uint32_t> endpoint_rows() const noexcept { return endpoint_row_; }
  /// Number of endpoints cabled to the switch of each row.
  std::span<const std::uint32_t> endpoints_per_row() const noexcept { return endpoints_per_row_; }
  const Cells& cells() const noexcept { return cells_; }
  /// Memory of the cells, nearly all of the object.
  std::size_t bytes() const {
    return std::visit([](const auto& cells) { return cells.size() * sizeof(cells[0]); }, cells_);
  }
  std::size_t cell_index(std::uint32_t destination, std::uint32_t row) const noexcept {
    return std::size_t{destination} * row_count_ + row;
  }

  /// Whether every route fits into one cell.
  bool single_cell() const noexcept { return channel_row_.empty(); }
  /// The row where a route continues after the last channel of a cell, or the destination's own
  /// row, where it ends. Only if not single_cell().
  std::uint32_t row_behind(std::uint32_t channel) const noexcept { return channel_row_[channel]; }

  /// Slots are the elements of cells: the channels (by ChannelId), a padding slot for each position
  /// of a cell, and blocked().
  std::uint32_t slot_count() const noexcept { return blocked() + 1; }
  std::uint32_t padding(std::size_t place) const noexcept {
    return channel_count_ + static_cast<std::uint32_t>(place);
  }
  std::uint32_t blocked() const noexcept { return padding(hops_per_cell); }
  /// The congestion that one flow adds to a slot: Fabric::channel_cost(), 0 for padding, infinity
  /// for blocked().
  std::span<const double> slot_cost() const noexcept { return slot_cost_; }
  /// The same for the link of an endpoint.
  double endpoint_cost(std::uint32_t rank) const noexcept { return endpoint_cost_[rank]; }
  /// Whether every cost is 1 and every route complete, so that congestion is a plain count.
  bool uniform() const noexcept { return uniform_; }

  /// Number of channels from the switch of a row to a destination: 0 if the destination is at this
  /// switch; -1 if the route is incomplete.
  int hops(std::uint32_t row, std::uint32_t destination) const;

 private:
  void take_costs(const Fabric& fabric);

  std::uint32_t channel_count_ = 0;
  std::uint32_t row_count_ = 0;
  std::vector<std::uint32_t> endpoint_row_, endpoints_per_row_, channel_row_;
  std::vector<double> slot_cost_, endpoint_cost_;
  bool uniform_ = true;
  Cells cells_;
};

}  // namespace pssp
