// The graph has pairs of edges instead of links, and no ports, so both are derived as in ORCS's
// tools: dot2osm numbers the ports of a node by the order of its out-edges, and pairs an edge with
// the first unpaired one in the reverse direction; lftsdump2dot writes the port number as the
// edge's key. Graphs from write_dot() specify both exactly by "key" and "in_port".
//
// The order of edges is that in which ORCS's library cgraph iterates over the edges out of a node:
// by the node that they lead to, in the order of first mention in the file, parallel edges in the
// order of the file.
//
// The routes are those of ORCS's simulator: at each node, the first edge whose comment is "*" or
// lists the destination. Lists are separated by commas and blanks. The result is a dump of tables
// with comments (lft_file.h), so that matching, with all its checks, is the same for all formats.
//
// One case cannot be expressed in forwarding tables: a host whose own edge does not list all
// destinations. ORCS then finds no route for some of them; here a host sends everything to its
// switch, with a warning.

#include "fabric/formats/orcs/dot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/file_io.h"
#include "base/no_index.h"
#include "base/text_lines.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/host_lids.h"
#include "fabric/formats/orcs/dot_graph.h"

namespace pssp {
namespace {

/// Attributes of edges that describe topology or routes.
constexpr std::array<std::string_view, 4> understood{"key", "in_port", "rate", "comment"};

std::optional<unsigned> number_up_to(std::optional<std::string_view> text, unsigned highest) {
  if (!text) return std::nullopt;
  const std::optional<std::uint64_t> number = take_number(*text);
  if (!number || !text->empty() || *number == 0 || *number > highest) return std::nullopt;
  return static_cast<unsigned>(*number);
}

/// `0123456789abcdef`, as get_network_graph names nodes.
Guid guid_of_digits(std::string_view text) {
  constexpr std::size_t digits = 16;
  if (text.size() != digits) return 0;
  const std::optional<std::uint64_t> guid = take_number(text, 16);
  return text.empty() ? guid.value_or(0) : 0;
}

/// Calls visit(name) for each name of a list of destinations.
template <class Visit>
void for_each_name(std::string_view list, Visit&& visit) {
  constexpr std::string_view separators = ", \t\r\n";
  for (std::size_t begin = list.find_first_not_of(separators); begin != std::string_view::npos;
       begin = list.find_first_not_of(separators)) {
    list.remove_prefix(begin);
    const std::string_view name = list.substr(0, list.find_first_of(separators));
    list.remove_prefix(name.size());
    visit(name);
  }
}

class DotReader {
 public:
  DotReader(std::string_view text, std::string_view name)
      : graph_(parse_dot_graph(text, name)), name_(name) {}

  DotFile run();

 private:
  struct Node {
    bool is_switch = true;
    EndPortKind kind = EndPortKind::channel_adapter;
    std::vector<std::uint32_t> out;  // edges, in the order of cgraph
    unsigned highest_port = 0;       // in use; for a node with one link, its port
    std::size_t links = 0;
    Guid guid = 0;
    Lid lid = no_lid;
  };
  struct Edge {
    unsigned port = 0;     // output port
    unsigned in_port = 0;  // input port
    std::uint32_t reverse = no_index;
  };

  void sort_nodes();
  void number_ports(std::uint32_t node);
  void pair_by_port();
  void pair_by_order();
  void pair(std::uint32_t a, std::uint32_t b) {
    edges_[a].reverse = b;
    edges_[b].reverse = a;
  }
  void add_nodes();
  void give_guids();
  Guid port_guid(std::uint32_t node) const;
  void find_other_ends();
  void add_links();
  LinkRate rate_of(std::uint32_t e);
  DotEdgeNotes::Notes notes_of(const DotGraph::Edge& edge);
  void note_attributes(std::uint32_t e);
  Lid stated_lid(std::uint32_t node);
  void give_lids();
  void read_routes();
  void read_routes_of_switch(std::uint32_t node);
  void read_route(LftSwitch& table, std::uint32_t edge, std::string_view to);
  void check_routes_of_host(std::uint32_t node);
  std::optional<std::string_view> destinations_of(std::uint32_t e) const;
  std::uint32_t find_destination(std::string_view host) const;
  void warn(const Cases& cases, std::string_view what) {
    if (cases.count() == 0) return;
    result_.topology.warnings.push_back(
        fmt::format("{}: {} {}: {}", name_, cases.count(), what, cases.examples()));
  }
  std::string edge_label(std::uint32_t e) const {
    const DotGraph::Edge& edge = graph_.edges[e];
    return fmt::format("'{}' -> '{}' (line {})", excerpt(graph_.nodes[edge.tail].name),
                       excerpt(graph_.nodes[edge.head].name), edge.line);
  }
  unsigned free_port(std::uint32_t node, std::size_t line);

