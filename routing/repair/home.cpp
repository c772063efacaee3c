// Home is never made smaller: what is not there now is missing, not gone, and whoever comes back
// finds his LID's column and his ports as they were. Only where something else has taken a LID or a
// port does the old owner lose it.

#include "routing/repair/home.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fabric/builder.h"
#include "routing/repair/mending.h"
#include "routing/repair/stable_router.h"
#include "routing/repair/table_transfer.h"

namespace pssp {
namespace {

/// Of two statements of a rate the one of more capacity.
LinkRate faster(LinkRate a, LinkRate b) { return b.capacity() > a.capacity() ? b : a; }

/// The channel of `fabric` out of the switch of that GUID by that port; none.
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

/// Two fabrics in one builder; what the first one says stands.
class Union {
 public:
  Union(const Fabric& now, const Fabric& meant) : now_(now), meant_(meant) {
    for (const Fabric* const each : {&now_, &meant_}) {
      for (const Switch& node : each->switches()) add_switch(node);
      for (const EndPort& port : each->end_ports()) add_port(*each, port);
    }
    make_adapters();
  }

  Fabric build() && {
    for (const Fabric* const each : {&now_, &meant_}) {
      for (const EndPort& port : each->end_ports()) cable(*each, port);
      for (std::uint32_t c = 0; c < each->channel_count(); ++c) cable(*each, c);
    }
    take_faster_rates();
    return std::move(builder_).build({.aggregation_nodes_are_endpoints = counts_aggregation_});
  }

 private:
  struct Adapter {
    EndPort first;
    unsigned ports = 0;
    std::vector<EndPort> known;  // of one or both fabrics, those of now first
  };

  void add_switch(const Switch& each) {
    auto place = node_.find(each.guid);
    if (place == node_.end()) {
      const NodeId node = builder_.add_switch(each.guid, each.ports, each.name, each.description);
      place = node_.emplace(each.guid, node).first;
    }
    give_lid(place->second, management_port, each.guid, {each.lid, each.lmc});
  }

  void add_port(const Fabric& fabric, const EndPort& port) {
    const auto [place, is_new] = place_.try_emplace(port.node_guid, adapters_.size());
    if (is_new) adapters_.push_back({port, 0, {}});
    Adapter& adapter = adapters_[place->second];
    adapter.ports = std::max<unsigned>(adapter.ports, port.port);
    adapter.known.push_back(port);
    counts_aggregation_ |= port.kind == EndPortKind::aggregation_node &&
                           fabric.is_endpoint(*fabric.find_end_port(port.port_guid));
  }

  void make_adapters() {
    for (const Adapter& adapter : adapters_) {
      const EndPort& first = adapter.first;
      const NodeId node = builder_.add_adapter(first.node_guid, adapter.ports, first.kind,
                                               first.name, first.description);
      builder_.set_kind(node, first.kind_told);
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

  /// Unless the port has some, or another one has them now.
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

  void cable(const Fabric& fabric, const EndPort& port) {
    if (!port.attached.valid()) return;
    connect(node_.at(port.node_guid), port.port, node_.at(fabric.switch_at(port.attached).guid),
            port.switch_port, port.rate);
  }

  void cable(const Fabric& fabric, std::uint32_t c) {
    if (fabric.channel_reverse()[c] < c) return;
    connect(node_.at(fabric.switch_at(SwitchId(fabric.channel_tail()[c])).guid),
            fabric.channel_out_port()[c], node_.at(head_guid(fabric, c)),
            fabric.channel_in_port()[c], fabric.channel_rate()[c]);
  }

  /// Unless one of the ports has a cable.
  void connect(NodeId a, PortNumber port_a, NodeId b, PortNumber port_b, LinkRate rate) {
    if (port_a > builder_.ports(a) || port_b > builder_.ports(b)) return;
    if (builder_.is_connected(a, port_a) || builder_.is_connected(b, port_b)) return;
    builder_.connect(a, port_a, b, port_b, rate);
  }

  const Fabric& now_;
  const Fabric& meant_;
  FabricBuilder builder_;
  std::unordered_map<Guid, NodeId> node_;
  std::unordered_map<Guid, std::size_t> place_;  // in adapters_, by node GUID
  std::vector<Adapter> adapters_;
  bool counts_aggregation_ = false;
};

}  // namespace

Home make_home(Fabric fabric, ForwardingTables tables) {
  Home home{std::move(fabric), std::move(tables), {}};
  std::vector<std::uint32_t> ranks = legal_ranks(home.fabric, home.tables);
  if (ranks.empty()) return home;
  // Tables that would have to change to keep to these ranks do not keep to them.
  const StopSignal never;
  StableRouter router(home.fabric, {.previous = home.tables, .ranks = ranks},
                      {.keep_long_management_ways = true}, never);
  if (router.keep()) home.ranks = std::move(ranks);
  return home;
}

bool is_part_of(const Fabric& now, const Fabric& meant) {
  return std::ranges::all_of(now.switches(),
                             [&](const Switch& each) { return has_switch(meant, each); }) &&
         std::ranges::all_of(now.end_ports(),
                             [&](const EndPort& each) { return has_end_port(meant, now, each); }) &&
         has_all_channels(meant, now);
}

Fabric united(const Fabric& meant, const Fabric& now) { return Union(now, meant).build(); }

std::optional<Home> grown(const Home& home, const Fabric& now, const StableOptions& options,
                          const StopSignal& stop) {
  if (is_part_of(now, home.fabric)) return std::nullopt;
  Fabric fabric = united(home.fabric, now);
  StableOptions of_growth = options;
  if (has_all_channels(home.fabric, now)) of_growth.least_gain = 100;
  const ForwardingTables previous = transfer_tables(home.fabric, home.tables, fabric);
  ForwardingTables tables = reroute_stably(fabric, previous, of_growth, stop).tables;
  return make_home(std::move(fabric), std::move(tables));
}

std::vector<double> costs_at_home(const Fabric& home, const Fabric& now) {
  std::vector<double> costs(now.channel_cost().begin(), now.channel_cost().end());
  for (std::uint32_t c = 0; c < costs.size(); ++c) {
    const std::optional<std::uint32_t> known = same_channel(now, c, home);
    if (!known) continue;
    const LinkRate then = home.channel_rate()[*known], is = now.channel_rate()[c];
    if (then.stated() && is.stated()) costs[c] *= double{1} * is.capacity() / then.capacity();
  }
  return costs;
}

std::vector<std::uint32_t> ranks_at_home(const Home& home, const Fabric& now) {
  if (home.ranks.empty()) return {};
  std::vector<std::uint32_t> ranks;
  for (const Switch& each : now.switches()) {
    ranks.push_back(home.ranks[home.fabric.find_switch(each.guid)->value()]);
  }
  return ranks;
}

double known_part(const Home& home, const Fabric& now, const ForwardingTables& tables) {
  const ForwardingTables at_home = transfer_tables(home.fabric, home.tables, now);
  std::uint64_t known = 0, all = 0;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    for (std::size_t lid = 0; lid < tables.width(); ++lid) {
      if (tables.at(SwitchId(s), static_cast<Lid>(lid)) == no_port) continue;
      ++all;
      if (at_home.at(SwitchId(s), static_cast<Lid>(lid)) != no_port) ++known;
    }
  }
  return all == 0 ? 0 : static_cast<double>(known) / static_cast<double>(all);
}

}  // namespace pssp
