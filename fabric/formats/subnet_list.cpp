// opensm lists each link from both of its ends, and repeats each node with each of its links. The
// first occurrence is stored, and later ones are compared. ibdiagnet lists a link once. So a link
// that is listed once is suspicious only if others are listed twice.

#include "fabric/formats/subnet_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/adapter_kind.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

enum class NodeType : std::uint8_t { switch_node, adapter, router };

/// `{ SW Ports:24 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {description}
/// LID:0002 PN:01 }`
struct LinkEnd {
  NodeType type = NodeType::switch_node;
  unsigned ports = 0;
  Guid node_guid = 0, port_guid = 0;
  std::string_view description;
  unsigned lid = no_lid;
  unsigned port = 0;
};

class SubnetListReader {
 public:
  SubnetListReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), lines_(text, name, describe_content) {}

  TopologyFile run();

 private:
  struct KnownNode {
    NodeId id;
    NodeType type = NodeType::switch_node;
    unsigned ports = 0;
    std::size_t line = 0;
  };
  struct KnownLid {
    unsigned lid = no_lid;
    std::size_t line = 0;
  };
  using Position = std::pair<std::uint32_t, unsigned>;  // node, port

  void read_link();
  LinkEnd read_end(std::string_view& text, bool is_last) const;
  std::size_t end_of_description(std::string_view text, bool is_last) const;
  NodeType read_type(std::string_view& text) const;
  std::uint64_t read_field(std::string_view& text, std::string_view key) const;
  LinkRate read_rate(std::string_view text);
  NodeId node_of(const LinkEnd& end);
  void note_lid(NodeId node, const LinkEnd& end);
  void warn_of(const Cases& cases, std::string_view what);
  template <class Action>
  void at_this_line(Action&& action) const {
    try {
      action();
    } catch (const Error& error) {
      lines_.fail(error.what());
    }
  }

  std::string_view text_, name_;
  TextLines lines_;
  TopologyFile result_;
  std::unordered_map<Guid, KnownNode> nodes_;
  std::map<Position, KnownLid> lids_;
  std::map<std::pair<Position, Position>, unsigned> links_;  // occurrences, the smaller end first
  Cases down_, unknown_rates_;
};

/// `key:0002C903`, with blanks before it.
std::uint64_t SubnetListReader::read_field(std::string_view& text, std::string_view key) const {
  text = without_indent(text);
  if (take(text, key) && take(text, ":")) {
    if (const std::optional<std::uint64_t> value = take_number(text, 16)) return *value;
  }
  lines_.fail(fmt::format("'{}': {}: and a hexadecimal number was expected", excerpt(text), key));
}

NodeType SubnetListReader::read_type(std::string_view& text) const {
  const std::string_view word = take_word(text);
  // "-SM" may follow.
  if (word.starts_with("SW")) return NodeType::switch_node;
  if (word.starts_with("CA")) return NodeType::adapter;
  if (word.starts_with("Rt")) return NodeType::router;
  lines_.fail(fmt::format("'{}' is not a type of node; expected SW, CA or Rt", excerpt(word)));
}

/// Recognizes the text between the descriptions of both ends: `} LID:0003 PN:01 } { SW Ports:08
/// SystemGUID:..`.
bool begins_other_end(std::string_view text) {
  for (const std::string_view key : {"LID:", "PN:"}) {
    text = without_indent(text);
    if (!take(text, key) || !take_number(text, 16)) return false;
  }
  for (const char brace : {'}', '{'}) {
    text = without_indent(text);
    if (!text.starts_with(brace)) return false;
    text.remove_prefix(1);
  }
  take_word(text);
  for (const std::string_view key :
       {"Ports:", "SystemGUID:", "NodeGUID:", "PortGUID:", "VenID:", "DevID:", "Rev:"}) {
    text = without_indent(text);
    if (!take(text, key) || !take_number(text, 16)) return false;
  }
  return without_indent(text).starts_with('{');
}

