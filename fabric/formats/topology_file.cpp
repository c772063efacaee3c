// The topology is read in two passes. The first (topology_scan.h) collects the lines. The second,
// here, finds the node at the other end of each port line and compares both ends. One end suffices
// for a cable, unless the other end contradicts it; LIDs and port GUIDs can also come from both
// ends. Finally, the builder gets nodes, GUIDs, LIDs and cables; its errors are reported with the
// line.

#include "fabric/formats/topology_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/adapter_kind.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/topology_scan.h"

namespace pssp {
namespace {

/// Rate of a link whose ends enable these widths and speeds, as computed by ibsim. None if they
/// have no rate in common.
std::optional<LinkRate> common_rate(const EnabledRates& a, const EnabledRates& b) {
  struct Name {
    unsigned bit;
    std::string_view text;
  };
  constexpr std::array<Name, 5> widths{{{8, "12x"}, {4, "8x"}, {2, "4x"}, {16, "2x"}, {1, "1x"}}};
  constexpr std::array<Name, 4> extended{{{8, "NDR"}, {4, "HDR"}, {2, "EDR"}, {1, "FDR"}}};
  constexpr std::array<Name, 3> speeds{{{4, "QDR"}, {2, "DDR"}, {1, "SDR"}}};
  const auto best = [](const auto& names, unsigned mask) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [mask](const Name& n) { return (n.bit & mask) != 0; });
    return found == names.end() ? std::string_view() : found->text;
  };
  const std::string_view width = best(widths, a.widths & b.widths);
  std::string_view speed = best(extended, a.extended_speeds & b.extended_speeds);
  if (speed.empty()) speed = best(speeds, a.speeds & b.speeds);
  if (width.empty() || speed.empty()) return std::nullopt;
  return parse_link_rate(fmt::format("{}{}", width, speed));
}

class Linker {
 public:
  Linker(TopologyScan& scan, std::string_view name) : scan_(scan), name_(name) {}

  TopologyFile run();

 private:
  using Port = ScannedPort;

  PortLocation find_target(const Port& port) const;
  std::size_t slot_index(PortLocation at) const {
    return scan_.nodes[at.node].first_slot + at.port;
  }
  bool is_switch(std::uint32_t node) const {
    return scan_.nodes[node].said.keyword == NodeKeyword::switch_node;
  }
  std::string place_name(PortLocation at) const {
    return fmt::format("'{}'[{}]", scan_.nodes[at.node].id, at.port);
  }

  void add_nodes();
  void state_guid(PortLocation at, Guid guid, std::size_t line);
  void state_lid(PortLocation at, unsigned lid, std::size_t line);
  void take_statements(const Port& port, PortLocation here, PortLocation there);
  void link(std::uint32_t index);
  void refuse_lone_node() const;
  void check_that_it_is_whole() const;
  LinkRate rate_of(const Port& port, PortLocation there);
  LinkRate known_rate_of(const Port& port, const Port* far, PortLocation there);
  void give_guids_and_lids();
  void warn(const Cases& cases, std::string_view what);

  TopologyScan& scan_;
  std::string_view name_;
  TopologyFile result_;
  std::vector<PortLocation> targets_;                            // by port line: the far end
  std::unordered_map<std::string_view, std::size_t> undefined_;  // identifier -> first line
  Cases undefined_nodes_, half_stated_, unequal_rates_;
  Cases unknown_rates_, replaced_rates_;  // without and with another source of the rate
};

/// Runs an action of the builder, and adds the responsible line to its errors.
void Linker::add_nodes() {
  for (const ScannedNode& node : scan_.nodes) {
    const std::string_view description = node.said.description.value_or(node.id);
    at_line(name_, node.line, [&] {
      if (node.said.keyword == NodeKeyword::switch_node) {
        result_.builder.add_switch(node.guid, node.said.ports, std::string(node.id),
                                   std::string(description));
        return;
      }
      const EndPortKind kind = node.said.keyword == NodeKeyword::router ? EndPortKind::router
                                                                        : adapter_kind(description);
      result_.builder.add_adapter(node.guid, node.said.ports, kind, std::string(node.id),
                                  std::string(description));
    });
  }
}

