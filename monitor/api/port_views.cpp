#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "monitor/api/list_order.h"
#include "monitor/api/views.h"

// Ports and channels. A list is sorted by indices, and only the requested part is written, so the
// cost of writing depends on the part and not on the list.

namespace pssp {
namespace {

void write_link(JsonWriter& json, const MapPort& port) {
  json.member("state", name_of(port.state)).member("physical", name_of(port.physical));
  if (port.rate.stated()) {
    json.member("width", fmt::format("{}x", port.rate.lanes));
    const std::string both = to_string(port.rate);
    const std::size_t speed = both.find_first_not_of("0123456789x");
    json.member("speed", speed == std::string::npos ? both : both.substr(speed));
    json.member("rate_mbits", port.rate.capacity());
  } else {
    json.key("width").null().key("speed").null().key("rate_mbits").null();
    json.member("rate_mbits_reason",
                port.state == LinkState::active ? "the rate is unknown" : "the link is not up");
  }
}

void write_peer(JsonWriter& json, const LiveView& view, std::uint32_t peer) {
  json.key("peer");
  if (peer == MapPort::no_peer) {
    json.null().member("peer_reason", "no cable is known");
    return;
  }
  json.begin_object();
  write_port_name(json, view, peer);
  json.end_object();
}

void write_counters(JsonWriter& json, const LiveView& view, std::uint32_t port) {
  const Snapshot& snapshot = *view.snapshot;
  json.key("counters");
  if (snapshot.status[port] != PortStatus::read) {
    json.null().member("counters_reason", reason_of(snapshot.status[port]));
    return;
  }
  json.begin_object();
  for (const CounterInfo& info : counter_table()) {
    const auto c = static_cast<std::size_t>(info.counter);
    json.key(info.name);
    if ((snapshot.known[port] & mask_of(info.counter)) == 0) {
      json.null();
      json.member(std::string(info.name) + "_reason", "the node has no such counter");
    } else {
      json.value(snapshot.counters(port)[c]);
    }
  }
  json.end_object();
}

void write_rates(JsonWriter& json, const PortDifference& difference) {
  json.key("rates");
  if (difference.ns == 0) {
    json.null().member("rates_reason", "no two readings can be compared");
    return;
  }
  json.begin_object();
  for (const CounterInfo& info : counter_table()) {
    json.key(info.name);
    if (difference.has(info.counter)) {
      json.value(difference.per_second(info.counter));
      continue;
    }
    const CounterMask bit = mask_of(info.counter);
    json.null();
    json.member(std::string(info.name) + "_reason", (difference.saturated & bit) != 0 ? "saturated"
                                                    : (difference.reset & bit) != 0   ? "reset"
                                                    : (difference.implausible & bit) != 0
                                                        ? "implausible"
                                                        : "unknown");
  }
  json.end_object();
}

void write_share(JsonWriter& json, std::string_view name, double share, std::string_view reason) {
  json.key(name);
  if (share < 0) {
    json.null().member(std::string(name) + "_reason", reason);
  } else {
    json.value(share);
  }
}

bool is_wait_full(const PortDifference& difference) {
  return (difference.saturated & mask_of(Counter::transmit_wait)) != 0;
}

void write_waiting_share(JsonWriter& json, double share, const PortDifference& difference) {
  write_share(json, "waiting_share", share,
              is_wait_full(difference) ? "PortXmitWait is at its largest value"
                                       : "the port does not count waiting time");
}

void write_use(JsonWriter& json, const LiveView& view, std::uint32_t port) {
  const ChannelUseView use = channel_use(view, port);
  write_share(json, "utilisation", use.utilisation, "rate or counter is not known");
  write_waiting_share(json, use.waiting_share, view.differences[port]);
}

void write_verdicts(JsonWriter& json, const LiveView& view, std::uint32_t port) {
  json.key("verdicts").begin_array();
  const std::vector<VerdictView>& all = view.facts.verdicts;
  auto found = std::lower_bound(all.begin(), all.end(), port,
                                [](const VerdictView& v, std::uint32_t p) { return v.port < p; });
  for (; found != all.end() && found->port == port; ++found) {
    const VerdictView& each = *found;
    json.begin_object().member("level", name_of(each.level)).member("what", each.what);
    json.member("reason", each.reason).member("since", each.since_ms).end_object();
  }
  json.end_array();
}

void write_saturated(JsonWriter& json, const Snapshot& snapshot, std::uint32_t port) {
  json.key("saturated").begin_array();
  for (const CounterInfo& info : counter_table()) {
    if ((snapshot.saturated[port] & mask_of(info.counter)) != 0) json.value(info.name);
  }
  json.end_array();
}

void write_port(JsonWriter& json, const LiveView& view, std::uint32_t port,
                const FieldChoice& fields) {
  const MapPort& self = view.map().ports[port];
  json.begin_object();
  write_port_name(json, view, port);
  if (fields.has("link")) write_link(json, self);
  if (fields.has("kind")) json.member("kind", name_of(view.map().node_of(self).kind));
  if (fields.has("lid")) json.member("lid", unsigned{self.lid});
  if (fields.has("peer")) write_peer(json, view, self.peer);
  if (fields.has("status")) json.member("status", name_of(view.snapshot->status[port]));
  if (fields.has("counters")) write_counters(json, view, port);
  if (fields.has("rates")) write_rates(json, view.differences[port]);
  if (fields.has("use")) write_use(json, view, port);
  if (fields.has("saturated")) write_saturated(json, *view.snapshot, port);
  if (fields.has("verdicts")) {
    json.member("verdict", name_of(view.levels[port]));
    write_verdicts(json, view, port);
  }
  json.end_object();
}

constexpr std::array<std::string_view, 10> port_fields{
    "link", "kind", "lid", "peer", "status", "counters", "rates", "use", "saturated", "verdicts"};

/// Sum of the error counters of a port, as a sort key.
std::uint64_t errors_of(const LiveView& view, std::uint32_t port) {
  if (view.snapshot->status[port] != PortStatus::read) return 0;
  std::uint64_t sum = 0;
  for (const CounterInfo& info : counter_table()) {
    if (info.unit != CounterUnit::events) continue;
    sum += view.snapshot->counters(port)[static_cast<std::size_t>(info.counter)];
  }
  return sum;
}

struct PortFilter {
  std::optional<std::uint32_t> node;
  std::string_view state, kind;
  std::string name;

