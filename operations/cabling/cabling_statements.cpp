// Planned nodes that the fabric lacks get numbers after those of the fabric, so that both sides are
// pairs of the same ports. Cables of nodes that only one side has are reported with these nodes;
// the others are compared port by port (cable_moves.h), and each path and cycle becomes one
// statement. Names are those of the plan, which people have chosen.

#include "operations/cabling/cabling_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "fabric/nodes/node_description.h"
#include "operations/cabling/cable_moves.h"

namespace pssp {
namespace {

/// Lists contain the nominal speeds of data sheets.
constexpr double speed_tolerance = 0.9;

class CablingComparer {
 public:
  CablingComparer(const Cabling& plan, const Cabling& fabric) : plan_(plan), fabric_(fabric) {}

  CablingComparison run();

 private:
  using Port = Cabling::Port;
  using Cable = Cabling::Cable;

  // Numbering for both sides.
  bool is_missing(std::uint32_t node) const { return node >= fabric_.nodes.size(); }
  bool is_unknown(std::uint32_t node) const {
    return !is_missing(node) && result_.matching.plan_of[node] == no_index;
  }
  /// The nodes of a cable; one for a cable within a switch.
  static std::set<std::uint32_t> ends_of(const Cable& cable) {
    return {cable.a.node, cable.b.node};
  }
  std::uint32_t common(std::uint32_t plan_node) const {
    const std::uint32_t found = result_.matching.fabric_of[plan_node];
    return found != no_index ? found : static_cast<std::uint32_t>(fabric_.nodes.size()) + plan_node;
  }
  const Cabling::Node& node(std::uint32_t n) const;
  bool is_adapter(std::uint32_t n) const { return node(n).kind != Cabling::NodeKind::switch_chip; }
  std::string label(Port port) const;
  Port port_at(std::uint32_t index) const { return ports_[index]; }
  std::uint32_t index_of(Port port);
  std::pair<std::uint32_t, std::uint32_t> indices_of(const Cable& cable);

  void require_something_in_common() const;
  void choose_fabric_cables();
  void translate_plan();
  PortNumber resolved(Port end, Port far) const;
  void sort_out();
  void compare_rates();
  void add_walk(const AlternatingWalk& walk);
  bool prefers_odd_side(const AlternatingWalk& walk) const;
  unsigned side_value(const AlternatingWalk& walk, bool odd) const;
  bool is_of_rails(const AlternatingWalk& walk, bool odd) const;
  std::string walk_text(const AlternatingWalk& walk, const std::vector<PlugMove>& moves) const;
  void add_renamed();
  void add_nodes(const std::map<std::uint32_t, std::vector<Cable>>& nodes, CablingFault fault);
  std::string node_text(std::uint32_t n, const std::vector<Cable>& cables, CablingFault fault,
                        std::size_t behind) const;
  void add(CablingStatement statement, const std::vector<Port>& ports);