  DotGraph graph_;
  std::string_view name_;
  DotFile result_;
  std::vector<Node> nodes_;  // as in the graph
  std::vector<Edge> edges_;  // as in the graph
  std::unordered_map<std::string_view, std::uint32_t> node_by_name_;
  bool names_are_guids_ = false;
  std::vector<std::uint32_t> hosts_;  // hosts with a LID
  DotEdgeNotes::Notes notes_;         // of the last processed statement
  std::uint32_t notes_first_field_ = 0;
  Cases half_stated_, to_itself_, unknown_rates_, unknown_hosts_, to_switches_, twice_,
      no_wildcard_, partial_, unknown_lids_, unused_lids_;
};

void DotReader::sort_nodes() {
  if (!graph_.is_directed) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this graph is undirected; expected a digraph, with an edge for "
                            "each direction of a link",
                            name_));
  }
  if (graph_.nodes.empty()) {
    throw Error(ErrorKind::unreadable_input, fmt::format("{}: the graph has no nodes", name_));
  }
  nodes_.resize(graph_.nodes.size());
  edges_.resize(graph_.edges.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const DotGraph::Node& node = graph_.nodes[n];
    node_by_name_.try_emplace(node.name, n);
    const std::string_view kind = graph_.value(node, "kind").value_or("");
    if (kind == "router") nodes_[n].kind = EndPortKind::router;
    if (kind == "aggregation node") nodes_[n].kind = EndPortKind::aggregation_node;
    nodes_[n].is_switch =
        !node.name.starts_with('H') && nodes_[n].kind == EndPortKind::channel_adapter;
  }
  if (nodes_.size() > last_unicast_lid) {
    fail_at(name_, graph_.nodes[last_unicast_lid].line,
            fmt::format("more than {} nodes: an InfiniBand subnet has no LIDs for more",
                        last_unicast_lid));
  }
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const DotGraph::Edge& edge = graph_.edges[e];
    if (edge.tail == edge.head) {
      to_itself_.add(edge_label(e));
    } else {
      nodes_[edge.tail].out.push_back(e);
    }
  }
  for (Node& node : nodes_) {
    std::stable_sort(node.out.begin(), node.out.end(), [this](std::uint32_t a, std::uint32_t b) {
      return graph_.edges[a].head < graph_.edges[b].head;
    });
  }
}

void DotReader::number_ports(std::uint32_t n) {
  Node& node = nodes_[n];
  if (node.out.size() > max_port_number) {
    fail_at(name_, graph_.edges[node.out[max_port_number]].line,
            fmt::format("node '{}' has more than {} edges; InfiniBand nodes have 1 to {} ports",
                        excerpt(graph_.nodes[n].name), max_port_number, max_port_number));
  }
  std::array<bool, max_port_number + 1> used{};
  bool has_keys = true;
  for (const std::uint32_t e : node.out) {
    const unsigned key =
        number_up_to(graph_.value(graph_.edges[e], "key"), max_port_number).value_or(0);
    has_keys = has_keys && key != 0 && !used[key];
    used[key] = true;
    edges_[e].port = key;
  }
  node.links = node.out.size();
  unsigned count = 0;
  for (const std::uint32_t e : node.out) {
    unsigned& port = edges_[e].port;
    ++count;
    if (!has_keys) port = count;
    node.highest_port = std::max(node.highest_port, port);
  }
}

