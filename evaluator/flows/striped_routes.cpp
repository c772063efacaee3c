// Loads are integers in units, so that sums do not depend on the order of the flows. If a
// destination has fewer LIDs than others, its parts have no weight in the additional stores.

#include "evaluator/flows/striped_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace pssp {

namespace {

void require_memory(const RouteStore& store, unsigned lids, std::size_t most_bytes) {
  if (lids < 2 || store.bytes() <= most_bytes / lids) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("the routes to {} LIDs of {} hosts would take {:.1f} GiB of memory, more than "
                  "the limit of {:.1f} GiB; score fewer LIDs per host, or only base LIDs",
                  lids, store.endpoint_count(), static_cast<double>(store.bytes()) * lids / 0x1p30,
                  static_cast<double>(most_bytes) / 0x1p30));
}

}  // namespace

StripedRoutes::StripedRoutes(const Fabric& fabric, const ForwardingTables& tables, LidUse use,
                             std::size_t most_bytes)
    : use_(use), units_(units_of_a_flow(use.lids)) {
  stores_.reserve(use.lids);
  for (unsigned lid = 0; lid < use.lids; ++lid) {
    stores_.emplace_back(fabric, tables, lid);
    if (lid == 0) require_memory(base(), use.lids, most_bytes);
  }
  alternatives_.reserve(fabric.endpoints().size());
  for (const EndPortId endpoint : fabric.endpoints()) {
    alternatives_.push_back(lids_in_use(use, fabric.end_port(endpoint).lmc));
  }
}

StripedLoads::StripedLoads(const StripedRoutes& routes, HostLinks host_links)
    : routes_(routes),
      host_links_(host_links),
      load_(routes.base().slot_count()),
      sent_(routes.endpoint_count()),
      received_(routes.endpoint_count()) {
  paths_.reserve(routes.stores().size());
  for (const RouteStore& store : routes.stores()) paths_.emplace_back(store);
}

void StripedLoads::clear() {
  std::fill(load_.begin(), load_.end(), 0U);
  std::fill(sent_.begin(), sent_.end(), 0U);
  std::fill(received_.begin(), received_.end(), 0U);
}

void StripedLoads::collect(std::span<const Flow> flows) {
  flows_ = flows;
  for (FlowPaths& paths : paths_) paths.collect(flows);
}

void StripedLoads::add() {
  any_arrives_.assign(flows_.size(), 0);
  for (std::size_t lid = 0; lid < paths_.size(); ++lid) {
    const auto part = [&](std::uint32_t destination) {
      return lid < routes_.paths_to(destination) ? routes_.part(destination) : std::uint64_t{0};
    };
    paths_[lid].with_cells([&](const auto& all) {
      for (std::size_t i = 0; i < all.cells.size(); ++i) {
        const std::size_t flow = i < flows_.size() ? i : all.flow_of_tail[i - flows_.size()];
        const std::uint64_t units = part(flows_[flow].destination);
        for (const auto slot : all.cells[i]) load_[slot] += units;
      }
      for (std::size_t i = 0; i < flows_.size(); ++i) {
        const bool arrives = all.cells[i].front() != routes_.base().blocked();
        if (arrives && lid < routes_.paths_to(flows_[i].destination)) any_arrives_[i] = 1;
      }
    });
  }
  // A host sends the whole flow, even if some of its parts do not arrive.
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (any_arrives_[i] == 0) continue;
    sent_[flows_[i].source] += routes_.units();
    received_[flows_[i].destination] += routes_.units();
  }
}

double StripedLoads::host_congestion(Flow flow) const {
  if (host_links_ == HostLinks::left_out) return 0;
  const auto units = static_cast<double>(routes_.units());
  return std::max(
      static_cast<double>(sent_[flow.source]) / units * routes_.base().endpoint_cost(flow.source),
      static_cast<double>(received_[flow.destination]) / units *
          routes_.base().endpoint_cost(flow.destination));
}

/// Writes the congestion of each flow over one of its LIDs to of_part_.
void StripedLoads::congestion_of_part(std::size_t lid) {
  const std::span<const double> cost = routes_.base().slot_cost();
  const std::uint32_t blocked = routes_.base().blocked();
  const auto units = static_cast<double>(routes_.units());
  of_part_.resize(flows_.size());
  for (std::size_t i = 0; i < flows_.size(); ++i) of_part_[i] = host_congestion(flows_[i]);
  paths_[lid].with_cells([&](const auto& all) {
    for (std::size_t i = 0; i < all.cells.size(); ++i) {
      double largest = 0;
      for (const auto slot : all.cells[i]) {
        if (slot == blocked) {
          largest = std::numeric_limits<double>::infinity();
          break;
        }
        largest = std::max(largest, static_cast<double>(load_[slot]) / units * cost[slot]);
      }
      double& known = of_part_[i < flows_.size() ? i : all.flow_of_tail[i - flows_.size()]];
      known = std::max(known, largest);
    }
  });
  std::replace(of_part_.begin(), of_part_.end(), 0.0, 1.0);
}

void StripedLoads::congestion(std::span<double> result) {
  std::fill(result.begin(), result.end(), 0.0);
  const bool is_free = routes_.use().striping == Striping::free;
  for (std::size_t lid = 0; lid < paths_.size(); ++lid) {
    congestion_of_part(lid);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const std::uint32_t alternatives = routes_.paths_to(flows_[i].destination);
      if (lid >= alternatives) continue;
      if (is_free) {
        result[i] += 1 / of_part_[i] / alternatives;
      } else {
        result[i] = std::max(result[i], of_part_[i]);
      }
    }
  }
  if (!is_free) return;
  for (double& each : result) each = 1 / each;
}

}  // namespace pssp