PortLocation Linker::find_target(const Port& port) const {
  if (const auto node = scan_.node_by_id.find(port.remote_id); node != scan_.node_by_id.end()) {
    return {node->second, port.said.remote_port};
  }
  const auto alias = scan_.port_by_alias.find(port.remote_id);
  return alias == scan_.port_by_alias.end() ? PortLocation{} : alias->second;
}

void Linker::state_guid(PortLocation at, Guid guid, std::size_t line) {
  if (guid == 0 || is_switch(at.node)) return;
  Slot& slot = scan_.slots[slot_index(at)];
  if (slot.guid != 0 && slot.guid != guid) {
    fail_at(name_, line,
            fmt::format("port GUID of {} is 0x{:x} here and 0x{:x} at line {}", place_name(at),
                        guid, slot.guid, slot.guid_line));
  }
  if (slot.guid == 0) slot.guid_line = line;
  slot.guid = guid;
}

void Linker::state_lid(PortLocation at, unsigned lid, std::size_t line) {
  if (lid == no_lid) return;
  if (is_switch(at.node)) at.port = management_port;
  Slot& slot = scan_.slots[slot_index(at)];
  if (slot.lid != no_lid && slot.lid != lid) {
    fail_at(name_, line,
            fmt::format("LID of {} '{}' is {} here and {} at line {}",
                        is_switch(at.node) ? "switch" : "adapter", scan_.nodes[at.node].id, lid,
                        slot.lid, slot.lid_line));
  }
  if (slot.lid == no_lid) slot.lid_line = line;
  slot.lid = lid;
}

void Linker::take_statements(const Port& port, PortLocation here, PortLocation there) {
  state_guid(here, port.said.guid, port.line);
  if (!is_switch(here.node)) {
    state_lid(here, port.said.lid, port.line);
    if (port.said.lid != no_lid) scan_.slots[slot_index(here)].lmc = port.said.lmc;
  }
  if (there.node == nobody) return;
  state_guid(there, port.said.remote_guid, port.line);
  state_lid(there, port.said.remote_lid, port.line);
}

/// The rate of a link; adds a case for the warning if an end has an unknown rate.
LinkRate Linker::rate_of(const Port& port, PortLocation there) {
  const Slot& far_slot = scan_.slots[slot_index(there)];
  const Port* const far = far_slot.stated_by == nobody ? nullptr : &scan_.ports[far_slot.stated_by];
  const LinkRate rate = known_rate_of(port, far, there);
  const bool near_is_unknown = !port.said.unknown_rate.empty();
  if (!near_is_unknown && (far == nullptr || far->said.unknown_rate.empty())) return rate;
  const Port& unknown = near_is_unknown ? port : *far;
  const std::string text =
      fmt::format("'{}' (line {}", excerpt(unknown.said.unknown_rate), unknown.line);
  if (rate.stated()) {
    replaced_rates_.add(fmt::format("{}: {})", text, to_string(rate)));
  } else {
    unknown_rates_.add(text + ")");
  }
  return rate;
}

