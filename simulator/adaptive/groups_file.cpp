// A file is checked against the fabric when it is read, and against tables when they are simulated,
// because one file serves all compared tables.

#include "simulator/adaptive/groups_file.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "base/text_lines.h"
#include "evaluator/paths/node_directory.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::string_view expected_line =
    "expected a switch (name, \"description\" or GUID), a LID or *, a colon and ports, e.g. S00001 "
    "17: 3 4 5";

class GroupsParser {
 public:
  GroupsParser(std::string_view text, std::string_view name, const Fabric& fabric)
      : lines_(text, name, describe_content), fabric_(fabric), directory_(fabric) {
    file_.name = name;
  }

  GroupsFile parse() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (!line.empty() && line.front() != '#') read(line);
    }
    return std::move(file_);
  }

 private:
  void read(std::string_view rest) {
    GroupLine line;
    line.line = lines_.number();
    line.node = take_switch(rest);
    rest = without_indent(rest);
    if (!take(rest, "*")) line.lid = take_lid(rest);
    rest = without_indent(rest);
    if (!take(rest, ":")) refuse_line();
    for (rest = without_indent(rest); !rest.empty() && rest.front() != '#';
         rest = without_indent(rest)) {
      take_port(rest, line);
    }
    if (line.members == AdaptiveGroups::Members{}) refuse_line();
    require_new(line);
    file_.lines.push_back(line);
  }

  [[noreturn]] void refuse_line() const {
    lines_.fail(
        fmt::format("invalid group of ports '{}'; {}", excerpt(lines_.line()), expected_line));
  }

  /// Reads a word or a quoted text.
  SwitchId take_switch(std::string_view& rest) {
    std::string_view name;
    if (take(rest, "\"")) {
      const std::size_t end = rest.find('"');
      if (end == std::string_view::npos) lines_.fail("the closing quote is missing");
      name = rest.substr(0, end);
      rest.remove_prefix(end + 1);
    } else {
      name = take_word(rest);
    }
    const auto [found, is_new] = switches_.try_emplace(std::string(name));
    if (is_new) found->second = find_switch(name);
    return found->second;
  }

  SwitchId find_switch(std::string_view name) const {
    std::vector<LidOwner> owners = directory_.named(name);
    if (owners.empty()) owners = directory_.with_guid(name);
    std::erase_if(owners,
                  [](const LidOwner& each) { return each.kind != LidOwner::Kind::switch_port0; });
    if (owners.size() == 1) return SwitchId(owners.front().index);
    lines_.fail(owners.empty()
                    ? fmt::format("the fabric has no switch '{}'; {}", excerpt(name), expected_line)
                    : fmt::format("the fabric has {} switches '{}'; specify one by its GUID",
                                  owners.size(), excerpt(name)));
  }

  Lid take_lid(std::string_view& rest) const {
    const auto number = take_c_number(rest);
    if (!number) refuse_line();
    if (*number > fabric_.max_lid() || !fabric_.is_endpoint_lid(static_cast<Lid>(*number))) {
      lines_.fail(fmt::format("LID {} does not belong to a host of the fabric", *number));
    }
    return static_cast<Lid>(*number);
  }

  void take_port(std::string_view& rest, GroupLine& line) const {
    std::string_view word = take_word(rest);
    const auto port = take_number(word);
    if (!port || !word.empty()) refuse_line();
    const PortTarget target = *port > max_port_number
                                  ? PortTarget{}
                                  : fabric_.behind(line.node, static_cast<PortNumber>(*port));
    if (target.kind != PortTarget::Kind::channel) {
      lines_.fail(fmt::format("port {} of switch {} does not lead to a switch", *port,
                              fabric_.label(line.node)));
    }
    const std::uint32_t place = target.index - fabric_.first_channel()[line.node.value()];
    if (AdaptiveGroups::has(line.members, place)) {
      lines_.fail(fmt::format("port {} is listed twice", *port));
    }
    AdaptiveGroups::add(line.members, place);
  }

  void require_new(const GroupLine& line) {
    const std::uint32_t node = line.node.value();
    if (line.lid && !said_.emplace(node, *line.lid).second) {
      lines_.fail(fmt::format("a line for LID {} at switch {} already exists", *line.lid,
                              fabric_.label(line.node)));
    }
    if (line.lid) return;
    AdaptiveGroups::Members& before = of_any_[node];
    for (std::size_t word = 0; word < before.size(); ++word) {
      if ((before[word] & line.members[word]) != 0) {
        lines_.fail(
            fmt::format("a port of this line is also in another line for any LID at switch {}; "
                        "list each port in only one of these lines",
                        fabric_.label(line.node)));
      }
      before[word] |= line.members[word];
    }
  }

  TextLines lines_;
  const Fabric& fabric_;
  NodeDirectory directory_;
  GroupsFile file_;
  std::map<std::string, SwitchId, std::less<>> switches_;
  std::set<std::pair<std::uint32_t, Lid>> said_;
  std::map<std::uint32_t, AdaptiveGroups::Members> of_any_;  // by SwitchId, union of all its lines
};

/// Whether the table port is in the group.
bool has_port_of_tables(const AdaptiveGroups& groups, const GroupLine& line, Lid lid) {
  const std::uint32_t node = line.node.value();
  const std::uint32_t channel = groups.channel_of_tables(node, lid);
  return channel != no_index &&
         AdaptiveGroups::has(line.members, channel - groups.fabric().first_channel()[node]);
}

[[noreturn]] void refuse(const GroupsFile& file, const GroupLine& line, const std::string& what) {
  throw Error(ErrorKind::mismatch, fmt::format("{}:{}: {}", file.name, line.line, what));
}

}  // namespace

GroupsFile parse_groups(std::string_view text, std::string_view name, const Fabric& fabric) {
  return GroupsParser(text, name, fabric).parse();
}

AdaptiveGroups groups_of_file(const GroupsFile& file, const Fabric& fabric,
                              const ForwardingTables& tables) {
  AdaptiveGroups groups(fabric, tables);
  for (const GroupLine& line : file.lines) {
    if (line.lid) continue;
    bool is_used = false;
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid) || !has_port_of_tables(groups, line, lid)) continue;
      groups.set(line.node.value(), lid, line.members);
      is_used = true;
    }
    if (!is_used) refuse(file, line, "the tables send no LID to any of these ports");
  }
  for (const GroupLine& line : file.lines) {
    if (!line.lid) continue;
    if (!has_port_of_tables(groups, line, *line.lid)) {
      refuse(file, line,
             fmt::format("the tables send LID {} at switch {} to port {}, which is not in the "
                         "group; add the port",
                         *line.lid, fabric.label(line.node), tables.at(line.node, *line.lid)));
    }
    groups.set(line.node.value(), *line.lid, line.members);
  }
  require_arrival(groups);
  return groups;
}

}  // namespace pssp
