// P2-SSSP: one shortest-path run for each route, from a source switch to a destination LID, loads
// updated after each (slide 18: "simply run a single SSSP for each route; better (expensive)
// heuristic, lower pi(G,R)").
//
// Destination-based tables have one entry per LID, so all routes to a LID that meet at a switch
// continue together. The first route through a switch fixes its entry, and later routes follow it.
// So each run searches from the source towards the destination, over the channels that lead one hop
// nearer, without a choice at switches whose entry is fixed. It visits switches by distance, so
// each switch is final before it is left, and no heap is needed. End ports of one switch share
// their routes: one run serves them all and adds their number to the loads.
//
// Order of routes: in each round, every destination is routed from one more source. With diagonal
// starts, destinations at one switch use the same source in each round; with scattered starts,
// sources far apart. The first suits trees, the second meshes, tori and irregular fabrics.
//
// Rip-up: at the end, routes over the busiest channel move to other channels as long as this lowers
// the edge forwarding index (efi_reduction.h). This also improves the routes of P-SSSP, which are
// often the better start. The best start differs from fabric to fabric, so by default all three are
// used, and the tables with the lowest index are kept.
//
// Switches without endpoints whose entry no route fixed, and LIDs that belong to no endpoint, get
// hop-minimal entries at the end, because they carry only management traffic.

#include "routing/engines/p2ssp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/paths/distance_matrix.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/local_search/efi_reduction.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/engines/pssp.h"

namespace pssp {
namespace {

/// One set of tables under construction.
class RouteBuilder {
 public:
  RouteBuilder(const Fabric& fabric, const DistanceMatrix& distances)
      : fabric_(fabric),
        distances_(distances),
        tables_(fabric.switch_count(), fabric.max_lid()),
        load_(fabric.channel_count(), 0.0),
        reached_in_run_(fabric.switch_count(), 0),
        cost_(fabric.switch_count()),
        came_by_(fabric.switch_count()) {}

  /// Routes all endpoints of `source` to `lid`. Nothing where they lie on different islands.
  void add_route(SwitchId source, Lid lid) {
    const Delivery delivery = fabric_.delivery(lid);
    if (source == delivery.at) {
      tables_.set(source, lid, delivery.port);
      return;
    }
    if (distances_.to(delivery.at)[source.value()] == DistanceMatrix::unreachable) return;
    if (tables_.at(source, lid) == no_port) search(source, lid, delivery.at);
    add_load(source, lid, delivery.at);
  }

  /// Every switch without an entry for `lid` gets the next hop that is the cheapest on the loads.
  /// `towards` has been searched for the LID's switch.
  template <class Distances>
  void complete(Lid lid, const Distances& towards) {
    const Delivery delivery = fabric_.delivery(lid);
    tables_.set(delivery.at, lid, delivery.port);
    cost_[delivery.at.value()] = 0;
    for (const std::uint32_t s : towards.order().subspan(1)) {
      double best = std::numeric_limits<double>::infinity();
      PortNumber port = tables_.at(SwitchId(s), lid);
      if (port != no_port) {
        const std::uint32_t out = fabric_.behind(SwitchId(s), port).index;
        cost_[s] = cost_[fabric_.channel_head()[out]] + load_[out];
        continue;
      }
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t next = fabric_.channel_head()[c];
        if (!towards.is_next_hop(s, c)) continue;
        if (cost_[next] + load_[c] < best) {
          best = cost_[next] + load_[c];
          port = fabric_.channel_out_port()[c];
        }
      }
      cost_[s] = best;
      tables_.set(SwitchId(s), lid, port);
    }
  }

  ForwardingTables take_tables() && { return std::move(tables_); }

