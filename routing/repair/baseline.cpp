// The baseline never shrinks: a switch or host that disappears counts as missing, and gets its LIDs
// and ports back when it returns. It loses a LID or port only when another node uses it.

#include "routing/repair/baseline.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "fabric/builder.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/repair/legal_order.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/positions.h"
#include "routing/repair/repair_tables.h"
#include "routing/repair/stable_router.h"
#include "routing/repair/table_transfer.h"

namespace pssp {
namespace {

/// The rate with the higher capacity.
LinkRate faster(LinkRate a, LinkRate b) { return b.capacity() > a.capacity() ? b : a; }

/// The channel of `fabric` that leaves the switch with GUID `tail` by `port`; none if there is
/// none.
std::optional<std::uint32_t> find_channel(const Fabric& fabric, Guid tail, PortNumber port) {
  const std::optional<SwitchId> s = fabric.find_switch(tail);
  if (!s) return std::nullopt;
  const PortTarget target = fabric.behind(*s, port);
  if (target.kind != PortTarget::Kind::channel) return std::nullopt;
  return target.index;
}

std::optional<std::uint32_t> same_channel(const Fabric& of, std::uint32_t c, const Fabric& in) {
  return find_channel(in, of.switch_at(SwitchId(of.channel_tail()[c])).guid,
                      of.channel_out_port()[c]);
}

Guid head_guid(const Fabric& fabric, std::uint32_t c) {
  return fabric.switch_at(SwitchId(fabric.channel_head()[c])).guid;
}

bool has_switch(const Fabric& meant, const Switch& node) {
  const std::optional<SwitchId> s = meant.find_switch(node.guid);
  if (!s) return false;
  const Switch& known = meant.switch_at(*s);
  const bool has_lid = node.lid == no_lid || (known.lid == node.lid && known.lmc == node.lmc);
  return has_lid && known.ports == node.ports;
}

bool has_end_port(const Fabric& meant, const Fabric& now, const EndPort& port) {
  const std::optional<EndPortId> e = meant.find_end_port(port.port_guid);
  if (!e) return false;
  const EndPort& known = meant.end_port(*e);
  if (port.lid != no_lid && (known.lid != port.lid || known.lmc != port.lmc)) return false;
  if (!port.attached.valid()) return true;
  return known.attached.valid() && known.switch_port == port.switch_port &&
         meant.switch_at(known.attached).guid == now.switch_at(port.attached).guid;
}

bool has_channel(const Fabric& meant, const Fabric& now, std::uint32_t c) {
  const std::optional<std::uint32_t> known = same_channel(now, c, meant);
  return known && head_guid(meant, *known) == head_guid(now, c) &&
         meant.channel_in_port()[*known] == now.channel_in_port()[c] &&
         faster(meant.channel_rate()[*known], now.channel_rate()[c]) ==
             meant.channel_rate()[*known];
}

bool has_all_channels(const Fabric& meant, const Fabric& now) {
  for (std::uint32_t c = 0; c < now.channel_count(); ++c) {
    if (!has_channel(meant, now, c)) return false;
  }
  return true;
}

/// Whether no cable between switches is new or faster; a known cable may be at other ports.
bool are_known(const Fabric& meant, const Fabric& now, const Positions& positions) {
  for (std::uint32_t c = 0; c < now.channel_count(); ++c) {
    if (positions.is_meant[c] == 0) return false;
    const std::optional<std::uint32_t> at_ports = same_channel(now, c, meant);
    const bool is_there = at_ports && head_guid(meant, *at_ports) == head_guid(now, c);
    if (is_there && !has_channel(meant, now, c)) return false;
  }
  return true;
}

/// Builds the union of two fabrics; in conflicts, the fabric of now takes precedence.
class Union {
 public:
  /// Which part of the baseline fabric is added.
  enum class Adding : std::uint8_t { all, hosts };