/// Pairs edges by input ports, if the reverse edge agrees.
void DotReader::pair_by_port() {
  std::unordered_map<std::uint64_t, std::uint32_t> edge_at;
  const auto place = [](std::uint32_t node, unsigned port) {
    return (std::uint64_t{node} << 8) | port;
  };
  for (const Node& node : nodes_) {
    for (const std::uint32_t e : node.out)
      edge_at.try_emplace(place(graph_.edges[e].tail, edges_[e].port), e);
  }
  const auto in_port = [this](std::uint32_t e) {
    return number_up_to(graph_.value(graph_.edges[e], "in_port"), max_port_number).value_or(0);
  };
  for (const Node& node : nodes_) {
    for (const std::uint32_t e : node.out) {
      const auto reverse = edge_at.find(place(graph_.edges[e].head, in_port(e)));
      if (reverse == edge_at.end() || edges_[e].reverse != no_index) continue;
      const std::uint32_t r = reverse->second;
      if (edges_[r].reverse == no_index && graph_.edges[r].head == graph_.edges[e].tail &&
          in_port(r) == edges_[e].port)
        pair(e, r);
    }
  }
}

void DotReader::pair_by_order() {
  struct Queue {
    std::vector<std::uint32_t> edges;
    std::size_t next = 0;
  };
  std::unordered_map<std::uint64_t, Queue> unpaired;  // between two nodes in one direction
  const auto direction = [](std::uint32_t from, std::uint32_t to) {
    return (std::uint64_t{from} << 32) | to;
  };
  for (const Node& node : nodes_) {
    for (const std::uint32_t e : node.out) {
      const DotGraph::Edge& edge = graph_.edges[e];
      if (edges_[e].reverse == no_index)
        unpaired[direction(edge.tail, edge.head)].edges.push_back(e);
    }
  }
  for (const Node& node : nodes_) {
    for (const std::uint32_t e : node.out) {
      const DotGraph::Edge& edge = graph_.edges[e];
      const auto found = unpaired.find(direction(edge.head, edge.tail));
      if (found == unpaired.end() || edges_[e].reverse != no_index) continue;
      Queue& queue = found->second;
      while (queue.next < queue.edges.size() && edges_[queue.edges[queue.next]].reverse != no_index)
        ++queue.next;
      if (queue.next < queue.edges.size()) pair(e, queue.edges[queue.next]);
    }
  }
}

/// GUIDs from the file, else from the names if all of them are GUIDs, else ibsim's.
void DotReader::give_guids() {
  names_are_guids_ = true;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    std::string_view name = graph_.nodes[n].name;
    if (!nodes_[n].is_switch) take(name, "H");
    nodes_[n].guid = guid_of_digits(name);
    names_are_guids_ = names_are_guids_ && nodes_[n].guid != 0;
  }
  if (names_are_guids_) return;
  std::unordered_set<Guid> used;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].guid = 0;
    std::optional<std::string_view> stated = graph_.value(graph_.nodes[n], "guid");
    if (!stated) continue;
    const std::optional<std::uint64_t> guid = take_c_number(*stated);
    if (!guid || *guid == 0 || !stated->empty()) {
      fail_at(name_, graph_.nodes[n].line,
              fmt::format("the GUID of node '{}' is garbled; expected e.g. guid=\"0x200000\"",
                          excerpt(graph_.nodes[n].name)));
    }
    nodes_[n].guid = *guid;
    used.insert(*guid);
  }
  Guid next_switch = 0x200000, next_host = 0x100000;
  for (Node& node : nodes_) {
    Guid& next = node.is_switch ? next_switch : next_host;
    const Guid step = node.is_switch ? 1 : node.highest_port + 1;
    while (node.guid == 0) {
      if (!used.contains(next)) {
        node.guid = next;
        result_.topology.has_made_up_guids = true;
      }
      next += step;
    }
  }
}

void DotReader::add_nodes() {
  FabricBuilder& builder = result_.topology.builder;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const DotGraph::Node& node = graph_.nodes[n];
    Node& known = nodes_[n];
    const unsigned stated = number_up_to(graph_.value(node, "ports"), max_port_number).value_or(1);
    const unsigned ports = std::max(stated, known.highest_port);
    std::string name(node.name);
    std::string description(graph_.value(node, "label").value_or(node.name));
    // A label with escapes is intended for the drawing program.
    if (description.empty() || description.find('\\') != std::string::npos) description = name;
    at_line(name_, node.line, [&] {
      if (known.is_switch) {
        builder.add_switch(known.guid, ports, name, description);
        return;
      }
      const NodeId added = builder.add_adapter(known.guid, ports, known.kind, name, description);
      const Guid guid = port_guid(n);
      if (guid != 0)
        builder.set_port_guid(added, static_cast<PortNumber>(known.highest_port), guid);
    });
  }
}

