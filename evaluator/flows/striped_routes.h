#pragma once

// Routes to several LIDs of each destination, for traffic that is striped over them (LMC > 0).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/flows/flow_paths.h"
#include "evaluator/flows/link_loads.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/patterns/flow.h"
#include "routing/structured_suite/lid_use.h"

namespace pssp {

/// Immutable; can be read by any number of threads.
class StripedRoutes {
 public:
  static constexpr std::size_t usual_most_bytes = std::size_t{4} << 30U;
  /// Costs the sum of its RouteStores. Throws their Error(mismatch), and Error(usage) if more than
  /// one would take more than `most_bytes` together: if LMC differs between ports, there may be 128
  /// of the largest fabric.
  StripedRoutes(const Fabric& fabric, const ForwardingTables& tables, LidUse use,
                std::size_t most_bytes = usual_most_bytes);

  const LidUse& use() const noexcept { return use_; }
  /// By LID base, base + 1 ...; a port with fewer LIDs has its base LID in the others.
  const std::vector<RouteStore>& stores() const noexcept { return stores_; }
  const RouteStore& base() const noexcept { return stores_.front(); }
  std::uint32_t endpoint_count() const noexcept { return base().endpoint_count(); }
  std::uint32_t channel_count() const noexcept { return base().channel_count(); }

  /// A flow counts `units()`, and each LID in use of a destination gets this many of them.
  std::uint64_t units() const noexcept { return units_; }
  std::uint32_t paths_to(std::uint32_t destination) const noexcept {
    return alternatives_[destination];
  }
  std::uint64_t part(std::uint32_t destination) const noexcept {
    return units_ / alternatives_[destination];
  }

 private:
  LidUse use_;
  std::vector<RouteStore> stores_;
  std::vector<std::uint32_t> alternatives_;  // by endpoint
  std::uint64_t units_;
};

/// Flows in parts on every link, as LinkLoads. One object per thread; the routes must outlive it.
/// With one LID per port, all results equal those of LinkLoads.
class StripedLoads {
 public:
  StripedLoads(const StripedRoutes& routes, HostLinks host_links);

  void clear();
  /// Looks up the routes of `flows`, which must not change until congestion() has returned.
  void collect(std::span<const Flow> flows);
  /// Adds the collected flows to the links, part by part; parts without a route load only the links
  /// of their hosts, if another part has a route.
  void add();
  /// For each collected flow 1 / bandwidth: the largest load of a link on any of its paths; for
  /// independent parts 1 / the mean of their bandwidths. Infinity if a decisive part has no route.
  void congestion(std::span<double> result);

 private:
  double host_congestion(Flow flow) const;
  void congestion_of_part(std::size_t lid);

  const StripedRoutes& routes_;
  HostLinks host_links_;
  std::vector<FlowPaths> paths_;     // by LID
  std::vector<std::uint64_t> load_;  // units, by slot
  std::vector<std::uint64_t> sent_, received_;
  std::span<const Flow> flows_;
  std::vector<double> of_part_;
  std::vector<std::uint8_t> any_arrives_;  // by flow
};

}  // namespace pssp