  Union(const Fabric& now, const Fabric& meant, const Positions& positions,
        Adding adding = Adding::all)
      : now_(now), meant_(meant), positions_(positions), adding_(adding) {
    for (const Fabric* const each : {&now_, &meant_}) {
      if (has_cables(*each)) {
        for (std::uint32_t s = 0; s < each->switch_count(); ++s) add_switch(*each, s);
      }
      for (const EndPort& port : each->end_ports()) add_port(port);
    }
    make_adapters();
  }

  Fabric build() && {
    for (const Fabric* const each : {&now_, &meant_}) {
      for (const EndPort& port : each->end_ports()) cable(*each, port);
      if (!has_cables(*each)) continue;
      for (std::uint32_t c = 0; c < each->channel_count(); ++c) cable(*each, c);
    }
    if (has_cables(meant_)) {
      take_faster_rates();
    } else {
      take_rates_of_now();
    }
    const EndpointRoles here = endpoint_roles(now_), there = endpoint_roles(meant_);
    return std::move(builder_).build(
        {.roles = {.aggregation_nodes = here.aggregation_nodes || there.aggregation_nodes,
                   .routers = here.routers || there.routers}});
  }

 private:
  struct Adapter {
    EndPort first;
    unsigned ports = 0;
    std::vector<EndPort> known;  // in one or both fabrics, those of now first
  };

  /// Whether the switches of the fabric and their cables are added.
  bool has_cables(const Fabric& fabric) const { return &fabric == &now_ || adding_ == Adding::all; }

  /// The GUID of the switch, or of its successor if it has one.
  Guid guid_of(const Fabric& fabric, std::uint32_t s) const {
    return &fabric == &meant_ ? positions_.holders[s] : fabric.switch_at(SwitchId(s)).guid;
  }

  /// Skips switches that have a successor, because their data describe replaced hardware.
  void add_switch(const Fabric& fabric, std::uint32_t s) {
    const Switch& each = fabric.switch_at(SwitchId(s));
    if (guid_of(fabric, s) != each.guid) return;
    auto place = node_.find(each.guid);
    if (place == node_.end()) {
      const NodeId node = builder_.add_switch(each.guid, each.ports, each.name, each.description);
      place = node_.emplace(each.guid, node).first;
    }
    give_lid(place->second, management_port, each.guid, {each.lid, each.lmc});
  }

  void add_port(const EndPort& port) {
    const auto [place, is_new] = place_.try_emplace(port.node_guid, adapters_.size());
    if (is_new) adapters_.push_back({port, 0, {}});
    Adapter& adapter = adapters_[place->second];
    adapter.ports = std::max<unsigned>(adapter.ports, port.port);
    adapter.known.push_back(port);
  }

  void make_adapters() {
    for (const Adapter& adapter : adapters_) {
      const EndPort& first = adapter.first;
      const NodeId node = builder_.add_adapter(first.node_guid, adapter.ports, first.kind,
                                               first.name, first.description);
      builder_.set_node_type(node, first.configured_type);
      node_.emplace(first.node_guid, node);
      for (const EndPort& port : adapter.known) {
        builder_.set_port_guid(node, port.port, port.port_guid);
        give_lid(node, port.port, port.port_guid, {port.lid, port.lmc});
      }
    }
  }

  struct Lids {
    Lid first;
    unsigned lmc;
  };

  /// Does nothing if the port already has LIDs, or if another port now has one of these LIDs.
  void give_lid(NodeId node, PortNumber port, Guid owner, Lids lids) {
    if (lids.first == no_lid || builder_.lid(node, port) != no_lid) return;
    for (std::size_t lid = lids.first; lid < lids.first + (std::size_t{1} << lids.lmc); ++lid) {
      const Guid now = owner_now(static_cast<Lid>(lid));
      if (now != 0 && now != owner) return;
    }
    builder_.set_lid(node, port, lids.first, lids.lmc);
  }

  Guid owner_now(Lid lid) const {
    const LidOwner owner = now_.owner(lid);
    if (owner.kind == LidOwner::Kind::none) return 0;
    return owner.kind == LidOwner::Kind::end_port ? now_.end_port(EndPortId(owner.index)).port_guid
                                                  : now_.switch_at(SwitchId(owner.index)).guid;
  }

