#include "fabric/formats/port_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/adapter_kind.h"

namespace pssp {
namespace {

/// Below the GUIDs of real nodes, whose upper 24 bits contain a company number.
constexpr Guid first_made_up_guid = 0x1000'0000;

}  // namespace

/// A switch, or one adapter with its ports.
struct PortStatements::Node {
  ReportedType type = ReportedType::unknown;
  Guid guid = 0;
  unsigned lid = no_lid;  // of a switch, or of the first port of an adapter
  std::size_t line = 0;   // first line about the node
  std::size_t heading = 0;
  std::string_view name;
  unsigned ports = 0;  // highest port number
  bool has_own_lines = false;
  std::map<unsigned, std::pair<Guid, unsigned>> adapter_ports = {};  // GUID and LID by number
  NodeId id = {};
};

class PortStatements::Builder {
 public:
  explicit Builder(PortStatements& statements) : statements_(statements) {}
  TopologyFile run();

 private:
  void find_switches();
  std::size_t node_of(const ReportedPort& port, const Line& line, bool is_own);
  std::optional<std::size_t> known_node(const ReportedPort& port) const;
  std::optional<std::size_t> adapter_with_port(const ReportedPort& port, const Line& line) const;
  void note_adapter_port(Node& node, const ReportedPort& port, const Line& line);
  void add_to_builder(Node& node);
  void add_warnings();
  void warn(const Cases& cases, std::string_view what);
  ReportedType type_of(const ReportedPort& port) const;
  [[noreturn]] void fail(std::size_t line, std::string_view message) const {
    if (statements_.unit_ == "line") fail_at(statements_.name_, line, message);
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: {} {}: {}", statements_.name_, statements_.unit_, line,
                            printable(message)));
  }

  PortStatements& statements_;
  TopologyFile result_;
  std::vector<Node> nodes_;
  std::unordered_map<Guid, std::size_t> by_guid_;  // of switches and adapter ports
  std::unordered_map<unsigned, std::size_t> by_lid_;
  std::unordered_map<Guid, unsigned> port_of_guid_;  // of ends without a type: 0: several ports
  Guid next_guid_ = first_made_up_guid;
};

void PortStatements::add_link(std::size_t line, const ReportedPort& near, const ReportedPort& far,
                              LinkRate rate, std::size_t heading) {
  lines_.push_back({line, heading, near, far, rate, true});
}

void PortStatements::add_free_port(std::size_t line, const ReportedPort& port,
                                   std::size_t heading) {
  lines_.push_back({line, heading, port, {}, {}, false});
}

TopologyFile PortStatements::build() { return Builder(*this).run(); }

/// iblinkinfo -l contains no types: a GUID with several ports belongs to a switch.
void PortStatements::Builder::find_switches() {
  const auto note = [this](const ReportedPort& port) {
    if (port.type != ReportedType::unknown || port.guid == 0) return;
    const auto [known, is_new] = port_of_guid_.try_emplace(port.guid, port.port);
    if (!is_new && known->second != port.port) known->second = 0;
  };
  for (const Line& line : statements_.lines_) {
    note(line.near);
    if (line.has_link) note(line.far);
  }
}

ReportedType PortStatements::Builder::type_of(const ReportedPort& port) const {
  if (port.type != ReportedType::unknown) return port.type;
  const auto known = port_of_guid_.find(port.guid);
  const bool has_several = known != port_of_guid_.end() && known->second == 0;
  return has_several ? ReportedType::switch_node : ReportedType::adapter;
}

std::optional<std::size_t> PortStatements::Builder::known_node(const ReportedPort& port) const {
  if (port.guid != 0) {
    const auto known = by_guid_.find(port.guid);
    if (known != by_guid_.end()) return known->second;
    return std::nullopt;
  }
  const auto known = by_lid_.find(port.lid);
  if (port.lid == no_lid || known == by_lid_.end()) return std::nullopt;
  return known->second;
}

/// The adapter with other ports below the same heading, or with the same name and consecutive
/// GUIDs.
std::optional<std::size_t> PortStatements::Builder::adapter_with_port(const ReportedPort& port,
                                                                      const Line& line) const {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    if (node.type == ReportedType::switch_node || node.adapter_ports.contains(port.port)) continue;
    if (line.heading != 0 && node.heading == line.heading) return n;
  }
  if (line.heading != 0 || port.guid == 0) return std::nullopt;
  // The ports of an adapter have consecutive GUIDs.
  for (unsigned other = 1; other <= 4; ++other) {
    if (other == port.port) continue;
    const auto known = by_guid_.find(port.guid - port.port + other);
    if (known == by_guid_.end()) continue;
    const Node& node = nodes_[known->second];
    const auto found = node.adapter_ports.find(other);
    if (found == node.adapter_ports.end() || node.adapter_ports.contains(port.port)) continue;
    if (found->second.first == known->first && node.name == port.name) return known->second;
  }
  return std::nullopt;
}

void PortStatements::Builder::note_adapter_port(Node& node, const ReportedPort& port,
                                                const Line& line) {
  const auto [known, is_new] =
      node.adapter_ports.try_emplace(port.port, std::pair(port.guid, port.lid));
  if (is_new) return;
  auto& [guid, lid] = known->second;
  if (guid == 0) guid = port.guid;
  if (lid == no_lid) lid = port.lid;
  if (port.lid != no_lid && port.lid != lid) {
    fail(line.number, fmt::format("port {} of '{}' has LID {} here and LID {} in another {}",
                                  port.port, excerpt(port.name), port.lid, lid, statements_.unit_));
  }
}

