#pragma once

// The links of flows, including those of hosts, in one numbering: the basis of plans, expected
// rates and suspects.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/flows/route_store.h"
#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"

namespace pssp {

/// Immutable; can be read by any number of threads. Does not refer to the tables; the fabric must
/// outlive it.
///
/// A link is one direction: channels by ChannelId, then for each endpoint the direction into the
/// fabric and the one from it. Endpoints are ranks, positions in Fabric::endpoints().
class FlowAlternatives {
 public:
  /// Time and memory as for a RouteStore. Throws its Error(mismatch).
  FlowAlternatives(const Fabric& fabric, const ForwardingTables& tables);

  std::uint32_t endpoint_count() const noexcept { return routes_.endpoint_count(); }
  std::uint32_t channel_count() const noexcept { return routes_.channel_count(); }
  std::uint32_t link_count() const noexcept { return channel_count() + 2 * endpoint_count(); }
  std::uint32_t link_from(std::uint32_t rank) const noexcept { return channel_count() + 2 * rank; }
  std::uint32_t link_to(std::uint32_t rank) const noexcept { return link_from(rank) + 1; }
  /// The other direction of the same cable.
  std::uint32_t reverse(std::uint32_t link) const;
  /// Relative to the fabric's reference capacity.
  double capacity(std::uint32_t link) const noexcept { return capacity_[link]; }

  /// Appends the links of a flow, from source to destination, to `links`. Returns false and appends
  /// nothing if there is no route, or if both ends are equal.
  bool append(Flow flow, std::vector<std::uint32_t>& links) const;
  /// Calls see(channel) for each channel between switches, until it returns false. Returns false
  /// then, and if there is no route.
  template <class See>
  bool each_channel(Flow flow, const See& see) const {
    return each_channel_from(routes_.endpoint_row(flow.source), flow.destination, see);
  }
  /// The same for all sources of a row: endpoints of one switch share their path to a destination.
  std::uint32_t row_count() const noexcept { return routes_.row_count(); }
  std::uint32_t row_of(std::uint32_t rank) const noexcept { return routes_.endpoint_row(rank); }
  template <class See>
  bool each_channel_from(std::uint32_t first_row, std::uint32_t destination, const See& see) const {
    return std::visit(
        [&](const auto& cells) {
          std::uint32_t row = first_row;
          const std::uint32_t last_row = routes_.endpoint_row(destination);
          for (;;) {
            const auto& cell = cells[routes_.cell_index(destination, row)];
            std::uint32_t seen = 0;
            for (const std::uint32_t slot : cell) {
              if (slot >= routes_.channel_count()) break;
              if (!see(slot)) return false;
              ++seen;
            }
            if (cell[0] == routes_.blocked()) return false;
            if (seen < RouteStore::hops_per_cell || routes_.single_cell()) return true;
            row = routes_.row_behind(cell[RouteStore::hops_per_cell - 1]);
            if (row == last_row) return true;
          }
        },
        routes_.cells());
  }

  const Fabric& fabric() const noexcept { return fabric_; }
  /// The endpoint of a rank.
  EndPortId port_of(std::uint32_t rank) const noexcept { return fabric_.endpoints()[rank]; }

 private:
  const Fabric& fabric_;
  RouteStore routes_;
  std::vector<double> capacity_;
};

}  // namespace pssp