 private:
  /// Fixes the entries of the cheapest path from source to root.
  void search(SwitchId source, Lid lid, SwitchId root) {
    ++run_;
    const std::uint16_t* const distance = distances_.to(root);
    layer_.assign(1, source.value());
    cost_[source.value()] = 0;
    for (std::uint32_t left = distance[source.value()]; left > 0; --left) {
      next_layer_.clear();
      for (const std::uint32_t s : layer_) {
        const PortNumber fixed = tables_.at(SwitchId(s), lid);
        if (fixed != no_port) {
          offer(s, fabric_.behind(SwitchId(s), fixed).index);
          continue;
        }
        for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1];
             ++c) {
          if (distance[fabric_.channel_head()[c]] < left) offer(s, c);
        }
      }
      layer_.swap(next_layer_);
    }
    for (std::uint32_t s = root.value(); s != source.value();) {
      const std::uint32_t channel = came_by_[s];
      s = fabric_.channel_tail()[channel];
      tables_.set(SwitchId(s), lid, fabric_.channel_out_port()[channel]);
    }
  }

  void offer(std::uint32_t from, std::uint32_t channel) {
    const std::uint32_t to = fabric_.channel_head()[channel];
    const double cost = cost_[from] + load_[channel];
    if (reached_in_run_[to] != run_) {
      reached_in_run_[to] = run_;
      next_layer_.push_back(to);
    } else if (cost >= cost_[to]) {
      return;
    }
    cost_[to] = cost;
    came_by_[to] = channel;
  }

  void add_load(SwitchId source, Lid lid, SwitchId root) {
    const std::uint32_t routes = fabric_.endpoints_per_switch()[source.value()];
    for (SwitchId s = source; s != root;) {
      const std::uint32_t channel = fabric_.behind(s, tables_.at(s, lid)).index;
      load_[channel] += routes * fabric_.channel_cost()[channel];
      s = SwitchId(fabric_.channel_head()[channel]);
    }
  }

  const Fabric& fabric_;
  const DistanceMatrix& distances_;
  ForwardingTables tables_;
  std::vector<double> load_;  // by ChannelId, relative to the capacity

  // The search from one source; what it holds of a switch is valid when reached_in_run_ says so.
  std::uint32_t run_ = 0;
  std::vector<std::uint32_t> reached_in_run_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> came_by_;
  std::vector<std::uint32_t> layer_, next_layer_;
};

/// The switches with endpoints.
std::vector<SwitchId> sources_among(const Fabric& fabric, const std::vector<SwitchId>& switches) {
  std::vector<SwitchId> sources;
  for (const SwitchId s : switches) {
    if (fabric.endpoints_per_switch()[s.value()] != 0) sources.push_back(s);
  }
  return sources;
}

/// A destination and the source, as a position in the list of sources, that its first round routes.
struct Start {
  Lid lid = no_lid;
  std::size_t source = 0;
};

void route_in_rounds(const std::vector<Start>& starts, const std::vector<SwitchId>& sources,
                     RouteBuilder& builder, const StopSignal& stop) {
  for (std::size_t round = 0; round < sources.size(); ++round) {
    stop.check("routing in rounds", sources[round], sources);
    for (const Start& start : starts) {
      builder.add_route(sources[(start.source + round) % sources.size()], start.lid);
    }
  }
}

/// All destinations of a switch start with the same source, their own switch.
std::vector<Start> starts_at_own_switch(const Fabric& fabric,
                                        const std::vector<DestinationGroup>& groups,
                                        const std::vector<SwitchId>& sources) {
  std::vector<std::size_t> position(fabric.switch_count(), 0);
  for (std::size_t k = 0; k < sources.size(); ++k) position[sources[k].value()] = k;
  std::vector<Start> starts;
  for (const DestinationGroup& group : groups) {
    for (const Lid lid : group.lids) starts.push_back({lid, position[group.at.value()]});
  }
  return starts;
}

/// Neighbouring destinations start with sources far apart: the golden ratio of the list further
/// each time, which spreads any number of starts evenly (Knuth, TAOCP 3, section 6.4).
std::vector<Start> scattered_starts(const Fabric& /*fabric*/,
                                    const std::vector<DestinationGroup>& groups,
                                    const std::vector<SwitchId>& sources) {
  std::vector<Start> starts;
  constexpr std::uint32_t golden_ratio = 2654435769U;  // 2^32 / phi
  std::uint32_t position = 0;
  for (const DestinationGroup& group : groups) {
    for (const Lid lid : group.lids) {
      starts.push_back(
          {lid, static_cast<std::size_t>((std::uint64_t{position} * sources.size()) >> 32)});
      position += golden_ratio;
    }
  }
  return starts;
}

using StartRule = std::vector<Start> (*)(const Fabric&, const std::vector<DestinationGroup>&,
                                         const std::vector<SwitchId>&);

template <class Distances>
void complete_all(RouteBuilder& builder, const std::vector<DestinationGroup>& groups,
                  Distances towards, const StopSignal& stop) {
  for (const DestinationGroup& group : groups) {
    stop.check("routing in rounds");
    towards.search(group.at);
    for (const Lid lid : group.lids) builder.complete(lid, towards);
  }
}