  bool takes(const LiveView& view, std::uint32_t port) const {
    const MapPort& self = view.map().ports[port];
    return (!node || self.node == *node) && (state == "any" || name_of(self.state) == state) &&
           (kind == "any" || name_of(view.map().node_of(self).kind) == kind) &&
           (name.empty() || contains_text(view.name_of_port(port), name));
  }
};

PortFilter port_filter(const LiveView& view, const Target& target) {
  PortFilter filter;
  if (const std::string* guid = target.find("node")) filter.node = wanted_node(view, *guid);
  filter.state = target.choice("state", {"any", "down", "initialize", "armed", "active"});
  filter.kind = target.choice("kind", {"any", "switch", "hca", "router"});
  if (const std::string* name = target.find("name")) filter.name = *name;
  return filter;
}

double weight_of_port(const LiveView& view, std::uint32_t port, std::string_view key) {
  if (key == "errors") return static_cast<double>(errors_of(view, port));
  if (key == "transmit") return view.differences[port].per_second(Counter::transmit_bytes);
  if (key == "receive") return view.differences[port].per_second(Counter::receive_bytes);
  if (key == "utilisation") return channel_use(view, port).utilisation;
  if (key == "waiting_share") return channel_use(view, port).waiting_share;
  return port;  // ports of the map are in the order of their GUIDs
}

bool is_between_switches(const FabricMap& map, std::uint32_t port) {
  const MapPort& self = map.ports[port];
  return map.node_of(self).kind == NodeKind::switch_node &&
         map.node_of(map.ports[self.peer]).kind == NodeKind::switch_node;
}

VerdictLevel level_of_link(const LiveView& view, std::uint32_t port) {
  return std::max(view.levels[port], view.levels[view.map().ports[port].peer]);
}

void write_channel(JsonWriter& json, const LiveView& view, std::uint32_t port,
                   const ChannelUseView& use) {
  const MapPort& self = view.map().ports[port];
  json.begin_object();
  write_port_name(json, view, port);
  write_peer(json, view, self.peer);
  json.member("kind", is_between_switches(view.map(), port) ? "switch" : "host");
  json.member("rate", to_string(self.rate)).member("rate_mbits", self.rate.capacity());
  if (use.known) {
    json.member("bytes_per_s", use.bytes_per_s).member("packets_per_s", use.packets_per_s);
  } else {
    json.key("bytes_per_s").null().member("bytes_per_s_reason", "neither end was read twice");
    json.key("packets_per_s").null();
  }
  write_share(json, "utilisation", use.utilisation, "rate or counter is not known");
  write_waiting_share(json, use.waiting_share, view.differences[port]);
  json.member("hot", use.utilisation > hot_utilisation);
  json.member("held_up", use.waiting_share > held_up_share);
  json.member("verdict", name_of(level_of_link(view, port)));
  json.end_object();
}

struct LinkFilter {
  std::optional<std::uint32_t> node;
  std::string_view kind, only;
  std::string name;  ///< part of the name of one end