/// The slower rate of both ends, the only known one, or the best that the masks of both (w=, s=,
/// e=) enable.
LinkRate Linker::known_rate_of(const Port& port, const Port* far, PortLocation there) {
  const LinkRate near_rate = port.said.rate;
  const LinkRate far_rate = far == nullptr ? LinkRate{} : far->said.rate;
  if (near_rate.stated() && far_rate.stated()) {
    if (near_rate == far_rate) return near_rate;
    unequal_rates_.add(
        fmt::format("{} (lines {} and {})", to_string(near_rate), port.line, far->line));
    return near_rate.capacity() < far_rate.capacity() ? near_rate : far_rate;
  }
  if (near_rate.stated()) return near_rate;
  if (far_rate.stated()) return far_rate;
  const EnabledRates& far_enabled =
      far == nullptr ? scan_.nodes[there.node].enabled : far->said.enabled;
  if (!port.said.enabled.stated && !far_enabled.stated) return {};
  const std::optional<LinkRate> rate = common_rate(port.said.enabled, far_enabled);
  if (!rate) {
    fail_at(name_, port.line,
            fmt::format("this port and {} enable no common width and speed (w=, s=, e=)",
                        place_name(there)));
  }
  return *rate;
}

void Linker::link(std::uint32_t index) {
  const Port& port = scan_.ports[index];
  const PortLocation here{port.node, port.said.port};
  const PortLocation there = targets_[index];
  if (there.node != nobody && (there.port < 1 || there.port > scan_.nodes[there.node].said.ports)) {
    const ScannedNode& far = scan_.nodes[there.node];
    fail_at(name_, port.line,
            fmt::format("{} does not exist: the node has ports 1 to {} (line {})",
                        place_name(there), far.said.ports, far.line));
  }
  take_statements(port, here, there);
  if (there.node == nobody) {
    if (undefined_.try_emplace(port.remote_id, port.line).second) {
      undefined_nodes_.add(fmt::format("'{}' (line {})", excerpt(port.remote_id), port.line));
    }
    return;
  }
  Slot& far = scan_.slots[slot_index(there)];
  const std::uint32_t other = far.stated_by != nobody ? far.stated_by : far.claimed_by;
  if (other != nobody && other != index) {
    const Port& other_port = scan_.ports[other];
    const bool agrees = far.stated_by != nobody && targets_[other] == here;
    if (!agrees) {
      fail_at(name_, port.line,
              fmt::format("'{}'[{}] is cabled to {} here, but line {} cables '{}'[{}] to '{}'[{}]",
                          scan_.nodes[port.node].id, port.said.port, place_name(there),
                          other_port.line, scan_.nodes[other_port.node].id, other_port.said.port,
                          other_port.remote_id, other_port.said.remote_port));
    }
    if (other < index) return;  // this cable is already connected
  }
  if (far.stated_by == nobody) {
    far.claimed_by = index;
    const bool by_alias = port.remote_id.find('@') != std::string_view::npos;
    if (!by_alias) {
      half_stated_.add(fmt::format("'{}'[{}] to {} (line {})", scan_.nodes[port.node].id,
                                   port.said.port, place_name(there), port.line));
    }
  }
  const LinkRate rate = rate_of(port, there);
  at_line(name_, port.line, [&] {
    result_.builder.connect(NodeId(here.node), static_cast<PortNumber>(here.port),
                            NodeId(there.node), static_cast<PortNumber>(there.port), rate);
  });
}

/// If the node that ibnetdiscover runs on has no link, the output contains only that node.
void Linker::refuse_lone_node() const {
  if (scan_.nodes.size() != 1 || !scan_.ports.empty()) return;
  const ScannedNode& node = scan_.nodes.front();
  if (is_switch(0) && scan_.initiator != node.guid) return;  // a net file of one switch
  std::string_view name = trimmed(node.said.description.value_or(node.id));
  if (name.empty()) name = node.id;
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: ibnetdiscover saw only the node it ran on (\"{}\"); {}. Run it on a "
                          "connected node",
                          name_, excerpt(name),
                          node.said.ports == 1
                              ? std::string("its port has no link")
                              : fmt::format("none of its {} ports has a link", node.said.ports)));
}