/// The GUID of a host's only port in the file; 0 if unspecified.
Guid DotReader::port_guid(std::uint32_t n) const {
  if (nodes_[n].links != 1) return 0;
  if (names_are_guids_) return nodes_[n].guid;
  std::optional<std::string_view> text = graph_.value(graph_.nodes[n], "port_guid");
  return text ? take_c_number(*text).value_or(0) : 0;
}

LinkRate DotReader::rate_of(std::uint32_t e) {
  const std::optional<std::string_view> text = graph_.value(graph_.edges[e], "rate");
  if (!text) return {};
  const std::optional<LinkRate> rate = parse_link_rate(*text);
  if (!rate) unknown_rates_.add(fmt::format("'{}' of {}", excerpt(*text), edge_label(e)));
  return rate.value_or(LinkRate{});
}

/// For the end of a link that the graph does not specify.
unsigned DotReader::free_port(std::uint32_t n, std::size_t line) {
  Node& node = nodes_[n];
  if (node.highest_port >= max_port_number) {
    fail_at(name_, line,
            fmt::format("node '{}' has more than {} edges; InfiniBand nodes have 1 to {} ports",
                        excerpt(graph_.nodes[n].name), max_port_number, max_port_number));
  }
  ++node.links;
  return ++node.highest_port;
}

void DotReader::find_other_ends() {
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const DotGraph::Edge& edge = graph_.edges[e];
    if (edge.tail == edge.head) continue;
    if (edges_[e].reverse == no_index) {
      half_stated_.add(edge_label(e));
      edges_[e].in_port = free_port(edge.head, edge.line);
    } else {
      edges_[e].in_port = edges_[edges_[e].reverse].port;
    }
  }
}

void DotReader::add_links() {
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const DotGraph::Edge& edge = graph_.edges[e];
    if (edge.tail == edge.head) continue;
    const LinkRate rate = rate_of(e);
    at_line(name_, edge.line, [&] {
      result_.topology.builder.connect(NodeId(edge.tail), static_cast<PortNumber>(edges_[e].port),
                                       NodeId(edge.head),
                                       static_cast<PortNumber>(edges_[e].in_port), rate);
    });
    note_attributes(e);
  }
}

/// The edge's own attributes that are not understood. Computed once per statement, because all of
/// its edges have the same.
DotEdgeNotes::Notes DotReader::notes_of(const DotGraph::Edge& edge) {
  if (notes_ && notes_first_field_ == edge.first_field) return notes_;
  std::vector<DotAttribute> notes;
  for (std::uint32_t f = edge.first_field; f < edge.first_field + edge.field_count; ++f) {
    const DotField& field = graph_.fields[f];
    if (std::find(understood.begin(), understood.end(), field.name) != understood.end()) continue;
    notes.push_back({std::string(field.name), std::string(field.value)});
  }
  notes_ = std::make_shared<const std::vector<DotAttribute>>(std::move(notes));
  notes_first_field_ = edge.first_field;
  return notes_;
}

void DotReader::note_attributes(std::uint32_t e) {
  const DotGraph::Edge& edge = graph_.edges[e];
  if (edge.field_count == 0) return;
  const DotEdgeNotes::Notes notes = notes_of(edge);
  if (notes->empty()) return;
  const auto port = static_cast<PortNumber>(edges_[e].port);
  if (nodes_[edge.tail].is_switch) {
    result_.notes.add_of_switch(nodes_[edge.tail].guid, port, notes);
  } else {
    result_.notes.add_of_end_port(result_.topology.builder.port_guid(NodeId(edge.tail), port),
                                  notes);
  }
}