  /// `c` is an index into view.channels.
  bool takes(const LiveView& view, std::uint32_t c) const {
    const std::uint32_t port = view.channels[c], peer = view.map().ports[port].peer;
    const auto either_end = [&](const auto& is) { return is(port) || is(peer); };
    return (kind == "any" || is_between_switches(view.map(), port) == (kind == "switch")) &&
           has_state(view, c) &&
           (!node ||
            either_end([&](std::uint32_t p) { return view.map().ports[p].node == *node; })) &&
           (name.empty() ||
            either_end([&](std::uint32_t p) { return contains_text(view.name_of_port(p), name); }));
  }

 private:
  bool has_state(const LiveView& view, std::uint32_t c) const {
    if (only == "hot") return view.use[c].utilisation > hot_utilisation;
    if (only == "held_up") return view.use[c].waiting_share > held_up_share;
    return only == "all" || name_of(level_of_link(view, view.channels[c])) == only;
  }
};

LinkFilter link_filter(const LiveView& view, const Target& target) {
  LinkFilter filter;
  filter.kind = target.choice("kind", {"any", "switch", "host"});
  filter.only = target.choice("only", {"all", "hot", "held_up", "bad", "watch"});
  if (const std::string* name = target.find("name")) filter.name = *name;
  if (const std::string* guid = target.find("node")) filter.node = wanted_node(view, *guid);
  return filter;
}

/// `c` is an index into view.channels; `ranks` is name_ranks(), for the keys `name` and `peer`.
double weight_of_link(const LiveView& view, std::uint32_t c, std::string_view key,
                      const std::vector<std::uint32_t>& ranks) {
  const std::uint32_t port = view.channels[c];
  const MapPort& self = view.map().ports[port];
  constexpr double ports_per_node = 256;
  const auto position = [&](const MapPort& end) {
    return ports_per_node * ranks[end.node] + end.number;
  };
  if (key == "name") return position(self);
  if (key == "peer") return position(view.map().ports[self.peer]);
  if (key == "rate") return self.rate.stated() ? self.rate.capacity() : -1.0;
  if (key == "verdict") return static_cast<double>(level_of_link(view, port));
  if (key == "bytes") return view.use[c].known ? view.use[c].bytes_per_s : -1;
  return key == "utilisation" ? view.use[c].utilisation : view.use[c].waiting_share;
}

void write_tick(JsonWriter& json, const Snapshot& snapshot, std::uint32_t port) {
  const std::vector<std::uint16_t>& ticks = snapshot.tick_bytes;
  json.key("tick_bytes");
  if (port < ticks.size() && ticks[port] != 0) {
    json.value(unsigned{ticks[port]});
  } else {
    json.null().member("tick_bytes_reason",
                       "the node did not report the length of a tick of PortXmitWait; the time for "
                       "a word of 4 bytes is assumed");
  }
}

struct Attribute {
  std::string_view name;
  unsigned value;
};

/// Writes the attributes of the link in the groups of the port page. MTUs are in bytes.
void write_attributes(JsonWriter& json, const MapPort& port) {
  const auto mtu = [](unsigned code) { return code == 0 ? 0U : 128U << code; };
  const auto group = [&](std::string_view name, std::initializer_list<Attribute> members) {
    json.key(name).begin_object();
    for (const Attribute& each : members) json.member(each.name, each.value);
    json.end_object();
  };
  json.key("attributes").begin_object();
  group("link", {{"width_supported", port.width_supported},
                 {"width_enabled", port.width_enabled},
                 {"speed_supported", port.speed_supported},
                 {"speed_enabled", port.speed_enabled},
                 {"extended_speed_supported", port.extended_speed_supported},
                 {"extended_speed_enabled", port.extended_speed_enabled}});
  group("lanes", {{"supported", port.lanes_supported}, {"operational", port.lanes_operational}});
  group("mtu",
        {{"supported_bytes", mtu(port.mtu_supported)}, {"active_bytes", mtu(port.mtu_active)}});
  json.end_object();
}

}  // namespace

bool has_full_wait(const LiveView& view, std::uint32_t port) {
  return is_wait_full(view.differences[port]);
}

std::string ports_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after", "sort", "order", "fields", "node", "state", "kind", "name"});
  const ListPart part = list_part(target);
  const FieldChoice fields(target, port_fields);
  const PortFilter filter = port_filter(view, target);
  const ListOrder order(
      target, {"guid", "utilisation", "waiting_share", "errors", "transmit", "receive"}, {"guid"});
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t p = 0; p < view.map().ports.size(); ++p) {
    if (filter.takes(view, p)) chosen.push_back(p);
  }
  order.sort(chosen, part.first + part.limit,
             [&](std::uint32_t p) { return weight_of_port(view, p, order.key()); });
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write_list(json, "ports", part, chosen,
             [&](std::uint32_t p) { write_port(json, view, p, fields); });
  return json.end_object().take();
}

