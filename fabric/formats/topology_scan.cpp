// Collects nodes and ports in file order in one pass, as views into the text: nothing is copied
// until the builder gets it. Every port of every node has a Slot, which collects the lines about
// that port.
//
// Missing GUIDs are assigned as in ibsim, because net files without GUIDs are written for ibsim,
// and must match tables that opensm computed on it.

#include "fabric/formats/topology_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {

Guid guid_in_id(std::string_view id) {
  constexpr std::size_t length = 18;
  if (id.size() != length || id[1] != '-') return 0;
  id.remove_prefix(2);
  const std::optional<std::uint64_t> guid = take_number(id, 16);
  return id.empty() ? guid.value_or(0) : 0;
}

namespace {

/// ibsim's limit of identifiers. The name is prepended to every identifier in the module, so
/// without a limit memory could grow with the square of the file's size.
constexpr std::size_t max_module_name = 64;

/// Whether any line specifies a GUID, ignoring descriptions.
bool states_guids(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (begins_guid_line(line) || without_indent(line).starts_with("sysimgguid=")) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

class TopologyScanner {
 public:
  TopologyScanner(std::string_view text, std::string_view name)
      : text_(text),
        name_(name),
        lines_(text, name, describe_content),
        file_states_guids_(states_guids(text)) {}

  TopologyScan run();

 private:
  void read_line();
  void read_comment();
  void add_uncabled_port(const UncabledPort& said);
  bool read_command();
  void add_node(const NodeLine& said);
  void add_port(const PortLine& said);
  void apply(const SettingLine& setting);
  Guid guid_of(const NodeLine& said, std::string_view id);
  std::string_view keep(std::string text) { return scan_.kept.emplace_back(std::move(text)); }

  struct GuidCounter {
    Guid absolute = 0, next = 0;
    bool stated = false;  // by a line for the next node
  };

  std::string_view text_, name_;
  TextLines lines_;
  bool file_states_guids_;
  TopologyScan scan_;
  std::string_view module_prefix_;
  EnabledRates enabled_;
  // By NodeKeyword. ibsim starts routers at 0, an invalid GUID: a router needs its rtguid line.
  std::array<GuidCounter, node_keywords> guids_{
      {{0x200000, 0x200000}, {0x100000, 0x100000}, {0, 0}}};
  bool in_node_ = false;
};

TopologyScan TopologyScanner::run() {
  while (lines_.next()) read_line();
  scan_.ends_with_line_feed = lines_.ends_with_line_feed();
  if (scan_.nodes.empty()) {
    if (is_convertible_topology(content_kind(text_))) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{0}: this is {1}; a net file is needed here: run 'pssp convert "
                              "{0} -o fabric.net' and name fabric.net instead",
                              name_, describe_content(text_, name_)));
    }
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format(
            "{}: this is not a topology: it looks like {}; expected the output of ibnetdiscover or "
            "a net file of ibsim, with lines such as Switch 36 \"S-0002c90200405060\"",
            name_, describe_content(text_, name_)));
  }
  return std::move(scan_);
}

void TopologyScanner::read_line() {
  const std::string_view text = without_indent(lines_.line());
  if (text.empty()) return;
  if (text.front() == '#') return read_comment();
  if (text.front() == '[' || text.front() == '@') {
    const NodeKeyword keyword =
        in_node_ ? scan_.nodes.back().said.keyword : NodeKeyword::switch_node;
    const auto port = parse_port_line(lines_, keyword, in_node_,
                                      in_node_ ? scan_.nodes.back().enabled : enabled_);
    if (port) add_port(*port);
    return;
  }
  if (const auto node = parse_node_line(lines_)) return add_node(*node);
  if (const auto guid = parse_guid_line(lines_)) {
    GuidCounter& counter = guids_[static_cast<std::size_t>(guid->keyword)];
    if (!guid->relative) counter.absolute = guid->value;
    counter.next = guid->relative ? counter.absolute + guid->value : guid->value;
    counter.stated = true;
    // A GUID announces a node: following port lines without a node line belong to a node whose line
    // is lost.
    in_node_ = false;
    return;
  }
  if (const auto setting = parse_setting_line(lines_)) return apply(*setting);
  if (read_command()) return;
  // Other lines (vendid=, devid=, chassis titles, console output) are irrelevant for the topology.
}

void TopologyScanner::read_comment() {
  std::string_view text = without_indent(lines_.line());
  if (take(text, "# Initiated from node ")) {
    scan_.initiator = take_number(text, 16).value_or(0);
  } else if (const auto port = parse_uncabled_port(text)) {
    add_uncabled_port(*port);
  }
}

/// Like other comments, it is ignored if it fits nowhere.
void TopologyScanner::add_uncabled_port(const UncabledPort& said) {
  if (!in_node_ || scan_.nodes.back().said.keyword == NodeKeyword::switch_node) return;
  const ScannedNode& owner = scan_.nodes.back();
  if (said.port < 1 || said.port > owner.said.ports) return;
  Slot& slot = scan_.slots[owner.first_slot + said.port];
  if (slot.lid != no_lid || slot.guid != 0) return;
  slot.guid = said.guid;
  slot.lid = said.lid;
  slot.lmc = said.lmc;
  slot.guid_line = slot.lid_line = lines_.number();
}