/// Truncated files are not fabrics with dead nodes.
void Linker::check_that_it_is_whole() const {
  if (undefined_.empty()) return;
  const auto mentioned_initiator =
      std::find_if(undefined_.begin(), undefined_.end(), [this](const auto& node) {
        return scan_.initiator != 0 && guid_in_id(node.first) == scan_.initiator;
      });
  std::string clue;
  if (mentioned_initiator != undefined_.end()) {
    clue = "the node on which ibnetdiscover ran is not among those defined";
  } else if (!scan_.ends_with_line_feed) {
    clue = "it ends in the middle of a line";
  } else if (undefined_.size() > scan_.nodes.size()) {
    clue = fmt::format("it defines only {}", scan_.nodes.size());
  } else {
    return;
  }
  throw Error(
      ErrorKind::unreadable_input,
      fmt::format(
          "{}: the file is cut off: {} nodes are mentioned but never defined, e.g. {}, and {}; "
          "copy the whole output of ibnetdiscover",
          name_, undefined_.size(), undefined_nodes_.examples(), clue));
}

void Linker::give_guids_and_lids() {
  std::unordered_map<Guid, std::size_t> line_of_guid;
  for (std::uint32_t n = 0; n < scan_.nodes.size(); ++n) {
    const ScannedNode& node = scan_.nodes[n];
    for (unsigned p = 0; p <= node.said.ports; ++p) {
      const Slot& slot = scan_.slots[slot_index({n, p})];
      const auto port = static_cast<PortNumber>(p);
      if (slot.guid != 0) {
        const auto [other, is_new] = line_of_guid.try_emplace(slot.guid, slot.guid_line);
        if (!is_new) {
          fail_at(name_, slot.guid_line,
                  fmt::format("port GUID 0x{:x} of {} belongs to another port at line {}",
                              slot.guid, place_name({n, p}), other->second));
        }
        result_.builder.set_port_guid(NodeId(n), port, slot.guid);
      }
      if (slot.lid == no_lid) continue;
      at_line(name_, slot.lid_line,
              [&] { result_.builder.set_lid(NodeId(n), port, slot.lid, slot.lmc); });
    }
  }
}

void Linker::warn(const Cases& cases, std::string_view what) {
  if (cases.count() == 0) return;
  result_.warnings.push_back(
      fmt::format("{}: {} {}: {}", name_, cases.count(), what, cases.examples()));
}

TopologyFile Linker::run() {
  refuse_lone_node();
  add_nodes();
  for (std::uint32_t n = 0; n < scan_.nodes.size(); ++n) {
    const ScannedNode& node = scan_.nodes[n];
    if (!is_switch(n)) continue;
    state_lid({n, management_port}, node.said.lid, node.line);
    scan_.slots[node.first_slot].lmc = node.said.lmc;
  }
  targets_.reserve(scan_.ports.size());
  for (const Port& port : scan_.ports) targets_.push_back(find_target(port));
  for (std::uint32_t index = 0; index < scan_.ports.size(); ++index) link(index);
  check_that_it_is_whole();
  give_guids_and_lids();
  warn(undefined_nodes_, "node(s) mentioned but never defined; links to them are left out");
  warn(half_stated_, "link(s) stated by one end only; treated as up");
  warn(unequal_rates_, "link(s) whose ends state different rates; the slower rate is used");
  warn(unknown_rates_, "unknown rate(s); these links get the fabric's most frequent rate");
  warn(replaced_rates_,
       "unknown rate(s); these links get the rate of their other end or of the masks w=, s=, e=");
  warn(scan_.guids_from_ids, "node(s) without a GUID line; GUID taken from the identifier");
  warn(scan_.ignored_commands, "command(s) to the ibsim console not carried out");
  result_.has_made_up_guids = scan_.has_made_up_guids;
  return std::move(result_);
}

}  // namespace

TopologyFile parse_topology(std::string_view text, std::string_view name) {
  TopologyScan scan = scan_topology(text, name);
  return Linker(scan, name).run();
}

TopologyFile read_topology(const std::filesystem::path& path) {
  return parse_topology(read_file(path), path.string());
}

}  // namespace pssp