std::string port_view(const LiveView& view, const Target& target, std::uint32_t port) {
  target.allow({"fields"});
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.key("item");
  write_port(json, view, port, FieldChoice(target, port_fields));
  write_attributes(json, view.map().ports[port]);
  write_tick(json, *view.snapshot, port);
  return json.end_object().take();
}

std::string links_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after", "sort", "order", "kind", "only", "name", "node", "at"});
  const ListPart part = list_part(target);
  const ListOrder order(
      target, {"utilisation", "waiting_share", "bytes", "rate", "verdict", "name", "peer"},
      {"name", "peer"});
  const LinkFilter filter = link_filter(view, target);
  std::vector<std::uint32_t> chosen;  // indices into view.channels
  for (std::uint32_t c = 0; c < view.channels.size(); ++c) {
    if (filter.takes(view, c)) chosen.push_back(c);
  }
  const bool by_name = order.key() == "name" || order.key() == "peer";
  const std::vector<std::uint32_t> ranks =
      by_name ? name_ranks(view) : std::vector<std::uint32_t>();
  order.sort(chosen, part.first + part.limit,
             [&](std::uint32_t c) { return weight_of_link(view, c, order.key(), ranks); });
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write_list(json, "links", part, chosen,
             [&](std::uint32_t c) { write_channel(json, view, view.channels[c], view.use[c]); });
  return json.end_object().take();
}

std::string port_update(const RecentSweep& sweep, Guid node, PortNumber number) {
  const auto port = sweep.map().find_port(node, number);
  if (!port) return {};
  const PortDifference difference = sweep.difference(*port).value_or(PortDifference{});
  const LinkRate& rate = sweep.map().ports[*port].rate;
  JsonWriter json;
  json.begin_object().member("time", sweep.time_ms()).member("sweep", sweep.sweep());
  json.key("guid").guid(node).member("port", unsigned{number});
  write_rates(json, difference);
  write_share(json, "utilisation", utilisation(difference, Counter::transmit_bytes, rate),
              "rate or counter is not known");
  write_waiting_share(json, waiting_share(difference), difference);
  return json.end_object().take();
}

}  // namespace pssp