/// no_lid: the graph specifies none.
Lid DotReader::stated_lid(std::uint32_t node) {
  const std::optional<std::string_view> text = graph_.value(graph_.nodes[node], "lid");
  const std::optional<unsigned> lid = number_up_to(text, last_unicast_lid);
  if (text && !lid) {
    unknown_lids_.add(fmt::format("'{}' of '{}' (line {})", excerpt(*text),
                                  excerpt(graph_.nodes[node].name), graph_.nodes[node].line));
  }
  return static_cast<Lid>(lid.value_or(no_lid));
}

void DotReader::give_lids() {
  std::vector<StatedLid> stated;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (node.is_switch || node.links == 0) continue;
    if (node.links > 1) {
      fail_at(name_, graph_.nodes[n].line,
              fmt::format("host '{}' has more than one link, so the routes do not determine a "
                          "port; make each port a separate host",
                          excerpt(graph_.nodes[n].name)));
    }
    hosts_.push_back(n);
    stated.push_back({stated_lid(n), graph_.nodes[n].name});
  }
  if (hosts_.empty()) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: the graph has routes, but no host with a link; hosts are the nodes "
                    "whose names begin with H",
                    name_));
  }
  const HostLids given = host_lids(stated, name_);
  std::vector<std::string>& warnings = result_.topology.warnings;
  warnings.insert(warnings.end(), given.warnings.begin(), given.warnings.end());
  LftFile& tables = *result_.tables;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    Node& host = nodes_[hosts_[i]];
    host.lid = given.lids[i];
    const NodeId id(hosts_[i]);
    tables.destinations.push_back({.lid = host.lid,
                                   .port_guid = result_.topology.builder.port_guid(
                                       id, static_cast<PortNumber>(host.highest_port)),
                                   .is_switch = false,
                                   .description = result_.topology.builder.description(id)});
  }
  std::sort(tables.destinations.begin(), tables.destinations.end(),
            [](const LftDestination& a, const LftDestination& b) { return a.lid < b.lid; });
}

/// The comment of the edge. Rejects lists of several edges, which could cost more than their text.
std::optional<std::string_view> DotReader::destinations_of(std::uint32_t e) const {
  const DotGraph::Edge& edge = graph_.edges[e];
  const std::optional<std::string_view> own = graph_.own(edge, "comment");
  const std::optional<std::string_view> list = own ? own : graph_.value(edge, "comment");
  const bool is_shared = !own || !edge.is_alone;
  if (list && is_shared && *list != "*" && !list->empty()) {
    fail_at(name_, edge.line,
            "several edges share a list of destinations: state a list for each edge");
  }
  return list;
}

/// The host with that name and a LID, or none.
std::uint32_t DotReader::find_destination(std::string_view host) const {
  const auto found = node_by_name_.find(host);
  return found != node_by_name_.end() && nodes_[found->second].lid != no_lid ? found->second
                                                                             : no_index;
}

void DotReader::read_routes_of_switch(std::uint32_t n) {
  LftSwitch& table = result_.tables->switches.emplace_back();
  table.guid = nodes_[n].guid;
  table.description = result_.topology.builder.description(NodeId(n));
  table.line = graph_.nodes[n].line;
  for (const std::uint32_t e : nodes_[n].out) {
    const std::string_view list = destinations_of(e).value_or("");
    const auto port = static_cast<PortNumber>(edges_[e].port);
    if (list == "*") {
      for (const std::uint32_t host : hosts_) {
        if (table.entries.at(nodes_[host].lid) == no_port)
          table.entries.set(nodes_[host].lid, port);
      }
      continue;
    }
    for_each_name(list, [&](std::string_view name) { read_route(table, e, name); });
  }
}

void DotReader::read_route(LftSwitch& table, std::uint32_t e, std::string_view to) {
  const std::uint32_t host = find_destination(to);
  if (host == no_index) {
    // get_network_graph lists switches, too: "H" and the name of the switch.
    const bool is_switch = to.starts_with('H') && node_by_name_.contains(to.substr(1));
    if (to == "*") {
      no_wildcard_.add(edge_label(e));
    } else {
      (is_switch ? to_switches_ : unknown_hosts_)
          .add(fmt::format("'{}' of {}", excerpt(to), edge_label(e)));
    }
    return;
  }
  const auto port = static_cast<PortNumber>(edges_[e].port);
  const PortNumber before = table.entries.at(nodes_[host].lid);
  if (before == no_port) {
    table.entries.set(nodes_[host].lid, port);
  } else if (before != port) {
    twice_.add(fmt::format("'{}' of {}", excerpt(to), edge_label(e)));
  }
}

