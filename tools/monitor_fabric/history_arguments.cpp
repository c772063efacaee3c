#include "tools/monitor_fabric/history_arguments.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

std::string owners_of(const std::vector<const MapNode*>& nodes) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < most; ++i) {
    text += fmt::format("{}0x{:016x} {}", i == 0 ? "" : ", ", nodes[i]->guid,
                        excerpt(nodes[i]->description));
  }
  return text;
}

/// Nodes with that description, GUID or LID.
std::vector<const MapNode*> nodes_called(std::string_view name, const FabricMap& map) {
  std::vector<const MapNode*> found;
  std::string_view rest = name;
  const std::optional<std::uint64_t> number = take_c_number(rest);
  const bool is_number = number && rest.empty();
  for (const MapNode& node : map.nodes) {
    bool is_it = untrusted_text(node.description) == name || node.description == name;
    is_it = is_it || (is_number && (node.guid == *number || (*number != 0 && node.lid == *number)));
    for (std::uint32_t p = 0; p < node.ports && is_number && !is_it && *number != 0; ++p) {
      const MapPort& port = map.ports[node.first_port + p];
      is_it = node.kind != NodeKind::switch_node && port.lid == *number;
    }
    if (is_it) found.push_back(&node);
  }
  return found;
}

/// The parts of "NAME port NUMBER" or "NAME[NUMBER]".
std::optional<std::pair<std::string_view, PortNumber>> node_and_port(std::string_view text) {
  const bool has_bracket = text.ends_with(']');
  const std::string_view separator = has_bracket ? "[" : " port ";
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view number = text.substr(at + separator.size());
  if (has_bracket) number.remove_suffix(1);
  const std::optional<std::uint64_t> port = take_number(number);
  if (!port || !number.empty() || *port < 1 || *port > max_port_number) return std::nullopt;
  return std::pair(text.substr(0, at), static_cast<PortNumber>(*port));
}

}  // namespace

void HistoryArguments::add_options(CommandLine& line, bool with_at) {
  line.option("-d,--database", database, "Database written by serve or record").required().reads();
  if (with_at) {
    line.option("--at", at, "Show the state at this time; default: the newest sweep")
        .type_name("TIME");
  }
  line.option("--since", since, "Start of the period (2026-01-31T12:00:00Z, -6h, ...)")
      .type_name("TIME");
  line.option("--until", until, "End of the period").type_name("TIME");
  line.option("--node", node,
              "Only this node or port: description, GUID or LID; 'NAME port NUMBER' for a port")
      .type_name("NAME");
  line.flag("--json", json, "Write JSON");
  add_csv_option(line);
  line.output(output);
}

void HistoryArguments::add_csv_option(CommandLine& line) {
  line.option("--csv", csv, "Also write all columns to FILE as CSV").writes();
}

void HistoryArguments::write(const Table& table) const {
  if (!csv.empty()) write_file(csv, table_csv(table));
  write_answer(
      output, json, [&] { return table_text(table); }, [&] { return table_json(table); });
}

TimeWindow HistoryArguments::window(const HistoryReader& reader, std::int64_t default_ms) const {
  const std::int64_t now = wall_clock_ms();
  TimeWindow window;
  if (!until.empty()) {
    window.until_ms = parse_time(until, now);
  } else if (!at.empty()) {
    window.until_ms = parse_time(at, now) + 1;
  }
  window.since_ms = std::numeric_limits<std::int64_t>::min();
  if (!since.empty()) {
    window.since_ms = parse_time(since, now);
  } else if (default_ms > 0) {
    const std::int64_t newest = reader.status().newest_ms;
    window.since_ms = std::min(newest, window.until_ms - 1) - default_ms;
  }
  if (window.since_ms >= window.until_ms) {
    throw Error(ErrorKind::usage, "--since is not before --until");
  }
  return window;
}

PortFilter::PortFilter(const std::string& name, const FabricMap& map, std::string_view option) {
  if (name.empty()) return;
  std::vector<const MapNode*> found = nodes_called(name, map);
  const auto port = found.empty() ? node_and_port(name) : std::nullopt;
  if (port) {
    found = nodes_called(port->first, map);
    port_ = port->second;
  }
  if (found.size() == 1) {
    node_ = found.front()->guid;
    return;
  }
  throw Error(
      ErrorKind::usage,
      found.empty()
          ? fmt::format("{} '{}': no such node or port; list them with: pssp monitor nodes", option,
                        excerpt(name))
          : fmt::format("{} '{}' is ambiguous: {}", option, excerpt(name), owners_of(found)));
}

}  // namespace pssp