ForwardingTables route_with_starts(const Fabric& fabric, const DistanceMatrix& distances,
                                   StartRule rule, const StopSignal& stop) {
  const std::vector<SwitchId> switches = switches_by_proximity(fabric);
  const DestinationOrder order = destinations_by_switch(fabric, switches);
  const std::vector<SwitchId> sources = sources_among(fabric, switches);
  RouteBuilder builder(fabric, distances);
  route_in_rounds(rule(fabric, order.endpoints, sources), sources, builder, stop);
  complete_all(builder, order.endpoints, HopDistances(fabric), stop);
  if (const std::optional<UpDownOrder> up_down = order_of_complete_tree(fabric)) {
    complete_all(builder, order.others, UpDownDistances(fabric, *up_down), stop);
  } else {
    complete_all(builder, order.others, HopDistances(fabric), stop);
  }
  return std::move(builder).take_tables();
}

ForwardingTables route_diagonally(const Fabric& fabric, const DistanceMatrix& distances,
                                  const StopSignal& stop) {
  return route_with_starts(fabric, distances, starts_at_own_switch, stop);
}

ForwardingTables route_scattered(const Fabric& fabric, const DistanceMatrix& distances,
                                 const StopSignal& stop) {
  return route_with_starts(fabric, distances, scattered_starts, stop);
}

ForwardingTables route_like_pssp(const Fabric& fabric, const DistanceMatrix& /*distances*/,
                                 const StopSignal& stop) {
  return pssp_engine.make({})->route(fabric, {.stop = stop}).tables;
}

using FirstRoutes = ForwardingTables (*)(const Fabric&, const DistanceMatrix&, const StopSignal&);
constexpr std::array<FirstRoutes, 3> all_first_routes{route_like_pssp, route_diagonally,
                                                      route_scattered};

constexpr std::string_view p2ssp_name = "p2ssp";
enum class FirstRoutesChoice : std::uint8_t { best, pssp, diagonal, scattered };
struct P2sspOptions {
  FirstRoutesChoice start = FirstRoutesChoice::best;
  std::uint64_t rip_up = 50;
};
constexpr std::array<std::string_view, 4> p2ssp_start_text{"best", "pssp", "diagonal", "scattered"};
constexpr std::array p2ssp_lines{
    choice_option<&P2sspOptions::start>(
        "start", p2ssp_start_text,
        "initial routes; best: all three, keeping the routes with the lowest EFI"),
    number_option<&P2sspOptions::rip_up>(
        "rip_up", 0, 1000,
        "maximum number of probes to reroute the routes over the busiest channels, in millions")};
constexpr OptionTable<P2sspOptions> p2ssp_table{p2ssp_lines};

class P2sspEngine : public RoutingEngine {
 public:
  explicit P2sspEngine(const EngineOptions& given) {
    const P2sspOptions options = given.read(p2ssp_name, p2ssp_table);
    max_probes_ = 1'000'000 * options.rip_up;
    if (options.start == FirstRoutesChoice::best) {
      first_routes_.assign(all_first_routes.begin(), all_first_routes.end());
    } else {
      first_routes_.push_back(all_first_routes[static_cast<std::size_t>(options.start) - 1]);
    }
  }

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    const DistanceMatrix distances(fabric);
    constexpr std::uint64_t any_moves = std::numeric_limits<std::uint64_t>::max();
    const AllowedChannels paths(fabric);
    ForwardingTables best;
    double lowest = std::numeric_limits<double>::infinity();
    for (const FirstRoutes first : first_routes_) {
      ForwardingTables tables = first(fabric, distances, request.stop);
      const EfiReduction reduction =
          reduce_efi(fabric, paths, tables, max_probes_, any_moves, request.stop);
      const double index = edge_forwarding_index(fabric, channel_loads(fabric, tables));
      if (index < lowest) {
        lowest = index;
        best = std::move(tables);
      }
      if (reduction.is_optimal) break;
    }
    return {std::move(best)};
  }

  std::uint64_t max_probes_ = 0;
  std::vector<FirstRoutes> first_routes_;
};

}  // namespace

constinit const EngineDescription p2ssp_engine{
    p2ssp_name, "P2-SSSP: one shortest-path run per route on the current loads; lowest EFI, slower",
    [] { return p2ssp_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<P2sspEngine>(options);
    },
    /*takes_long=*/true};

}  // namespace pssp