void DotReader::check_routes_of_host(std::uint32_t n) {
  for (const std::uint32_t e : nodes_[n].out) {
    const std::string_view list = destinations_of(e).value_or("");
    if (list == "*") return;
    std::unordered_set<std::string_view> listed;
    for_each_name(list, [&](std::string_view name) {
      const std::uint32_t host = find_destination(name);
      if (host != no_index && host != n) listed.insert(name);
    });
    if (listed.size() + 1 < hosts_.size()) partial_.add(edge_label(e));
  }
}

void DotReader::read_routes() {
  const bool has_routes = std::any_of(
      graph_.edges.begin(), graph_.edges.end(),
      [this](const DotGraph::Edge& edge) { return graph_.value(edge, "comment").has_value(); });
  if (!has_routes) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].is_switch || stated_lid(n) == no_lid) continue;
      unused_lids_.add(fmt::format("'{}'", excerpt(graph_.nodes[n].name)));
    }
    return;
  }
  LftFile& tables = result_.tables.emplace();
  tables.name = name_;
  tables.format = LftFormat::dot;
  give_lids();
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].is_switch) {
      read_routes_of_switch(n);
    } else {
      check_routes_of_host(n);
    }
  }
}

DotFile DotReader::run() {
  sort_nodes();
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) number_ports(n);
  pair_by_port();
  pair_by_order();
  find_other_ends();
  give_guids();
  add_nodes();
  add_links();
  read_routes();
  warn(to_itself_, "edge(s) from a node to itself, left out");
  warn(half_stated_, "link(s) stated in one direction only; treated as up in both directions");
  warn(unknown_rates_, "unknown rate(s); these links get the fabric's most frequent rate");
  warn(unknown_lids_,
       fmt::format("invalid LID(s); expected a number from 1 to {}", last_unicast_lid));
  warn(unused_lids_, "LID(s) of hosts, which have no meaning without routes; left out");
  warn(unknown_hosts_, "destination(s) that are not hosts of the graph");
  warn(to_switches_, "destination(s) that are switches, which have no LIDs in a graph");
  warn(no_wildcard_,
       "list(s) with a '*' and names; '*' means all hosts only if the list has no names");
  warn(twice_, "destination(s) at two edges of a node; the first edge is used");
  warn(partial_,
       "host(s) whose edge lists neither '*' nor all other hosts; treated as if it listed all "
       "hosts");
  return std::move(result_);
}

}  // namespace

void DotEdgeNotes::add_of_switch(Guid switch_guid, PortNumber port, Notes notes) {
  of_switches_.insert_or_assign({switch_guid, port}, std::move(notes));
}

void DotEdgeNotes::add_of_end_port(Guid port_guid, Notes notes) {
  of_end_ports_.insert_or_assign(port_guid, std::move(notes));
}

void DotEdgeNotes::append(const Fabric& fabric, DotEdge edge,
                          std::vector<DotAttribute>& attributes) const {
  const std::vector<DotAttribute>* notes = nullptr;
  const auto of_switch = [&](SwitchId s, PortNumber port) {
    const auto found = of_switches_.find({fabric.switch_at(s).guid, port});
    if (found != of_switches_.end()) notes = found->second.get();
  };
  if (edge.kind == DotEdge::Kind::channel) {
    of_switch(SwitchId(fabric.channel_tail()[edge.index]), fabric.channel_out_port()[edge.index]);
  } else {
    const EndPort& port = fabric.end_port(EndPortId(edge.index));
    if (edge.kind == DotEdge::Kind::to_end_port) {
      of_switch(port.attached, port.switch_port);
    } else if (const auto found = of_end_ports_.find(port.port_guid);
               found != of_end_ports_.end()) {
      notes = found->second.get();
    }
  }
  if (notes != nullptr) attributes.insert(attributes.end(), notes->begin(), notes->end());
}

DotFile parse_dot(std::string_view text, std::string_view name) {
  return DotReader(text, name).run();
}

}  // namespace pssp