/// The end of the description at the front of the text. A description may contain anything that can
/// follow one. That of the second end extends to the last ` LID:`; that of the first is followed by
/// the second end, which is too long to be contained in a description of 64 bytes.
std::size_t SubnetListReader::end_of_description(std::string_view text, bool is_last) const {
  constexpr std::string_view behind = "} LID:";
  if (is_last) return text.rfind(behind);
  std::size_t at = text.find(behind);
  while (at != std::string_view::npos && !begins_other_end(text.substr(at + 1))) {
    at = text.find(behind, at + 1);
  }
  // A damaged second end is reported when it is read.
  return at == std::string_view::npos ? text.find(behind) : at;
}

/// `is_last`: the second end of the line.
LinkEnd SubnetListReader::read_end(std::string_view& text, bool is_last) const {
  text = without_indent(text);
  if (!take(text, "{")) lines_.fail("'{' was expected; one end of the link is missing");
  LinkEnd end;
  end.type = read_type(text);
  end.ports = static_cast<unsigned>(std::min<std::uint64_t>(read_field(text, "Ports"), 0xFFFF));
  read_field(text, "SystemGUID");
  end.node_guid = read_field(text, "NodeGUID");
  end.port_guid = read_field(text, "PortGUID");
  for (const std::string_view key : {"VenID", "DevID", "Rev"}) read_field(text, key);
  text = without_indent(text);
  const std::size_t close = end_of_description(text, is_last);
  if (!take(text, "{") || close == std::string_view::npos) {
    lines_.fail("the description in braces is missing; expected e.g. {leaf 1} LID:0002 PN:01");
  }
  end.description = text.substr(0, close - 1);
  text.remove_prefix(close);
  end.lid = static_cast<unsigned>(std::min<std::uint64_t>(read_field(text, "LID"), 0xFFFF));
  end.port = static_cast<unsigned>(std::min<std::uint64_t>(read_field(text, "PN"), 0xFFFF));
  text = without_indent(text);
  if (!take(text, "}")) lines_.fail("'}' was expected after the port number");
  if (end.node_guid == 0) lines_.fail("a node has the GUID 0");
  if (end.ports < 1 || end.ports > max_port_number || end.port < 1 || end.port > end.ports) {
    lines_.fail(fmt::format("port {} of a node with {} ports; InfiniBand nodes have 1 to {}",
                            end.port, end.ports, max_port_number));
  }
  return end;
}

/// `PHY=4x LOG=ACT SPD=50`: widths as in ibnetdiscover, speeds in Gbit/s per lane.
LinkRate SubnetListReader::read_rate(std::string_view text) {
  struct Speed {
    std::string_view text, name;
  };
  constexpr std::array<Speed, 10> speeds{{{"2.5", "SDR"},
                                          {"5", "DDR"},
                                          {"10", "QDR"},
                                          {"FDR10", "FDR10"},
                                          {"14", "FDR"},
                                          {"25", "EDR"},
                                          {"50", "HDR"},
                                          {"100", "NDR"},
                                          {"200", "XDR"},
                                          {"5.0", "DDR"}}};
  std::string_view width = take_word(text);
  std::string_view state = take_word(text);
  std::string_view speed = take_word(text);
  if (!take(width, "PHY=") || !take(state, "LOG=") || !take(speed, "SPD="))
    lines_.fail("the state of the link is missing; expected e.g. PHY=4x LOG=ACT SPD=10");
  const auto* const known = std::find_if(speeds.begin(), speeds.end(),
                                         [speed](const Speed& s) { return s.text == speed; });
  const std::optional<LinkRate> rate =
      known == speeds.end() ? std::nullopt
                            : parse_link_rate(fmt::format("{}{}", width, known->name));
  if (!rate) {
    unknown_rates_.add(
        fmt::format("PHY={} SPD={} (line {})", excerpt(width), excerpt(speed), lines_.number()));
  }
  return rate.value_or(LinkRate{});
}