/// `is_own`: the line is about this port, not about the other end of its link.
std::size_t PortStatements::Builder::node_of(const ReportedPort& port, const Line& line,
                                             bool is_own) {
  if (port.port < 1 || port.port > max_port_number) {
    fail(line.number, fmt::format("port {} of '{}'; InfiniBand nodes have ports 1 to {}", port.port,
                                  excerpt(port.name), max_port_number));
  }
  const ReportedType type = type_of(port);
  std::optional<std::size_t> found = known_node(port);
  if (!found && type != ReportedType::switch_node) found = adapter_with_port(port, line);
  if (!found) {
    if (port.guid == 0 && port.lid == no_lid) {
      fail(line.number, fmt::format("'{}' has neither a GUID nor a LID; run iblinkinfo -l, which "
                                    "prints GUIDs, or run it while a subnet manager is active",
                                    excerpt(port.name)));
    }
    if (nodes_.size() > last_unicast_lid) {
      fail(line.number, fmt::format("more than {} nodes: an InfiniBand subnet has no LIDs for more",
                                    last_unicast_lid));
    }
    found = nodes_.size();
    nodes_.push_back({.type = type,
                      .guid = port.guid,
                      .lid = port.lid,
                      .line = line.number,
                      .heading = is_own ? line.heading : 0,
                      .name = port.name});
  }
  Node& node = nodes_[*found];
  if (port.type != ReportedType::unknown && node.type != port.type && node.has_own_lines) {
    fail(line.number, fmt::format("'{}' has another type than in {} {}", excerpt(port.name),
                                  statements_.unit_, node.line));
  }
  if (is_own && !std::exchange(node.has_own_lines, true) && !port.name.empty()) {
    node.name = port.name;
  }
  if (port.guid != 0) {
    if (node.guid == 0) node.guid = port.guid;
    by_guid_.try_emplace(port.guid, *found);
  }
  if (port.lid != no_lid) by_lid_.try_emplace(port.lid, *found);
  node.ports = std::max(node.ports, port.port);
  if (node.type == ReportedType::switch_node) {
    if (node.lid == no_lid) node.lid = port.lid;
    if (port.lid != no_lid && port.lid != node.lid) {
      fail(line.number,
           fmt::format("switch '{}' has LID {} here and LID {} in {} {}", excerpt(port.name),
                       port.lid, node.lid, statements_.unit_, node.line));
    }
  } else {
    note_adapter_port(node, port, line);
  }
  return *found;
}

void PortStatements::Builder::add_to_builder(Node& node) {
  if (node.guid == 0) {
    node.guid = next_guid_++;
    result_.has_made_up_guids = true;
  }
  const std::string description(trimmed(node.name));
  try {
    FabricBuilder& builder = result_.builder;
    if (node.type == ReportedType::switch_node) {
      node.id = builder.add_switch(node.guid, node.ports, fmt::format("S-{:016x}", node.guid),
                                   description);
      if (node.lid != no_lid) builder.set_lid(node.id, management_port, node.lid, 0);
      return;
    }
    const bool is_router = node.type == ReportedType::router;
    node.id = builder.add_adapter(
        node.guid, node.ports, is_router ? EndPortKind::router : adapter_kind(description),
        fmt::format("{}-{:016x}", is_router ? 'R' : 'H', node.guid), description);
    for (const auto& [number, of_port] : node.adapter_ports) {
      const auto port = static_cast<PortNumber>(number);
      if (of_port.first != 0) builder.set_port_guid(node.id, port, of_port.first);
      if (of_port.second != no_lid) builder.set_lid(node.id, port, of_port.second, 0);
    }
  } catch (const Error& error) {
    fail(node.line, error.what());
  }
}

void PortStatements::Builder::warn(const Cases& cases, std::string_view what) {
  if (cases.count() == 0) return;
  result_.warnings.push_back(
      fmt::format("{}: {} {}: {}", statements_.name_, cases.count(), what, cases.examples()));
}

void PortStatements::Builder::add_warnings() {
  Cases only_other_end, without_guid;
  for (const Node& node : nodes_) {
    if (node.guid >= first_made_up_guid && node.guid < next_guid_) {
      without_guid.add(std::string(trimmed(node.name)));
    }
    if (node.has_own_lines || node.type != ReportedType::switch_node) continue;
    only_other_end.add(fmt::format("'{}' (LID {})", trimmed(node.name), node.lid));
  }
  warn(only_other_end,
       "switch(es) appear only at the other end of links, so their other ports are not listed");
  warn(without_guid, "node(s) have no GUID in this report; invented GUIDs are used");
  warn(statements_.slow_links_, "link(s) run below what both ends support");
  warn(statements_.unknown_rates_,
       "unknown rate(s); these links get the fabric's most frequent rate");
}

TopologyFile PortStatements::Builder::run() {
  find_switches();
  const std::vector<Line>& lines = statements_.lines_;
  // Own lines have types and GUIDs, which the other ends of links lack in iblinkinfo's output.
  std::vector<std::size_t> near(lines.size()), far(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) near[i] = node_of(lines[i].near, lines[i], true);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].has_link) far[i] = node_of(lines[i].far, lines[i], false);
  }
  for (Node& node : nodes_) add_to_builder(node);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].has_link) continue;
    try {
      result_.builder.connect(nodes_[near[i]].id, static_cast<PortNumber>(lines[i].near.port),
                              nodes_[far[i]].id, static_cast<PortNumber>(lines[i].far.port),
                              lines[i].rate);
    } catch (const Error& error) {
      fail(lines[i].number, error.what());
    }
  }
  add_warnings();
  return std::move(result_);
}

}  // namespace pssp