  const Cabling& plan_;
  const Cabling& fabric_;
  CablingComparison result_;
  std::vector<Cable> planned_, real_;                              // with common nodes
  std::vector<std::vector<std::pair<PortNumber, Port>>> of_node_;  // real ports and far ends
  std::vector<unsigned> most_cables_;  // of a node, in the plan or the fabric
  std::map<std::uint32_t, std::vector<Cable>> of_missing_, of_unknown_;
  std::set<Port> planned_ports_;
  std::map<Port, std::uint32_t> port_index_;
  std::vector<Port> ports_;
  PortPairs planned_pairs_, real_pairs_;
};

const Cabling::Node& CablingComparer::node(std::uint32_t n) const {
  if (is_missing(n)) return plan_.nodes[n - fabric_.nodes.size()];
  const std::uint32_t planned = result_.matching.plan_of[n];
  // A list does not always specify the kind of a node.
  const bool is_configured =
      planned != no_index && plan_.nodes[planned].kind != Cabling::NodeKind::unknown;
  return is_configured ? plan_.nodes[planned] : fabric_.nodes[n];
}

std::string CablingComparer::label(Port port) const {
  const std::string& name = node(port.node).name;
  if (is_adapter(port.node) && most_cables_[port.node] < 2) return name;
  return port_label(name, port.number);
}

void CablingComparer::add(CablingStatement statement, const std::vector<Port>& ports) {
  for (const Port port : ports) {
    statement.ports.push_back(label(port));
    if (is_missing(port.node)) continue;
    statement.positions.push_back({fabric_.nodes[port.node].guid, port.number});
  }
  result_.statements.push_back(std::move(statement));
}

std::uint32_t CablingComparer::index_of(Port port) {
  const auto [found, is_new] = port_index_.emplace(port, static_cast<std::uint32_t>(ports_.size()));
  if (is_new) ports_.push_back(port);
  return found->second;
}

std::pair<std::uint32_t, std::uint32_t> CablingComparer::indices_of(const Cable& cable) {
  // Two statements, because the first call numbers new ports, and the order of evaluation of two
  // arguments is unspecified.
  const std::uint32_t a = index_of(cable.a);
  return {a, index_of(cable.b)};
}

void CablingComparer::require_something_in_common() const {
  if (plan_.nodes.empty() || result_.matched_nodes != 0) return;
  throw Error(
      ErrorKind::mismatch,
      fmt::format(
          "none of the {} nodes of the plan matches any of the {} nodes of the fabric by GUID or "
          "name (for example '{}' in the plan and '{}' in the fabric): check that this is the plan "
          "of the fabric, or assign the names in the plan to the nodes with a node name map",
          plan_.nodes.size(), fabric_.nodes.size(), plan_.nodes.front().name,
          fabric_.nodes.empty() ? "nothing" : fabric_.nodes.front().name));
}

void CablingComparer::choose_fabric_cables() {
  const bool has_adapters =
      !plan_.is_list || std::ranges::any_of(plan_.nodes, [](const Cabling::Node& n) {
        return n.kind != Cabling::NodeKind::switch_chip;
      });
  std::size_t left_out = 0;
  for (const Cable& cable : fabric_.cables) {
    const Cabling::Node& a = fabric_.nodes[cable.a.node];
    const Cabling::Node& b = fabric_.nodes[cable.b.node];
    if (plan_.is_list && !a.system.empty() && a.system == b.system) continue;
    const bool is_host =
        a.kind == Cabling::NodeKind::adapter || b.kind == Cabling::NodeKind::adapter;
    if (is_host && !has_adapters) {
      ++left_out;
    } else {
      real_.push_back(cable);
    }
  }
  if (left_out == 0) return;
  result_.warnings.push_back(
      fmt::format("the cabling list contains no hosts, so {} cables of hosts are not compared; add "
                  "the list of hosts with --plan",
                  left_out));
}

/// The port of an adapter if the list does not specify it.
PortNumber CablingComparer::resolved(Port end, Port far) const {
  if (end.number != 0) return end.number;
  if (is_missing(end.node) || of_node_[end.node].empty()) return 1;
  PortNumber lowest = no_port;
  for (const auto& [number, there] : of_node_[end.node]) {
    if (there == far) return number;
    lowest = std::min(lowest, number);
  }
  return lowest;
}

void CablingComparer::translate_plan() {
  of_node_.resize(fabric_.nodes.size());
  for (const Cable& cable : real_) {
    of_node_[cable.a.node].emplace_back(cable.a.number, cable.b);
    of_node_[cable.b.node].emplace_back(cable.b.number, cable.a);
  }
  for (const Cable& cable : plan_.cables) {
    Cable moved = cable;
    moved.a.node = common(cable.a.node);
    moved.b.node = common(cable.b.node);
    moved.a.number = resolved(moved.a, moved.b);
    moved.b.number = resolved(moved.b, moved.a);
    planned_.push_back(moved);
  }
  most_cables_.assign(fabric_.nodes.size() + plan_.nodes.size(), 0);
  for (const std::vector<Cable>* side : {&planned_, &real_}) {
    std::vector<unsigned> count(most_cables_.size(), 0);
    for (const Cable& cable : *side) {
      ++count[cable.a.node];
      ++count[cable.b.node];
    }
    for (std::size_t n = 0; n < count.size(); ++n) {
      most_cables_[n] = std::max(most_cables_[n], count[n]);
    }
  }
}

void CablingComparer::sort_out() {
  for (const Cable& cable : planned_) {
    planned_ports_.insert(cable.a);
    planned_ports_.insert(cable.b);
    bool is_whole = true;
    for (const std::uint32_t n : ends_of(cable)) {
      if (!is_missing(n)) continue;
      of_missing_[n].push_back(cable);
      is_whole = false;
    }
    if (is_whole) planned_pairs_.push_back(indices_of(cable));
  }
  for (const Cable& cable : real_) {
    bool is_whole = true;
    for (const std::uint32_t n : ends_of(cable)) {
      if (!is_unknown(n)) continue;
      of_unknown_[n].push_back(cable);
      is_whole = false;
    }
    if (is_whole) real_pairs_.push_back(indices_of(cable));
  }
  result_.planned_cables = planned_.size();
  result_.found_cables = real_.size();
}

void CablingComparer::compare_rates() {
  std::map<std::pair<Port, Port>, const Cable*> by_ports;
  const auto key = [](const Cable& cable) { return std::minmax(cable.a, cable.b); };
  for (const Cable& cable : planned_) by_ports[key(cable)] = &cable;
  for (const Cable& cable : real_) {
    const auto found = by_ports.find(key(cable));
    if (found == by_ports.end()) continue;
    ++result_.cables_in_place;
    const Cable& planned = *found->second;
    if (cable.megabits == 0 || cable.megabits >= speed_tolerance * planned.megabits) continue;
    const bool has_notation = !cable.rate.empty() && !planned.rate.empty();
    const auto speed = [has_notation](const Cable& c) {
      return has_notation ? c.rate : fmt::format("{} Mbit/s", c.megabits);
    };
    add({CablingFault::slower,
         fmt::format("{} - {} runs at {}, planned {}", label(cable.a), label(cable.b), speed(cable),
                     speed(planned)),
         {},
         {},
         false,
         1},
        {cable.a, cable.b});
  }
}

/// How similar the ports on one side of a cycle are, for the person at the switch.
unsigned CablingComparer::side_value(const AlternatingWalk& walk, bool odd) const {
  bool one_node = true, all_switches = true;
  const Port first = port_at(walk.ports[odd ? 1 : 0]);
  for (std::size_t i = odd ? 1 : 0; i < walk.ports.size(); i += 2) {
    const Port port = port_at(walk.ports[i]);
    one_node = one_node && port.node == first.node;
    all_switches = all_switches && !is_adapter(port.node);
  }
  if (one_node && all_switches) return 3;
  if (is_of_rails(walk, odd)) return 2;
  return all_switches ? 1 : 0;
}

bool CablingComparer::is_of_rails(const AlternatingWalk& walk, bool odd) const {
  if (walk.ports.size() != 4) return false;
  const std::uint32_t a = port_at(walk.ports[odd ? 1 : 0]).node;
  const std::uint32_t b = port_at(walk.ports[odd ? 3 : 2]).node;
  if (a == b || !is_adapter(a) || !is_adapter(b)) return false;
  const auto first = node_and_adapter(node(a).name), other = node_and_adapter(node(b).name);
  const bool same_switch =
      port_at(walk.ports[odd ? 0 : 1]).node == port_at(walk.ports[odd ? 2 : 3]).node;
  return first && other && first->node == other->node && !same_switch;
}

bool CablingComparer::prefers_odd_side(const AlternatingWalk& walk) const {
  return side_value(walk, true) > side_value(walk, false);
}

std::string CablingComparer::walk_text(const AlternatingWalk& walk,
                                       const std::vector<PlugMove>& moves) const {
  const auto at = [&](std::uint32_t index) { return label(port_at(index)); };
  if (walk.is_cycle && moves.size() == 1) {
    return fmt::format("{} and {}: exchange the two cables there", at(moves[0].from),
                       at(moves[0].to));
  }
  if (!walk.is_cycle && walk.ports.size() == 2) {
    return fmt::format("{} - {}{}", at(walk.ports[0]), at(walk.ports[1]),
                       walk.begins_planned ? "" : ": this cable is not in the plan");
  }
  if (!walk.is_cycle && walk.ports.size() == 3) {
    const Port is = port_at(walk.ports[2]), planned = port_at(walk.ports[0]);
    return fmt::format(
        "{} is at {}, planned {}", at(walk.ports[1]), label(is),
        is.node == planned.node ? fmt::format("port {}", planned.number) : label(planned));
  }
  std::string text = walk.is_cycle ? fmt::format("{} cables are permuted: ", walk.ports.size() / 2)
                                   : std::string();
  const char* separator = "";
  for (const PlugMove& move : moves) {
    text += separator;
    separator = ", then ";
    switch (move.kind) {
      case PlugMove::Kind::exchange:
        text += fmt::format("exchange the cables at {} and {}", at(move.from), at(move.to));
        break;
      case PlugMove::Kind::replug:
        text += fmt::format("move the plug at {} to {}", at(move.from), at(move.to));
        break;
      case PlugMove::Kind::connect:
        text += fmt::format("add the cable {} - {}", at(move.from), at(move.to));
        break;
      case PlugMove::Kind::remove:
        text += fmt::format("remove the cable {} - {}", at(move.from), at(move.to));
        break;
    }
  }
  return text;
}

void CablingComparer::add_walk(const AlternatingWalk& walk) {
  CablingStatement statement;
  if (walk.is_cycle) {
    statement.fault = CablingFault::swapped;
  } else if (walk.planned() == walk.real()) {
    statement.fault = CablingFault::moved;
  } else {
    statement.fault = walk.planned() > walk.real() ? CablingFault::missing : CablingFault::extra;
  }
  const bool odd = walk.is_cycle && prefers_odd_side(walk);
  const std::vector<PlugMove> moves = moves_of(walk, odd);
  statement.text = walk_text(walk, moves);
  for (const PlugMove& move : moves) {
    statement.moves.push_back({static_cast<CablingMove::Kind>(move.kind), label(port_at(move.from)),
                               label(port_at(move.to))});
  }
  std::vector<Port> ports;
  for (const std::uint32_t port : walk.ports) ports.push_back(port_at(port));
  statement.of_rails = walk.is_cycle && is_of_rails(walk, odd);
  statement.count = std::max(walk.planned(), walk.real());
  add(std::move(statement), ports);
}

std::string CablingComparer::node_text(std::uint32_t n, const std::vector<Cable>& cables,
                                       CablingFault fault, std::size_t behind) const {
  const Cable& first = cables.front();
  const Port far = first.a.node == n ? first.b : first.a;
  const bool is_gone = fault == CablingFault::missing_node;
  if (cables.size() == 1 && is_adapter(n)) {
    return fmt::format("{}, {} {}", node(n).name, is_gone ? "planned at" : "at", label(far));
  }
  std::string text =
      fmt::format("{}, with {} cables (e.g. to {})", node(n).name, cables.size(), label(far));
  if (behind != 0) text += fmt::format(" and {} adapters that are connected nowhere else", behind);
  return text;
}

/// Adapters at a missing or unknown switch are reported with the switch.
void CablingComparer::add_nodes(const std::map<std::uint32_t, std::vector<Cable>>& nodes,
                                CablingFault fault) {
  std::map<std::uint32_t, std::size_t> behind;
  std::set<std::uint32_t> said;
  for (const auto& [n, cables] : nodes) {
    if (!is_adapter(n)) continue;
    const auto far = [&, self = n](const Cable& c) {
      return c.a.node == self ? c.b.node : c.a.node;
    };
    const bool is_behind = std::ranges::all_of(
        cables, [&](const Cable& c) { return nodes.contains(far(c)) && !is_adapter(far(c)); });
    if (!is_behind) continue;
    ++behind[far(cables.front())];
    said.insert(n);
  }
  std::vector<std::uint32_t> factory;
  for (const auto& [n, cables] : nodes) {
    if (said.contains(n)) continue;
    const Port far = cables.front().a.node == n ? cables.front().b : cables.front().a;
    if (fault == CablingFault::unknown_node && node(n).has_factory_name &&
        !planned_ports_.contains(far)) {
      factory.push_back(n);
      continue;
    }
    add({fault, node_text(n, cables, fault, behind[n]), {}, {}, false, 1 + behind[n]}, {far});
  }
  if (factory.empty()) return;
  const Cable& first = nodes.at(factory.front()).front();
  const Port far = first.a.node == factory.front() ? first.b : first.a;
  add({fault,
       fmt::format("{} adapters with factory names at ports that the plan leaves free (e.g. {})",
                   factory.size(), label(far)),
       {},
       {},
       false,
       factory.size()},
      {far});
}

void CablingComparer::add_renamed() {
  std::size_t factory = 0;
  Port example;
  for (const Cable& cable : plan_.cables) {
    for (const auto& [end, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      if (result_.matching.how[end.node] != MatchedBy::cable) continue;
      const Cabling::Node& planned = plan_.nodes[end.node];
      const Cabling::Node& found = fabric_.nodes[result_.matching.fabric_of[end.node]];
      if (planned.identity.empty()) continue;
      const Port at{common(far.node), far.number};
      if (found.has_factory_name) {
        if (factory++ == 0) example = at;
      } else if (!found.identity.empty()) {
        add({CablingFault::renamed,
             fmt::format("{} has '{}', planned '{}'", label(at), found.name, planned.name),
             {},
             {},
             false,
             1},
            {at});
      }
    }
  }
  if (factory == 0) return;
  add({CablingFault::renamed,
       fmt::format("{} adapters at planned ports have factory names (e.g. {})", factory,
                   label(example)),
       {},
       {},
       false,
       factory},
      {example});
}

CablingComparison CablingComparer::run() {
  result_.matching = match_nodes(plan_, fabric_);
  result_.matched_nodes = static_cast<std::size_t>(std::ranges::count_if(
      result_.matching.how, [](MatchedBy how) { return how != MatchedBy::nothing; }));
  require_something_in_common();
  for (const Cabling* side : {&plan_, &fabric_}) {
    result_.warnings.insert(result_.warnings.end(), side->warnings.begin(), side->warnings.end());
  }
  if (result_.matching.guids_misled) {
    result_.warnings.emplace_back(
        "GUIDs of plan and fabric are not compared, since names explain more of the cables");
  }
  choose_fabric_cables();
  translate_plan();
  sort_out();
  compare_rates();
  const auto ports = static_cast<std::uint32_t>(ports_.size());
  for (const AlternatingWalk& walk : alternating_walks(ports, planned_pairs_, real_pairs_)) {
    add_walk(walk);
  }
  add_nodes(of_missing_, CablingFault::missing_node);
  add_nodes(of_unknown_, CablingFault::unknown_node);
  add_renamed();
  std::ranges::stable_sort(result_.statements, [](const auto& a, const auto& b) {
    if (a.fault != b.fault) return a.fault < b.fault;
    if (a.of_rails != b.of_rails) return a.of_rails;
    const int order = compare_with_numbers(a.text, b.text);
    return order != 0 ? order < 0 : a.text < b.text;
  });
  return std::move(result_);
}

}  // namespace

CablingComparison compare_cabling(const Cabling& plan, const Cabling& fabric) {
  return CablingComparer(plan, fabric).run();
}

}  // namespace pssp
