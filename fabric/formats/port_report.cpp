#include "fabric/formats/port_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/port_statements.h"

namespace pssp {
namespace {

/// Removes blanks and a number; fails without a number.
unsigned read_number(std::string_view& text, const TextLines& lines, std::string_view what) {
  text = without_indent(text);
  const std::optional<std::uint64_t> value = take_number(text);
  if (!value) {
    lines.fail(fmt::format("'{}': {} was expected", excerpt(text), what));
  }
  return static_cast<unsigned>(std::min<std::uint64_t>(*value, 0xFFFF));
}

/// Removes blanks and `0x..`; none without it.
std::optional<Guid> take_guid(std::string_view& text) {
  text = without_indent(text);
  return take(text, "0x") ? take_number(text, 16) : std::nullopt;
}

unsigned without_permissive_lid(unsigned lid) { return lid == 0xFFFF ? no_lid : lid; }

// ---- ibnetdiscover -p ----

class PortReportReader {
 public:
  PortReportReader(std::string_view text, std::string_view name)
      : lines_(text, name, describe_content), statements_(name) {}

  TopologyFile run(std::string_view text, std::string_view name);

 private:
  std::optional<ReportedPort> read_port(std::string_view& text) const;
  void read_line();

  TextLines lines_;
  PortStatements statements_;
};

/// `CA    24  1 0x000000000010001f`
std::optional<ReportedPort> PortReportReader::read_port(std::string_view& text) const {
  text = without_indent(text);
  ReportedPort port;
  if (take(text, "SW ")) {
    port.type = ReportedType::switch_node;
  } else if (take(text, "CA ") || take(text, "?? ")) {
    port.type = ReportedType::adapter;
  } else if (take(text, "RT ")) {
    port.type = ReportedType::router;
  } else {
    return std::nullopt;
  }
  port.lid = without_permissive_lid(read_number(text, lines_, "a LID"));
  port.port = read_number(text, lines_, "a port number");
  const std::optional<Guid> guid = take_guid(text);
  if (!guid || *guid == 0) lines_.fail(fmt::format("'{}': a GUID was expected", excerpt(text)));
  port.guid = *guid;
  return port;
}

/// The text between quotes at both ends.
std::optional<std::string_view> without_quotes(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return std::nullopt;
  return text.substr(1, text.size() - 2);
}

void PortReportReader::read_line() {
  std::string_view text = lines_.line();
  std::optional<ReportedPort> near = read_port(text);
  if (!near) return;  // console output
  const std::string_view width = take_word(text = without_indent(text));
  const std::string_view speed = take_word(text = without_indent(text));
  text = without_indent(text);
  if (!take(text, "- ")) {
    const auto name = without_quotes(text);
    if (!name) lines_.fail("a description in quotes was expected after the rate");
    near->name = *name;
    statements_.add_free_port(lines_.number(), *near);
    return;
  }
  std::optional<ReportedPort> far = read_port(text);
  if (!far) {
    lines_.fail(fmt::format("'{}': the other end of the link was expected, as in 'SW 6 4 0x2c903'",
                            excerpt(text)));
  }
  text = trimmed(text);
  std::optional<std::string_view> names;
  if (text.starts_with('(') && text.ends_with(')')) {
    names = without_quotes(text.substr(1, text.size() - 2));
  }
  const std::size_t between = names ? names->find("' - '") : std::string_view::npos;
  if (between == std::string_view::npos) {
    lines_.fail("the descriptions of both ends are missing; expected ( 'host' - 'switch' )");
  }
  near->name = names->substr(0, between);
  far->name = names->substr(between + 5);
  const std::optional<LinkRate> rate = parse_link_rate(fmt::format("{}{}", width, speed));
  if (!rate) {
    statements_.add_unknown_rate(
        fmt::format("{} {} (line {})", excerpt(width), excerpt(speed), lines_.number()));
  }
  statements_.add_link(lines_.number(), *near, *far, rate.value_or(LinkRate{}));
}

[[noreturn]] void refuse(std::string_view text, std::string_view name, std::string_view expected) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: this is not a list of ports: it looks like {}; expected {}", name,
                          describe_content(text, name), expected));
}

TopologyFile PortReportReader::run(std::string_view text, std::string_view name) {
  while (lines_.next()) read_line();
  if (statements_.empty()) refuse(text, name, "the output of ibnetdiscover -p");
  return statements_.build();
}

// ---- iblinkinfo ----

struct LaneSpeed {
  double gigabits;
  std::string_view name;
};
// Signaling rate of a lane, as printed by infiniband-diags.
constexpr std::array lane_speeds{
    LaneSpeed{2.5, "SDR"},       LaneSpeed{5, "DDR"},       LaneSpeed{10, "QDR"},
    LaneSpeed{10.3125, "FDR10"}, LaneSpeed{14.0625, "FDR"}, LaneSpeed{25.78125, "EDR"},
    LaneSpeed{53.125, "HDR"},    LaneSpeed{106.25, "NDR"},  LaneSpeed{212.5, "XDR"}};

/// `4X           2.5 Gbps Active/  LinkUp`: for a link that is up.
std::optional<LinkRate> rate_of_state(std::string_view state) {
  state = without_indent(state);
  std::string width(take_word(state));
  if (!width.empty() && width.back() == 'X') width.back() = 'x';
  if (state.find("FDR10") != std::string_view::npos) return parse_link_rate(width + "FDR10");
  state = without_indent(state);
  const std::optional<double> gigabits = decimal_fraction(take_word(state));
  if (!gigabits) return std::nullopt;
  for (const LaneSpeed& each : lane_speeds) {
    if (std::abs(each.gigabits - *gigabits) < .01 * each.gigabits) {
      return parse_link_rate(width + std::string(each.name));
    }
  }
  return std::nullopt;
}

