// A word of hexadecimal digits is first interpreted as a GUID; if no host has it, it can still be a
// name ("cafe"). ORCS knows only GUIDs, and silently ignores unknown ones.

#include "evaluator/hosts/node_ordering_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "evaluator/paths/node_directory.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;
constexpr std::size_t most_warnings = 5;

constexpr std::string_view expected_line =
    "expected one host per line: its hexadecimal GUID, its name or its description";

/// How to treat lines that name no host.
enum class Strangers : std::uint8_t { passed_over, refused };

class NodeOrderingParser {
 public:
  NodeOrderingParser(std::string_view text, std::string_view name, const Fabric& fabric,
                     Strangers strangers = Strangers::passed_over)
      : strangers_(strangers),
        lines_(text, name, describe_content),
        content_(text),
        name_(name),
        fabric_(fabric),
        directory_(fabric),
        line_of_(fabric.endpoints().size(), 0) {}

  NodeOrdering parse() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (!line.empty() && line.front() != '#') take_line(line);
    }
    if (ordering_.hosts.empty()) fail_without_hosts();
    if (passed_over_ > most_warnings) {
      ordering_.warnings.push_back(
          fmt::format("{}: {} more lines are ignored", name_, passed_over_ - most_warnings));
    }
    return std::move(ordering_);
  }

 private:
  void take_line(std::string_view line) {
    ++named_;
    const std::vector<LidOwner> owners = find(line);
    std::vector<std::uint32_t> hosts;
    for (const LidOwner& owner : owners) {
      if (owner.kind == LidOwner::Kind::end_port && fabric_.is_endpoint(EndPortId(owner.index))) {
        hosts.push_back(position(EndPortId(owner.index)));
      }
    }
    if (hosts.size() > 1) {
      if (strangers_ == Strangers::refused) {
        lines_.fail(fmt::format("{} host ports match '{}'; specify them by their port GUIDs",
                                hosts.size(), excerpt(line)));
      }
      const EndPortId example = fabric_.endpoints()[hosts.front()];
      throw Error(
          ErrorKind::mismatch,
          fmt::format(
              "{}:{}: {} host ports match '{}'; specify one by its port GUID, e.g. {:#018x}", name_,
              lines_.number(), hosts.size(), excerpt(line), fabric_.end_port(example).port_guid));
    }
    if (!hosts.empty()) return add(hosts.front());
    pass_over(line, owners.empty() ? "is not a host of this fabric" : "takes no part in traffic");
  }

  std::vector<LidOwner> find(std::string_view line) const {
    if (line.front() == '"') return directory_.named(quoted(line));
    std::string_view word = line;
    static_cast<void>(take(word, "0x") || take(word, "0X"));
    const auto guid = take_number(word, 16);
    if (guid && (word.empty() || is_blank(word.front()) || word.front() == '#')) {
      std::vector<LidOwner> owners = directory_.with_guid(fmt::format("{:#x}", *guid));
      if (!owners.empty()) return owners;
    }
    return directory_.named(without_comment(line));
  }

  std::string_view quoted(std::string_view line) const {
    const std::size_t close = line.rfind('"');
    if (close == 0) lines_.fail("the closing quote of the description is missing");
    const std::string_view rest = without_indent(line.substr(close + 1));
    if (!rest.empty() && rest.front() != '#') {
      lines_.fail(
          fmt::format("unexpected '{}' after the quotes; {}", excerpt(rest), expected_line));
    }
    return line.substr(1, close - 1);
  }

  static std::string_view without_comment(std::string_view line) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '#' && is_blank(line[i - 1])) return trimmed(line.substr(0, i));
    }
    return line;
  }

  std::uint32_t position(EndPortId port) const {
    const auto found = std::ranges::lower_bound(fabric_.endpoints(), port);
    return static_cast<std::uint32_t>(found - fabric_.endpoints().begin());
  }

  void add(std::uint32_t host) {
    if (line_of_[host] != 0) {
      lines_.fail(fmt::format("host {} is already named in line {}",
                              fabric_.label(fabric_.endpoints()[host]), line_of_[host]));
    }
    line_of_[host] = lines_.number();
    ordering_.hosts.push_back(host);
  }

  void pass_over(std::string_view line, std::string_view why) {
    if (strangers_ == Strangers::refused) {
      lines_.fail(fmt::format("'{}' {}; {}", excerpt(line), why, expected_line));
    }
    if (++passed_over_ > most_warnings) return;
    ordering_.warnings.push_back(
        fmt::format("{}:{}: '{}' {}", name_, lines_.number(), excerpt(line), why));
  }

  [[noreturn]] void fail_without_hosts() const {
    if (named_ == 0) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: the file names no host: it is {}; {}", name_,
                              describe_content(content_, name_), expected_line));
    }
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: none of its {} lines names a host of this fabric, for example {}; {}",
                    name_, named_, ordering_.warnings.front(), expected_line));
  }

  Strangers strangers_;
  TextLines lines_;
  std::string_view content_;
  std::string name_;
  const Fabric& fabric_;
  NodeDirectory directory_;
  std::vector<std::size_t> line_of_;  // by host
  std::size_t named_ = 0, passed_over_ = 0;
  NodeOrdering ordering_;
};

}  // namespace

NodeOrdering parse_node_ordering(std::string_view text, std::string_view name,
                                 const Fabric& fabric) {
  return NodeOrderingParser(text, name, fabric).parse();
}

NodeOrdering read_node_ordering(const std::filesystem::path& path, const Fabric& fabric) {
  return parse_node_ordering(read_file(path, largest_file), path.string(), fabric);
}

std::vector<EndPortId> parse_host_order(std::string_view text, std::string_view name,
                                        const Fabric& fabric) {
  const NodeOrdering ordering = NodeOrderingParser(text, name, fabric, Strangers::refused).parse();
  std::vector<EndPortId> order;
  std::vector<std::uint8_t> is_named(fabric.endpoints().size(), 0);
  for (const std::uint32_t host : ordering.hosts) {
    is_named[host] = 1;
    order.push_back(fabric.endpoints()[host]);
  }
  for (std::size_t i = 0; i < is_named.size(); ++i) {
    const EndPortId port = fabric.endpoints()[i];
    if (is_named[i] != 0 || fabric.end_port(port).lid == no_lid) continue;
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: the file does not name host {}; an order of the hosts must name "
                            "all hosts, but this one names {} of {}",
                            name, fabric.label(port), order.size(), is_named.size()));
  }
  return order;
}

std::vector<EndPortId> read_host_order(const std::filesystem::path& path, const Fabric& fabric) {
  return parse_host_order(read_file(path, largest_file), path.string(), fabric);
}

}  // namespace pssp
