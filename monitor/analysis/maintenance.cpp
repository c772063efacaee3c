// People write these lists by hand, so the lists are short and a linear search is enough.

#include "monitor/analysis/maintenance.h"

#include <fmt/format.h>

#include <optional>

#include "base/file_io.h"
#include "base/text_lines.h"
#include "base/utc_time.h"

namespace pssp {
namespace {

constexpr std::size_t largest_maintenance_file = std::size_t{1} << 20;

MaintainedPort read_maintenance_line(const TextLines& lines) {
  std::string_view rest = lines.line().substr(0, lines.line().find('#'));
  std::string_view guid_word = take_word(rest = without_indent(rest));
  std::string_view port_word = take_word(rest = without_indent(rest));
  const std::string_view until_word = take_word(rest = without_indent(rest));
  const Guid guid = take(guid_word, "0x") ? take_number(guid_word, 16).value_or(0) : 0;
  const bool all_ports = port_word == "*";
  const auto port = all_ports ? std::optional<std::uint64_t>(0) : take_number(port_word);
  const auto until = parse_utc_date(until_word);
  const bool is_whole = guid_word.empty() && (all_ports || port_word.empty());
  if (!is_whole || guid == 0 || !port || (*port == 0) != all_ports || *port > max_port_number ||
      !until) {
    lines.fail(
        fmt::format("invalid port in maintenance '{}': expected the GUID of a node, a port (1 to "
                    "{}, or * for all), the end of the maintenance and the reason, e.g. "
                    "0x0002c90300000101 17 2026-02-01T12:00:00Z cable ordered",
                    excerpt(lines.line()), max_port_number));
  }
  return {guid, static_cast<PortNumber>(*port), *until, std::string(trimmed(rest))};
}

}  // namespace

std::vector<MaintainedPort> parse_maintenance(std::string_view text, std::string_view name) {
  std::vector<MaintainedPort> all;
  TextLines lines(text, name);
  while (lines.next()) {
    if (trimmed(lines.line().substr(0, lines.line().find('#'))).empty()) continue;
    all.push_back(read_maintenance_line(lines));
  }
  return all;
}

std::vector<MaintainedPort> read_maintenance(const std::filesystem::path& file) {
  if (file.empty()) return {};
  return parse_maintenance(read_file(file, largest_maintenance_file), file.string());
}

const MaintainedPort* maintenance_of(const std::vector<MaintainedPort>& all, Guid node,
                                     PortNumber port, std::int64_t time_ms) {
  for (const MaintainedPort& each : all) {
    if (each.node == node && (each.port == 0 || each.port == port) && time_ms < each.until_ms) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace pssp