  void take_faster_rates() {
    for (std::uint32_t c = 0; c < meant_.channel_count(); ++c) {
      const std::optional<std::uint32_t> same = same_channel(meant_, c, now_);
      if (!same || head_guid(meant_, c) != head_guid(now_, *same)) continue;
      builder_.set_rate(node_.at(meant_.switch_at(SwitchId(meant_.channel_tail()[c])).guid),
                        meant_.channel_out_port()[c],
                        faster(now_.channel_rate()[*same], meant_.channel_rate()[c]));
    }
  }

  /// Each direction of a cable has its own rate.
  void take_rates_of_now() {
    for (std::uint32_t c = 0; c < now_.channel_count(); ++c) {
      builder_.set_rate(node_.at(now_.switch_at(SwitchId(now_.channel_tail()[c])).guid),
                        now_.channel_out_port()[c], now_.channel_rate()[c]);
    }
  }

  /// Does nothing if the switch of the host is absent: a leaf that fails takes its hosts along.
  void cable(const Fabric& fabric, const EndPort& port) {
    if (!port.attached.valid()) return;
    const auto leaf = node_.find(guid_of(fabric, port.attached.value()));
    if (leaf == node_.end()) return;
    connect(node_.at(port.node_guid), port.port, leaf->second, port.switch_port, port.rate);
  }

  void cable(const Fabric& fabric, std::uint32_t c) {
    if (fabric.channel_reverse()[c] < c) return;
    const End from = end_of(fabric, fabric.channel_tail()[c], fabric.channel_out_port()[c]);
    const End to = end_of(fabric, fabric.channel_head()[c], fabric.channel_in_port()[c]);
    if (from.port == no_port || to.port == no_port) return;
    connect(from.node, from.port, to.node, to.port, fabric.channel_rate()[c]);
  }

  struct End {
    NodeId node;
    PortNumber port;
  };

  End end_of(const Fabric& fabric, std::uint32_t s, PortNumber port) const {
    return {node_.at(guid_of(fabric, s)), &fabric == &meant_ ? positions_.port_now(s, port) : port};
  }

  /// Does nothing if one of the ports already has a cable.
  void connect(NodeId a, PortNumber port_a, NodeId b, PortNumber port_b, LinkRate rate) {
    if (port_a > builder_.ports(a) || port_b > builder_.ports(b)) return;
    if (builder_.is_connected(a, port_a) || builder_.is_connected(b, port_b)) return;
    builder_.connect(a, port_a, b, port_b, rate);
  }

