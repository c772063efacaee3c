// On a regular tree, D-mod-K and P-SSSP distribute the flows of every shift evenly over the links.
// In P-SSSP, a few missing links disturb this for every destination that is routed after the first
// of them, also far away. So the engine adds the missing links (inferred_links.h), routes the
// complete tree, and recomputes only the entries that use an inferred link (heal_tables.h).
//
// All tables follow the up*/down* order of the complete tree (tree_order.h), so they need one
// virtual lane whatever is missing. On rows of directors without such an order, all minimal paths
// are allowed.

#include "routing/engines/heal.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "routing/engines/cassp.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/engines/parts/local_search/heal_tables.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/engines/pssp.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

constexpr std::string_view heal_name = "heal";

struct HealOptions {
  HealBase base = HealBase::automatic;
};
constexpr std::array<std::string_view, 4> base_text{"auto", "pssp", "cassp", "dmodk"};
constexpr std::array heal_lines{choice_option<&HealOptions::base>(
    "base", base_text,
    "engine that routes the complete tree; auto: the best of dmodk, pssp (if the number of hosts "
    "of a leaf is not a multiple of its uplinks) and cassp (on irregular trees)")};
constexpr OptionTable<HealOptions> heal_table{heal_lines};

/// Whether all switches of a level with the same number of ports have equally many uplinks.
bool is_regular(const Fabric& fabric) {
  const std::vector<std::uint32_t> rank = switch_ranks(fabric);
  std::map<std::pair<std::uint32_t, unsigned>, std::uint32_t> links_up;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    std::uint32_t up = 0;
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      if (rank[fabric.channel_head()[c]] > rank[s]) ++up;
    }
    const std::pair<std::uint32_t, unsigned> kind{rank[s], fabric.switch_at(SwitchId(s)).ports};
    if (links_up.try_emplace(kind, up).first->second != up) return false;
  }
  return true;
}

/// As CompletedTree::is_even, for a complete tree.
bool is_even(const Fabric& fabric) {
  const std::vector<std::uint32_t> rank = switch_ranks(fabric);
  const NodeTypesOfHosts node_types = find_node_types(fabric, NodeTypeSource::by_name);
  for (const EndPortId e : fabric.endpoints()) {
    if (node_types.of[e.value()] != node_types.of[fabric.endpoints().front().value()]) return false;
  }
  std::vector<std::uint32_t> cables_up(fabric.switch_count(), 0);
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t tail = fabric.channel_tail()[c];
    const std::uint32_t above = rank[fabric.channel_head()[c]];
    if (above == rank[tail]) return false;
    if (above > rank[tail]) ++cables_up[tail];
  }
  std::uint32_t hosts = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::uint32_t here = fabric.endpoints_per_switch()[s];
    if (here == 0) continue;
    if (hosts == 0) hosts = here;
    if (here != hosts || cables_up[s] == 0 || here % cables_up[s] != 0) return false;
  }
  return true;
}

/// Uses the workers and the stop signal of the request, but not `accept`, because these tables are
/// not final.
ForwardingTables route_base(const Fabric& fabric, HealBase base, const RouteRequest& request) {
  const EngineDescription& engine = base == HealBase::cassp ? cassp_engine : pssp_engine;
  return engine.make({})->route(fabric, {.workers = request.workers, .stop = request.stop}).tables;
}

/// The score of tables for both random and structured traffic.
double score(const Fabric& fabric, const ForwardingTables& tables) {
  const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name), false,
                                         StructuredSuite::Extent::summary);
  return suite_score(estimate_bandwidth(fabric, tables).mean,
                     structured_suite.measure(tables).structured_slowdown);
}

/// Routes the complete tree and repairs its tables for the fabric.
class Healer {
 public:
  /// All arguments must outlive the object.
  Healer(const Fabric& fabric, const CompletedTree& tree, const HealPlan& plan,
         const RouteRequest& request)
      : fabric_(fabric),
        tree_(tree),
        plan_(plan),
        request_(request),
        order_(order_of(fabric, tree.preferred)) {}

