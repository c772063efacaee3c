// Up*/down* routing. Searches for the order of the switches whose routes have the least contention
// (up_down_search.h); then each destination LID gets the cheapest tree of legal paths with the
// current loads, as in P-SSSP (least_loaded_trees.h). Routes are the shortest legal ones that
// linear forwarding tables can express (up_down_distances.h).
//
// Differences from Autonet:
// - The order need not be that of a breadth-first tree, which on a fat tree would lead all routes
// over its single root; here all routes of a fat tree are minimal.
// - Autonet's tables distinguish input ports, and so whether a packet comes from above or below;
// InfiniBand's do not.

#include "routing/engines/updown.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/paths/up_down_distances.h"
#include "routing/engines/parts/trees/least_loaded_trees.h"
#include "routing/engines/parts/trees/tree_order.h"

namespace pssp {
namespace {

constexpr std::string_view updown_name = "updown";
constexpr std::uint64_t million = 1'000'000;
/// What UpDownOptions holds, as users say it.
struct UpdownSettings {
  unsigned roots = UpDownOptions{}.roots;
  std::uint64_t work = UpDownOptions{}.max_probes / million;
};
constexpr std::array updown_lines{
    number_option<&UpdownSettings::roots>("roots", 1, 64,
                                          "number of root switches to try on each island"),
    number_option<&UpdownSettings::work>(
        "work", 0, 100'000,
        "maximum number of probes in the search for a better order, in millions")};
constexpr OptionTable<UpdownSettings> updown_table{updown_lines};

UpDownOptions parse(const EngineOptions& given) {
  const UpdownSettings settings = given.read(updown_name, updown_table);
  return {settings.roots, million * settings.work};
}

class UpdownEngine : public RoutingEngine {
 public:
  explicit UpdownEngine(const EngineOptions& options) : options_(parse(options)) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    return {route_up_down(fabric, options_, request.stop).tables};
  }

  UpDownOptions options_;
};

}  // namespace

UpDownRouting route_up_down(const Fabric& fabric, const EngineOptions& options,
                            const StopSignal& stop) {
  return route_up_down(fabric, parse(options), stop);
}

UpDownRouting route_up_down(const Fabric& fabric, const UpDownOptions& options,
                            const StopSignal& stop) {
  std::optional<UpDownOrder> order = tree_order(fabric);
  if (!order) order = find_up_down_order(fabric, options, stop);
  return route_up_down(fabric, *std::move(order), stop);
}

UpDownRouting route_up_down(const Fabric& fabric, UpDownOrder order, const StopSignal& stop) {
  UpDownRouting routing{.order = std::move(order), .tables = {}};
  ShortestTrees trees(fabric, UpDownDistances(fabric, routing.order));
  routing.tables =
      route_by_trees(fabric, switches_by_proximity(fabric), OrderChoice::best, trees, trees, stop);
  return routing;
}

constinit const EngineDescription updown_engine{
    updown_name, "up*/down* with an optimized order: deadlock-free on one virtual lane",
    [] { return updown_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<UpdownEngine>(options);
    }};

}  // namespace pssp