  const Fabric& now_;
  const Fabric& meant_;
  const Positions& positions_;
  Adding adding_;
  FabricBuilder builder_;
  std::unordered_map<Guid, NodeId> node_;
  std::unordered_map<Guid, std::size_t> place_;  // in adapters_, by node GUID
  std::vector<Adapter> adapters_;
};

/// The fabric, plus absent hosts of the baseline whose switches are present and whose ports are
/// free. None if no host is absent. Switches and channels keep their numbers.
std::optional<Fabric> with_absent_hosts(const Fabric& baseline, const Fabric& now) {
  const bool has_all = std::ranges::all_of(baseline.end_ports(), [&](const EndPort& each) {
    const std::optional<EndPortId> e = now.find_end_port(each.port_guid);
    return e && (!each.attached.valid() || now.end_port(*e).attached.valid());
  });
  if (has_all) return std::nullopt;
  const Positions positions = own_positions(baseline);
  return Union(now, baseline, positions, Union::Adding::hosts).build();
}

/// The entries for the LIDs of the fabric.
ForwardingTables columns_of(const Fabric& fabric, const ForwardingTables& tables) {
  ForwardingTables columns(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      columns.set(SwitchId(s), lid, tables.at(SwitchId(s), lid));
    }
  }
  return columns;
}

/// By ChannelId of `now`: the cost of the same channel in the baseline, or its current cost if the
/// baseline lacks it.
std::vector<double> costs_at_baseline(const Fabric& baseline, const Fabric& now) {
  std::vector<double> costs(now.channel_cost().begin(), now.channel_cost().end());
  for (std::uint32_t c = 0; c < costs.size(); ++c) {
    const std::optional<std::uint32_t> known = same_channel(now, c, baseline);
    if (!known) continue;
    const LinkRate then = baseline.channel_rate()[*known], is = now.channel_rate()[c];
    if (then.stated() && is.stated()) costs[c] *= double{1} * is.capacity() / then.capacity();
  }
  return costs;
}

/// The union of the baseline and the current fabric.
struct GrownFabric {
  Fabric fabric;
  ForwardingTables previous;  // baseline; no_port for new LIDs and switches
  bool is_of_hosts = false;   // no cable between switches is new
};

GrownFabric growth_of(const Baseline& baseline, const Fabric& now) {
  const Positions positions = find_positions(baseline.fabric, now);
  Fabric fabric = Union(now, baseline.fabric, positions).build();
  ForwardingTables previous =
      transfer_tables(positions.holders, with_ports_now(positions, baseline.tables), fabric);
  return {std::move(fabric), std::move(previous), are_known(baseline.fabric, now, positions)};
}

/// The baseline of the larger fabric; `baseline` is that of the smaller fabric.
Baseline baseline_of(GrownFabric growth, const Baseline& baseline, StableOptions options,
                     const StopSignal& stop) {
  const std::vector<std::uint32_t> preference = legal_preference(growth.fabric, growth.previous);
  if (preference.empty()) options = options_of(baseline, options);
  require_possible(growth.fabric, growth.previous, options);
  StableRouter router(growth.fabric, {.previous = growth.previous, .preference = preference},
                      options, stop);
  router.keep();
  router.finish();
  ForwardingTables tables = router.take_tables();
  return make_baseline(std::move(growth.fabric), std::move(tables));
}

/// Weights for moving new entries while existing entries stay; each is best on some fabrics.
constexpr std::array settling_weights{StructuredWeights{0.25, 0.1, true},
                                      StructuredWeights{0.5, 0.1, true}};

/// Adds, for each of the weights, the baseline with entries moved to reduce the contention of
/// structured traffic. Entries in `fixed` (may be null) do not move.
void add_settled(std::vector<Baseline>& baselines, const Baseline& baseline,
                 const ForwardingTables* fixed, const StopSignal& stop) {
  const UpDownOrder order = usable_order(baseline.fabric, baseline.preference);
  for (const StructuredWeights& weights : settling_weights) {
    constexpr std::uint32_t passes = 8;
    ForwardingTables tables = baseline.tables;
    reduce_structured_contention(
        baseline.fabric, tables,
        {.structured = weights, .passes = passes, .up_down = &order, .fixed = fixed}, stop);
    Baseline settled = make_baseline(baseline.fabric, std::move(tables));
    if (!settled.preference.empty()) baselines.push_back(std::move(settled));
  }
}

}  // namespace

Baseline make_baseline(Fabric fabric, ForwardingTables tables) {
  Baseline baseline{.fabric = std::move(fabric), .tables = std::move(tables)};
  std::vector<std::uint32_t> preference = legal_preference(baseline.fabric, baseline.tables);
  // If an entry would have to change, the tables do not follow the order.
  const StopSignal never;
  const StableStart start{.previous = baseline.tables, .preference = preference};
  if (!preference.empty() &&
      StableRouter(baseline.fabric, start, {.keep_long_management_paths = true}, never).keep()) {
    baseline.preference = std::move(preference);
  }
  if (baseline.preference.empty())
    baseline.max_extra_hops = longest_extra_hops(baseline.fabric, baseline.tables);
  return baseline;
}

StableOptions options_of(const Baseline& baseline, const StableOptions& options) {
  StableOptions with_nonminimal_paths = options;
  with_nonminimal_paths.max_extra_hops = std::max(options.max_extra_hops, baseline.max_extra_hops);
  return with_nonminimal_paths;
}