  HealRouting route() {
    // On smaller trees, random traffic loses what shifts gain.
    constexpr std::size_t many_hosts = 1000;
    spreads_shifts_evenly_ = tree_.is_regular && plan_.base != HealBase::cassp &&
                             fabric_.endpoints().size() > many_hosts;
    std::vector<HealBase> bases{plan_.base};
    if (plan_.base == HealBase::automatic) {
      bases = {HealBase::dmodk};
      if (!tree_.is_even) bases.push_back(HealBase::pssp);
      if (!tree_.is_regular) bases.push_back(HealBase::cassp);
    }
    ForwardingTables best = tables(bases.front());
    for (std::size_t i = 1; i < bases.size(); ++i) {
      ForwardingTables other = tables(bases[i]);
      if (score(fabric_, best) < score(fabric_, other)) best = std::move(other);
    }
    return {tree_.inferred, std::move(best), order_};
  }

 private:
  const Fabric& whole() const { return tree_.complete ? *tree_.complete : fabric_; }

  ForwardingTables tables(HealBase base) const {
    if (base == HealBase::dmodk && !tree_.complete) return route_whole_by_dmodk();
    return heal_tables(
        fabric_, whole(),
        base == HealBase::dmodk ? route_whole_by_dmodk() : route_base(whole(), base, request_),
        {.order = order_ ? &*order_ : nullptr, .spreads_shifts_evenly = spreads_shifts_evenly_},
        request_.stop);
  }

  ForwardingTables route_whole_by_dmodk() const {
    const std::optional<UpDownOrder> order = order_of(whole(), tree_.preferred);
    return route_dmodk(whole(), order ? &*order : nullptr, plan_.count, request_.workers,
                       request_.stop, positions_in(whole()));
  }

  /// Inferred switches have the highest numbers, but D-mod-K takes the paths over them in the order
  /// of their columns.
  std::vector<std::uint32_t> positions_in(const Fabric& whole) const {
    if (whole.switch_count() == fabric_.switch_count()) return {};
    const std::vector<SwitchId> order = tree_coordinates(whole).switches;
    std::vector<std::uint32_t> positions(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) positions[order[i].value()] = i;
    return positions;
  }

  const Fabric& fabric_;
  const CompletedTree& tree_;
  const HealPlan& plan_;
  const RouteRequest& request_;
  std::optional<UpDownOrder> order_;    // on the fabric
  bool spreads_shifts_evenly_ = false;  // as in HealSettings
};

class HealEngine : public RoutingEngine {
 public:
  explicit HealEngine(const EngineOptions& options) : plan_(plan_healing(options)) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    HealRouting heal_start = route_heal(fabric, plan_, request);
    return {std::move(heal_start.tables), {.inferred = std::move(heal_start.inferred)}};
  }

  HealPlan plan_;
};

}  // namespace

CompletedTree infer_complete_tree(const Fabric& fabric) {
  return infer_complete_tree(fabric, infer_links(fabric));
}

CompletedTree infer_complete_tree(const Fabric& fabric, std::vector<InferredLink> missing) {
  CompletedTree tree;
  tree.inferred = std::move(missing);
  if (!tree.inferred.empty()) {
    // If few links are missing, the parallel cables keep their numbers of the complete tree, so
    // that most entries stay.
    tree.complete =
        with_links(fabric, tree.inferred,
                   lacks_many_links(fabric, tree.inferred) ? ParallelCables::inferred_last
                                                           : ParallelCables::by_port);
  }
  const Fabric& whole = tree.complete ? *tree.complete : fabric;
  tree.preferred = preferred_switches(whole);
  tree.is_regular = is_regular(whole);
  tree.is_even = is_even(whole);
  return tree;
}

HealPlan plan_healing(const EngineOptions& options) {
  return {options.read(heal_name, heal_table).base, dmodk_count(options)};
}

HealRouting route_heal(const Fabric& fabric, const HealPlan& plan, const RouteRequest& request) {
  return route_heal(fabric, infer_complete_tree(fabric), plan, request);
}

HealRouting route_heal(const Fabric& fabric, const CompletedTree& tree, const HealPlan& plan,
                       const RouteRequest& request) {
  return Healer(fabric, tree, plan, request).route();
}

constinit const EngineDescription heal_engine{
    heal_name, "damaged trees: routes the complete tree, then repairs entries for missing links",
    [] { return heal_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<HealEngine>(options);
    }};

}  // namespace pssp