class LinkInfoReader {
 public:
  LinkInfoReader(std::string_view text, std::string_view name)
      : lines_(text, name, describe_content), statements_(name) {}

  TopologyFile run(std::string_view text, std::string_view name);

 private:
  bool read_heading(std::string_view line);
  bool read_start(std::string_view& text, ReportedPort& near) const;
  void read_line();

  TextLines lines_;
  PortStatements statements_;
  ReportedPort heading_;  // type, GUID of a switch, and name
  std::size_t heading_line_ = 0;
};

/// `Switch: 0x0002c90200405060 leaf 1:`, `CA: node1 HCA-1:`
bool LinkInfoReader::read_heading(std::string_view line) {
  line = trimmed(line);
  if (!line.ends_with(':')) return false;
  ReportedPort heading;
  if (take(line, "Switch: ")) {
    heading.type = ReportedType::switch_node;
    const std::optional<Guid> guid = take_guid(line);
    if (!guid) return false;
    heading.guid = *guid;
  } else if (take(line, "CA: ")) {
    heading.type = ReportedType::adapter;
  } else if (take(line, "Router: ")) {
    heading.type = ReportedType::router;
  } else {
    return false;
  }
  heading.name = trimmed(line.substr(0, line.size() - 1));
  heading_ = heading;
  heading_line_ = lines_.number();
  return true;
}

/// `24    1[  ]`: LID and port; returns false for other texts.
bool take_lid_and_port(std::string_view& text, ReportedPort& port) {
  std::string_view rest = without_indent(text);
  const std::optional<std::uint64_t> lid = take_number(rest);
  rest = without_indent(rest);
  const std::optional<std::uint64_t> number = lid ? take_number(rest) : std::nullopt;
  const std::size_t close = rest.find(']');
  if (!number || !rest.starts_with('[') || close == std::string_view::npos) return false;
  // `[  ]` may contain the external port.
  if (rest.substr(1, close - 1).find_first_not_of(" 0123456789") != std::string_view::npos) {
    return false;
  }
  rest.remove_prefix(close + 1);
  port.lid = without_permissive_lid(static_cast<unsigned>(std::min<std::uint64_t>(*lid, 0xFFFF)));
  port.port = static_cast<unsigned>(std::min<std::uint64_t>(*number, 0xFFFF));
  text = rest;
  return true;
}

/// The text before `==(`: in iblinkinfo -l GUID and name, then LID and port.
bool LinkInfoReader::read_start(std::string_view& text, ReportedPort& near) const {
  const std::optional<Guid> guid = take_guid(text);
  text = without_indent(text);
  if (text.starts_with('"')) {
    // A name may contain quotes: it ends at the quote before LID, port and state.
    for (std::size_t at = text.find('"', 1); at != std::string_view::npos;
         at = text.find('"', at + 1)) {
      std::string_view rest = text.substr(at + 1);
      if (!take_lid_and_port(rest, near) || !take(rest = without_indent(rest), "==(")) continue;
      near.name = trimmed(text.substr(1, at - 1));
      near.guid = guid.value_or(0);
      text = rest;
      return true;
    }
    return false;
  }
  if (!take_lid_and_port(text, near) || !take(text = without_indent(text), "==(")) return false;
  near.type = heading_.type;
  near.name = heading_.name;
  near.guid = guid.value_or(heading_.guid);
  return true;
}

void LinkInfoReader::read_line() {
  std::string_view text = lines_.line();
  ReportedPort near;
  if (read_heading(text) || !read_start(text, near)) return;  // or console output
  if (near.type == ReportedType::unknown && near.guid == 0) {
    lines_.fail("the line with the node ('Switch: 0x.. NAME:' or 'CA: NAME:') is missing above");
  }
  const std::size_t heading = near.type == ReportedType::unknown ? 0 : heading_line_;
  const std::size_t end = text.find(")==>");
  if (end == std::string_view::npos) {
    lines_.fail(
        "the state of the link is missing; expected e.g. ==( 4X 2.5 Gbps Active/ LinkUp)==>");
  }
  const std::string_view state = text.substr(0, end);
  text.remove_prefix(end + 4);
  ReportedPort far;
  const std::optional<Guid> guid = take_guid(text);
  if (!take_lid_and_port(text, far)) {
    statements_.add_free_port(lines_.number(), near, heading);
    return;
  }
  far.guid = guid.value_or(0);
  text = without_indent(text);
  const std::size_t close = text.rfind("\" (");
  if (!text.starts_with('"') || close == std::string_view::npos || close == 0) {
    lines_.fail("the description of the other end in quotes is missing");
  }
  far.name = trimmed(text.substr(1, close - 1));
  const std::string_view remark = text.substr(close + 2);
  if (remark.find("Could be") != std::string_view::npos) {
    statements_.add_slow_link(fmt::format("'{}' port {} {}", near.name, near.port, remark));
  }
  const std::optional<LinkRate> rate = rate_of_state(state);
  if (!rate) {
    statements_.add_unknown_rate(
        fmt::format("{} (line {})", excerpt(trimmed(state)), lines_.number()));
  }
  statements_.add_link(lines_.number(), near, far, rate.value_or(LinkRate{}), heading);
}

TopologyFile LinkInfoReader::run(std::string_view text, std::string_view name) {
  while (lines_.next()) read_line();
  if (statements_.empty()) refuse(text, name, "the output of iblinkinfo");
  return statements_.build();
}

}  // namespace

TopologyFile parse_port_report(std::string_view text, std::string_view name) {
  return PortReportReader(text, name).run(text, name);
}

TopologyFile parse_link_info(std::string_view text, std::string_view name) {
  return LinkInfoReader(text, name).run(text, name);
}

}  // namespace pssp
