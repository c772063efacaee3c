#pragma once

// The routes between all endpoints of traffic in a form that is read at high speed: the channels of
// a route lie side by side, ready to be counted, instead of behind a chain of table lookups.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Immutable; safe to read from any number of threads. Holds nothing of the fabric or the tables
/// that it is made from.
///
/// Routes are those to one LID of each end port (StripedRoutes has those to several). A route is
/// complete when every switch on it has an entry, no switch comes twice, and the last entry is the
/// port of the destination.
class RouteStore {
 public:
  static constexpr std::size_t hops_per_cell = 4;
  /// The next channels of a route. Behind the last channel come padding slots; a cell of an
  /// incomplete route begins with the slot `blocked()`.
  template <class Index>
  using Cell = std::array<Index, hops_per_cell>;
  /// Cells of all (destination, row), destination-major. 16-bit where the number of slots allows.
  using Cells = std::variant<std::vector<Cell<std::uint16_t>>, std::vector<Cell<std::uint32_t>>>;

  /// O(endpoints * switches) time, on all threads that oneTBB may use; 8 bytes (16 beyond 65,531
  /// channels) for each pair of endpoint and switch with endpoints (with any switch, where a route
  /// is longer than four channels). Throws Error(mismatch) when the tables have fewer LIDs or
  /// another number of switches than the fabric.
  ///
  /// Routes are those to the LID so many above the base LID, of ports that have it, else to the
  /// base LID.
  RouteStore(const Fabric& fabric, const ForwardingTables& tables, unsigned lid_offset = 0);

  std::uint32_t endpoint_count() const noexcept {
    return static_cast<std::uint32_t>(endpoint_row_.size());
  }
  std::uint32_t channel_count() const noexcept { return channel_count_; }

  /// Rows are the switches that routes start from or that a cell of a longer route continues at.
  std::uint32_t row_count() const noexcept { return row_count_; }
  /// Row of the switch that the endpoint is cabled to.
  std::uint32_t endpoint_row(std::uint32_t rank) const noexcept { return endpoint_row_[rank]; }
  std::span<const std::uint32_t> endpoint_rows() const noexcept { return endpoint_row_; }
  /// Number of endpoints cabled to the switch of each row.
  std::span<const std::uint32_t> endpoints_per_row() const noexcept { return endpoints_per_row_; }
  const Cells& cells() const noexcept { return cells_; }
  /// Memory of the cells, nearly all that the object takes.
  std::size_t bytes() const {
    return std::visit([](const auto& cells) { return cells.size() * sizeof(cells[0]); }, cells_);
  }
  std::size_t cell_index(std::uint32_t destination, std::uint32_t row) const noexcept {
    return std::size_t{destination} * row_count_ + row;
  }

  /// True when no route is longer than one cell.
  bool single_cell() const noexcept { return channel_row_.empty(); }
  /// The row that a route goes on from after the last channel of a cell, or its destination's own
  /// row, where it ends. Only where not single_cell().
  std::uint32_t row_behind(std::uint32_t channel) const noexcept { return channel_row_[channel]; }

  /// Slots are what a cell is made of: the channels (by ChannelId), a padding slot for each place
  /// of a cell, and blocked().
  std::uint32_t slot_count() const noexcept { return blocked() + 1; }
  std::uint32_t padding(std::size_t place) const noexcept {
    return channel_count_ + static_cast<std::uint32_t>(place);
  }
  std::uint32_t blocked() const noexcept { return padding(hops_per_cell); }
  /// What one flow adds to the congestion of a slot: Fabric::channel_cost(), 0 for padding,
  /// infinity for blocked().
  std::span<const double> slot_cost() const noexcept { return slot_cost_; }
  /// Likewise for the link of an endpoint.
  double endpoint_cost(std::uint32_t rank) const noexcept { return endpoint_cost_[rank]; }
  /// True when every cost is 1 and every route complete, so that congestion is a plain count.
  bool uniform() const noexcept { return uniform_; }

  /// Number of switch-to-switch channels from the switch of a row to a destination: 0 when the
  /// destination is cabled to it. Nothing (-1) when the route is incomplete.
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