NodeId SubnetListReader::node_of(const LinkEnd& end) {
  const auto [known, is_new] = nodes_.try_emplace(end.node_guid);
  KnownNode& node = known->second;
  if (!is_new) {
    if (node.type == end.type && node.ports == end.ports) return node.id;
    lines_.fail(fmt::format("node 0x{:016x} has another type or number of ports than at line {}",
                            end.node_guid, node.line));
  }
  if (nodes_.size() > last_unicast_lid) {
    lines_.fail(fmt::format("more than {} nodes: an InfiniBand subnet has no LIDs for more",
                            last_unicast_lid));
  }
  std::string description(end.description);
  at_this_line([&] {
    FabricBuilder& builder = result_.builder;
    if (end.type == NodeType::switch_node) {
      node.id = builder.add_switch(end.node_guid, end.ports,
                                   fmt::format("S-{:016x}", end.node_guid), description);
    } else {
      const bool is_router = end.type == NodeType::router;
      node.id = builder.add_adapter(
          end.node_guid, end.ports, is_router ? EndPortKind::router : adapter_kind(description),
          fmt::format("{}-{:016x}", is_router ? 'R' : 'H', end.node_guid), description);
    }
  });
  node.type = end.type;
  node.ports = end.ports;
  node.line = lines_.number();
  return node.id;
}

void SubnetListReader::note_lid(NodeId node, const LinkEnd& end) {
  const bool is_switch = end.type == NodeType::switch_node;
  const unsigned port = is_switch ? management_port : end.port;
  KnownLid& known = lids_[{node.value(), port}];
  if (known.line != 0) {
    if (known.lid == end.lid) return;
    lines_.fail(fmt::format("'{}' has LID {} here and {} at line {}", excerpt(end.description),
                            end.lid, known.lid, known.line));
  }
  known = {end.lid, lines_.number()};
  at_this_line([&] {
    if (!is_switch && end.port_guid != 0)
      result_.builder.set_port_guid(node, static_cast<PortNumber>(port), end.port_guid);
    if (end.lid != no_lid && end.lid != 0xFFFF)
      result_.builder.set_lid(node, static_cast<PortNumber>(port), end.lid, 0);
  });
}

void SubnetListReader::read_link() {
  std::string_view text = lines_.line();
  const LinkEnd near = read_end(text, false);
  const LinkEnd far = read_end(text, true);
  const LinkRate rate = read_rate(text);
  const NodeId a = node_of(near);
  const NodeId b = node_of(far);
  note_lid(a, near);
  note_lid(b, far);
  if (text.find("LOG=DWN") != std::string_view::npos) {
    down_.add(fmt::format("line {}", lines_.number()));
    return;
  }
  const Position from{a.value(), near.port}, to{b.value(), far.port};
  ++links_[std::minmax(from, to)];
  at_this_line([&] {
    result_.builder.connect(a, static_cast<PortNumber>(near.port), b,
                            static_cast<PortNumber>(far.port), rate);
  });
}

void SubnetListReader::warn_of(const Cases& cases, std::string_view what) {
  if (cases.count() == 0) return;
  result_.warnings.push_back(
      fmt::format("{}: {} {}: {}", name_, cases.count(), what, cases.examples()));
}

TopologyFile SubnetListReader::run() {
  while (lines_.next()) {
    // Ignores console output.
    if (without_indent(lines_.line()).starts_with("{")) read_link();
  }
  if (nodes_.empty()) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: this is not a link list: it looks like {}; expected opensm-subnet.lst",
                    name_, describe_content(text_, name_)));
  }
  Cases once;
  std::size_t twice = 0;
  for (const auto& [ends, times] : links_) {
    twice += times > 1 ? 1 : 0;
    if (times == 1) {
      once.add(fmt::format("'{}' port {}", result_.builder.description(NodeId(ends.first.first)),
                           ends.first.second));
    }
  }
  if (!lines_.ends_with_line_feed()) {
    result_.warnings.push_back(
        fmt::format("{}:{}: the last line has no line end; if the file was cut off there, the rate "
                    "of this link is wrong",
                    name_, lines_.number()));
  }
  if (twice != 0) warn_of(once, "link(s) stated by one end only; treated as up");
  warn_of(down_, "link(s) that are down, left out");
  warn_of(unknown_rates_, "unknown rate(s); these links get the fabric's most frequent rate");
  return std::move(result_);
}

}  // namespace

TopologyFile parse_subnet_list(std::string_view text, std::string_view name) {
  return SubnetListReader(text, name).run();
}

}  // namespace pssp