bool is_part_of(const Fabric& now, const Fabric& meant) {
  return std::ranges::all_of(now.switches(),
                             [&](const Switch& each) { return has_switch(meant, each); }) &&
         std::ranges::all_of(now.end_ports(),
                             [&](const EndPort& each) { return has_end_port(meant, now, each); }) &&
         has_all_channels(meant, now);
}

Fabric united(const Fabric& meant, const Fabric& now) {
  return Union(now, meant, find_positions(meant, now)).build();
}

std::optional<Baseline> grown(const Baseline& baseline, const Fabric& now,
                              const StableOptions& options, const StopSignal& stop) {
  if (is_part_of(now, baseline.fabric)) return std::nullopt;
  GrownFabric growth = growth_of(baseline, now);
  StableOptions of_growth = options;
  if (growth.is_of_hosts) of_growth.least_gain = 100;
  return baseline_of(std::move(growth), baseline, of_growth, stop);
}

std::vector<Baseline> other_growths(const ForwardingTables& guide, const Baseline& baseline,
                                    const Baseline& larger, const Fabric& now,
                                    const StableOptions& options, const StopSignal& stop) {
  GrownFabric growth = growth_of(baseline, now);
  const ForwardingTables before = growth.previous;
  const bool is_of_hosts = growth.is_of_hosts;
  for (std::uint32_t s = 0; s < growth.fabric.switch_count(); ++s) {
    for (const Lid lid : growth.fabric.lids()) {
      if (growth.previous.at(SwitchId(s), lid) != no_port) continue;
      growth.previous.set(SwitchId(s), lid, guide.at(SwitchId(s), lid));
    }
  }
  StableOptions of_growth = options;
  of_growth.least_gain = 100;
  const Baseline guided = baseline_of(std::move(growth), baseline, of_growth, stop);
  std::vector<Baseline> baselines;
  if (!guided.preference.empty()) {
    baselines.push_back(guided);
    add_settled(baselines, guided, &before, stop);
  }
  if (!larger.preference.empty() && !is_of_hosts) add_settled(baselines, larger, nullptr, stop);
  return baselines;
}

StableRouting repaired(const Baseline& baseline, const Fabric& now,
                       const ForwardingTables* in_force, const StableOptions& options,
                       const StopSignal& stop) {
  const std::optional<Fabric> with_all = with_absent_hosts(baseline.fabric, now);
  const Fabric& fabric = with_all ? *with_all : now;
  const StableOptions of_baseline =
      baseline.preference.empty() ? options_of(baseline, options) : options;
  const ForwardingTables in_baseline = transfer_tables(baseline.fabric, baseline.tables, fabric);
  const std::vector<double> costs = costs_at_baseline(baseline.fabric, fabric);
  const std::vector<std::uint32_t> preference =
      restricted_preference(fabric, baseline.preference, baseline.fabric);
  StableRouting made =
      repair(fabric, {.baseline = in_baseline, .cost_at_baseline = costs, .preference = preference},
             of_baseline, stop);
  if (with_all) made.tables = columns_of(now, made.tables);
  if (in_force != nullptr) {
    made.changes = changes_since(now, *in_force, made.tables, of_baseline.max_extra_hops);
  }
  return made;
}

double known_part(const Baseline& baseline, const Fabric& now, const ForwardingTables& tables) {
  const ForwardingTables in_baseline = transfer_tables(baseline.fabric, baseline.tables, now);
  std::uint64_t known = 0, all = 0;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    const auto entries = tables.row(SwitchId(s)), of_baseline = in_baseline.row(SwitchId(s));
    for (std::size_t lid = 0; lid < entries.size(); ++lid) {
      const bool is_there = entries[lid] != no_port;
      all += is_there ? 1 : 0;
      known += is_there && of_baseline[lid] != no_port ? 1 : 0;
    }
  }
  return all == 0 ? 0 : static_cast<double>(known) / static_cast<double>(all);
}

}  // namespace pssp
