#include <algorithm>

#include "base/untrusted_text.h"
#include "monitor/api/fit_view.h"
#include "monitor/api/list_order.h"
#include "monitor/api/views.h"

// Switches, adapters and routers: the list, and a single node.

namespace pssp {
namespace {

/// Sums over the ports of a node.
struct NodeSums {
  unsigned active = 0;
  double sent = 0, received = 0;  ///< bytes per second
};

NodeSums sums_of(const LiveView& view, std::uint32_t n) {
  const MapNode& node = view.map().nodes[n];
  NodeSums sums;
  for (unsigned i = 0; i < node.ports; ++i) {
    const std::uint32_t port = node.first_port + i;
    sums.active += view.map().ports[port].state == LinkState::active ? 1 : 0;
    sums.sent += view.differences[port].per_second(Counter::transmit_bytes);
    sums.received += view.differences[port].per_second(Counter::receive_bytes);
  }
  return sums;
}

/// For an adapter, the LID of its first port.
unsigned lid_of(const LiveView& view, std::uint32_t n) {
  const MapNode& node = view.map().nodes[n];
  return node.lid != no_lid || node.ports == 0 ? node.lid : view.map().ports[node.first_port].lid;
}

void write_node(JsonWriter& json, const LiveView& view, std::uint32_t n, VerdictLevel level) {
  const MapNode& node = view.map().nodes[n];
  const NodeSums sums = sums_of(view, n);
  json.begin_object().key("guid").guid(node.guid);
  json.member("name", (*view.names)[n]).member("kind", name_of(node.kind));
  json.member("lid", lid_of(view, n));
  json.member("ports", unsigned{node.ports}).member("active_ports", sums.active);
  json.member("state", sums.active > 0 ? "active" : "down").member("verdict", name_of(level));
  json.key("rates").begin_object().member("transmit_bytes", sums.sent);
  json.member("receive_bytes", sums.received).end_object();
  write_fit_of(json, view.facts.fit.get(), node.guid);
  json.end_object();
}

const NodeFit* fit_of(const LiveView& view, std::uint32_t n) {
  return view.facts.fit ? view.facts.fit->of_adapter(view.map().nodes[n].guid) : nullptr;
}

struct NodeFilter {
  std::string_view kind, verdict, fit;
  std::string name;

  bool takes(const LiveView& view, std::uint32_t n, VerdictLevel level) const {
    return (kind == "any" || name_of(view.map().nodes[n].kind) == kind) &&
           (verdict == "any" || name_of(level) == verdict) &&
           (fit == "any" ||
            (fit_of(view, n) != nullptr && fit_word(fit_of(view, n)->level) == fit)) &&
           (name.empty() || contains_text((*view.names)[n], name));
  }
};

NodeFilter node_filter(const Target& target) {
  NodeFilter filter;
  filter.kind = target.choice("kind", {"any", "switch", "hca", "router"});
  filter.verdict = target.choice("verdict", {"any", "good", "watch", "bad", "unknown"});
  filter.fit = target.choice("fit", {"any", "yes", "watch", "no", "unknown"});
  if (const std::string* name = target.find("name")) filter.name = *name;
  return filter;
}

double weight_of_node(const LiveView& view, std::uint32_t n, std::string_view key) {
  if (key == "kind") return static_cast<double>(view.map().nodes[n].kind);
  if (key == "lid") return lid_of(view, n);
  if (key == "active_ports") return sums_of(view, n).active;
  if (key == "transmit") return sums_of(view, n).sent;
  if (key == "receive") return sums_of(view, n).received;
  if (key == "fit") {
    const NodeFit* const fit = fit_of(view, n);
    return fit == nullptr ? -1 : static_cast<double>(fit->level);
  }
  return n;  // nodes of the map are in the order of their GUIDs
}

}  // namespace

std::vector<VerdictLevel> node_levels(const LiveView& view) {
  std::vector<VerdictLevel> levels(view.map().nodes.size(), VerdictLevel::good);
  for (std::uint32_t p = 0; p < view.levels.size(); ++p) {
    VerdictLevel& node = levels[view.map().ports[p].node];
    node = std::max(node, view.levels[p]);
  }
  return levels;
}

std::string nodes_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after", "sort", "order", "kind", "name", "verdict", "fit"});
  const ListPart part = list_part(target);
  const ListOrder order(
      target,
      {"guid", "name", "kind", "lid", "active_ports", "transmit", "receive", "verdict", "fit"},
      {"guid", "name", "kind", "lid"});
  const NodeFilter filter = node_filter(target);
  const std::vector<VerdictLevel> levels = node_levels(view);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t n = 0; n < view.map().nodes.size(); ++n) {
    if (filter.takes(view, n, levels[n])) chosen.push_back(n);
  }
  const std::vector<std::uint32_t> ranks =
      order.key() == "name" ? name_ranks(view) : std::vector<std::uint32_t>();
  order.sort(chosen, part.first + part.limit, [&](std::uint32_t n) {
    if (order.key() == "name") return static_cast<double>(ranks[n]);
    if (order.key() == "verdict") return static_cast<double>(levels[n]);
    return weight_of_node(view, n, order.key());
  });
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write_list(json, "nodes", part, chosen,
             [&](std::uint32_t n) { write_node(json, view, n, levels[n]); });
  return json.end_object().take();
}

std::string node_view(const LiveView& view, const Target& target, std::uint32_t node,
                      const std::vector<NameView>& names) {
  target.allow({});
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.key("item");
  write_node(json, view, node, node_levels(view)[node]);
  json.key("names").begin_array();
  for (const NameView& each : names) {
    json.begin_object().member("since", each.since_ms);
    json.member("name", untrusted_text(each.description)).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace pssp