bool TopologyScanner::read_command() {
  const std::string_view text = without_indent(lines_.line());
  if (text.starts_with("include") && text.find('"') != std::string_view::npos) {
    lines_.fail("included files are not supported; insert the text of the other file here");
  }
  if (!text.starts_with("do ") && !text.starts_with("do\t")) return false;
  scan_.ignored_commands.add(fmt::format("'{}' (line {})", excerpt(text), lines_.number()));
  return true;
}

void TopologyScanner::apply(const SettingLine& setting) {
  switch (setting.key) {
    case SettingLine::Key::module_prefix:
      if (setting.text.size() > max_module_name) {
        lines_.fail(fmt::format(
            "the name of a module has {} bytes; expected at most {}, the limit of ibsim",
            setting.text.size(), max_module_name));
      }
      module_prefix_ = setting.text;
      return;
    case SettingLine::Key::width:
      enabled_.widths = setting.mask;
      break;
    case SettingLine::Key::speed:
      enabled_.speeds = setting.mask;
      break;
    case SettingLine::Key::extended_speed:
      enabled_.extended_speeds = setting.mask;
      break;
  }
  enabled_.stated = true;
}

Guid TopologyScanner::guid_of(const NodeLine& said, std::string_view id) {
  GuidCounter& counter = guids_[static_cast<std::size_t>(said.keyword)];
  const Guid from_id = guid_in_id(said.id);
  if (!counter.stated && file_states_guids_ && from_id != 0) {
    // Output of ibnetdiscover with a missing line: continuing to count would invent a GUID.
    scan_.guids_from_ids.add(fmt::format("'{}' (line {})", id, lines_.number()));
    return from_id;
  }
  const Guid guid = counter.next;
  counter.next += said.keyword == NodeKeyword::switch_node ? 1 : said.ports + 1;
  scan_.has_made_up_guids |= !counter.stated;
  counter.stated = false;
  if (guid == 0 && said.keyword == NodeKeyword::router) {
    lines_.fail(
        fmt::format("router '{}' has no GUID: state it in a line above, e.g. rtguid=0x300000", id));
  }
  return guid;
}

void TopologyScanner::add_node(const NodeLine& said) {
  if (scan_.nodes.size() >= last_unicast_lid) {
    lines_.fail(fmt::format("more than {} nodes: an InfiniBand subnet has no LIDs for more",
                            last_unicast_lid));
  }
  if (said.ports < 1 || said.ports > max_port_number) {
    lines_.fail(fmt::format("node '{}' has {} ports; InfiniBand nodes have 1 to {}", said.id,
                            said.ports, max_port_number));
  }
  const std::string_view id =
      module_prefix_.empty() ? said.id : keep(fmt::format("{}#{}", module_prefix_, said.id));
  const auto [other, is_new] =
      scan_.node_by_id.try_emplace(id, static_cast<std::uint32_t>(scan_.nodes.size()));
  if (!is_new) {
    lines_.fail(fmt::format("node '{}' is already defined at line {}", id,
                            scan_.nodes[other->second].line));
  }
  scan_.nodes.push_back({.said = said,
                         .id = id,
                         .guid = guid_of(said, id),
                         .line = lines_.number(),
                         .first_slot = scan_.slots.size(),
                         .enabled = enabled_});
  scan_.slots.resize(scan_.slots.size() + said.ports + 1);
  in_node_ = true;
}

void TopologyScanner::add_port(const PortLine& said) {
  if (!in_node_) {
    lines_.fail(fmt::format(
        "'{}' describes a port, but the line of its node (Switch ..., Ca ...) is missing above",
        excerpt(lines_.line())));
  }
  const auto node = static_cast<std::uint32_t>(scan_.nodes.size() - 1);
  const ScannedNode& owner = scan_.nodes.back();
  if (said.port < 1 || said.port > owner.said.ports) {
    lines_.fail(fmt::format("port {} of '{}' does not exist: the node has ports 1 to {} (line {})",
                            said.port, owner.id, owner.said.ports, owner.line));
  }
  if (said.is_alias) {
    scan_.port_by_alias.try_emplace(keep(fmt::format("{}@{}", module_prefix_, said.remote_id)),
                                    PortLocation{node, said.port});
    return;
  }
  std::string_view remote_id = said.remote_id;
  if (remote_id.starts_with('@')) {
    remote_id = keep(fmt::format("{}{}", module_prefix_, remote_id));
  } else if (!module_prefix_.empty() && remote_id.find_first_of("#@") == std::string_view::npos) {
    remote_id = keep(fmt::format("{}#{}", module_prefix_, remote_id));
  }
  Slot& slot = scan_.slots[owner.first_slot + said.port];
  if (slot.stated_by != nobody) {
    const ScannedPort& before = scan_.ports[slot.stated_by];
    if (before.remote_id == remote_id && before.said.remote_port == said.remote_port) return;
    lines_.fail(fmt::format("port {} of '{}' is cabled to '{}'[{}] here and to '{}'[{}] at line {}",
                            said.port, owner.id, remote_id, said.remote_port, before.remote_id,
                            before.said.remote_port, before.line));
  }
  slot.stated_by = static_cast<std::uint32_t>(scan_.ports.size());
  scan_.ports.push_back(
      {.said = said, .remote_id = remote_id, .node = node, .line = lines_.number()});
}

}  // namespace

TopologyScan scan_topology(std::string_view text, std::string_view name) {
  return TopologyScanner(text, name).run();
}

}  // namespace pssp
