// A table has one source: a law, a file of values, or explicit values in blocks of 64 entries, as
// in MADs. Values can be times, which need the MTU and the link rate, and settings can have any
// order; so values are stored as text until all settings are known.

#include "congestion/table_notation.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "congestion/cct_generation.h"
#include "congestion/injection_delay.h"
#include "congestion/parameter_values.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_table = std::size_t{1} << 20;
constexpr std::uint32_t highest_limit = cc_limits::most_entries - 1;

}  // namespace

bool TableNotation::set(std::string_view name, std::string_view value, std::size_t line) {
  std::string_view block = name;
  if (name == "ccti_limit") {
    ccti_limit_ = static_cast<std::uint16_t>(read_number(value, 0, highest_limit));
  } else if (name == "law") {
    origin_.law = read_law(value);
  } else if (name == "flows") {
    origin_.flows = read_number(value, fewest_flows, most_flows);
  } else if (name == "largest_delay") {
    origin_.largest_delay_ns = read_nanoseconds(value);
  } else if (name == "mtu") {
    stated_.mtu = read_mtu(value);
  } else if (name == "link_rate") {
    stated_.link_rate = read_link_rate(value);
  } else if (name == "capacity") {
    stated_.capacity_blocks =
        static_cast<std::uint8_t>(read_number(value, 0, cc_limits::most_blocks));
  } else if (name == "values") {
    if (value == "-") throw Error(ErrorKind::usage, "expected the path of a file of values");
    values_ = {std::string(value), line};
  } else if (take(block, "block.")) {
    const std::uint32_t number = read_number(block, 0, cc_limits::most_blocks - 1);
    if (!blocks_.try_emplace(number, Text{std::string(value), line}).second) {
      throw Error(ErrorKind::usage, fmt::format("block {} is set twice", number));
    }
  } else {
    return false;
  }
  line_of_.emplace(name, line);
  return true;
}

void TableNotation::fail(std::size_t line, std::string_view message) const {
  fail_at(file_, line, message);
}

double TableNotation::packet_time() const { return packet_time_ns(stated_.mtu, stated_.link_rate); }

std::size_t TableNotation::line_of_source() const {
  if (line_of_.contains("law")) return line_of_.at("law");
  if (values_.line != 0) return values_.line;
  return blocks_.empty() ? 0 : blocks_.begin()->second.line;
}

CongestionControlTable TableNotation::build() const {
  const bool has_law = line_of_.contains("law");
  if (int{has_law} + int{values_.line != 0} + int{!blocks_.empty()} > 1) {
    fail(line_of_source(),
         "the table has more than one source; expected one of table.law, table.values and "
         "table.block.0, table.block.1, ...");
  }
  for (const std::string_view name : {"flows", "largest_delay"}) {
    if (!has_law && line_of_.contains(name)) {
      fail(line_of_.find(name)->second, fmt::format("table.{} requires table.law, which is not "
                                                    "set; add table.law = linear or exponential",
                                                    name));
    }
  }
  CongestionControlTable table = stated_;
  if (has_law) {
    build_from_law(table);
  } else if (line_of_source() != 0) {
    build_from_values(table);
  } else {
    require_matching_limit(table.entries.size());
  }
  if (table.capacity_blocks != 0) {
    try {
      check_capacity(table, table.capacity_blocks);
    } catch (const Error& error) {
      fail(line_of_.at("capacity"), fmt::format("table.capacity: {}", error.what()));
    }
  }
  return table;
}

void TableNotation::build_from_law(CongestionControlTable& table) const {
  const std::size_t line = line_of_.at("law");
  if (!ccti_limit_) {
    fail(line, fmt::format("table.law needs table.ccti_limit, 1 .. {}", highest_limit));
  }
  try {
    table.entries = generate_table(origin_, *ccti_limit_, table.mtu, table.link_rate);
  } catch (const Error& error) {
    fail(line, fmt::format("table.law: {}; see table.flows, table.largest_delay and "
                           "table.ccti_limit",
                           error.what()));
  }
  table.origin = origin_;
}

void TableNotation::build_from_values(CongestionControlTable& table) const {
  const std::filesystem::path values_path(values_.text);
  const std::string path =
      (values_path.is_absolute() ? values_path : folder_ / values_path).string();
  const std::vector<Value> values = values_.line != 0 ? values_of_file(path) : values_of_blocks();
  table.entries.clear();
  for (const Value& value : values) {
    table.entries.push_back(value.entry);
    if (table.entries.size() > cc_limits::most_entries) {
      fail_at(value.file, value.line,
              fmt::format("the table is too long; expected at most {} entries",
                          cc_limits::most_entries));
    }
    const std::size_t last = table.entries.size() - 1;
    if (last == 0) continue;
    const CctEntry before = table.entries[last - 1];
    if (delay_in_eighths(value.entry) < delay_in_eighths(before)) {
      fail_at(
          value.file, value.line,
          fmt::format("entry {} of the table is {}, a delay of {} packet times, less than the {} "
                      "of the entry before it ({}); delays must not fall",
                      last, entry_text(value.entry), delay_in_packets(value.entry),
                      delay_in_packets(before), entry_text(before)));
    }
  }
  require_matching_limit(table.entries.size());
}

std::vector<TableNotation::Value> TableNotation::values_of_blocks() const {
  std::vector<Value> values;
  for (const auto& [number, block] : blocks_) {
    if (number * cc_limits::entries_per_block != values.size()) {
      fail(block.line, fmt::format("table.block.{} must follow full blocks of 64 entries: found {} "
                                   "entries before it instead of {}",
                                   number, values.size(), number * cc_limits::entries_per_block));
    }
    const std::vector<std::string_view> parts = list_parts(block.text);
    if (parts.empty() || parts.size() > cc_limits::entries_per_block) {
      fail(block.line, fmt::format("table.block.{} has {} entries; expected 1 .. {}", number,
                                   parts.size(), cc_limits::entries_per_block));
    }
    for (const std::string_view part : parts) {
      try {
        values.push_back({read_entry(part, packet_time()), file_, block.line});
      } catch (const Error& error) {
        fail(block.line, fmt::format("table.block.{}: {}", number, error.what()));
      }
    }
  }
  return values;
}

std::vector<TableNotation::Value> TableNotation::values_of_file(const std::string& path) const {
  std::string content;
  try {
    content = reader_(path, largest_table);
  } catch (const Error& error) {
    fail(values_.line, fmt::format("table.values: {}", error.what()));
  }
  std::vector<Value> values;
  TextLines lines(content, path, describe_content);
  while (lines.next()) {
    for (const std::string_view part : list_parts(lines.line().substr(0, lines.line().find('#')))) {
      try {
        values.push_back({read_entry(part, packet_time()), path, lines.number()});
      } catch (const Error& error) {
        lines.fail(error.what());
      }
    }
  }
  if (values.empty()) {
    fail(values_.line,
         fmt::format("table.values: {} has no values; expected entries such as 0:12, 1.5 or 20us",
                     path));
  }
  return values;
}

void TableNotation::require_matching_limit(std::size_t entries) const {
  if (ccti_limit_ && *ccti_limit_ + std::size_t{1} != entries) {
    fail(line_of_.at("ccti_limit"),
         fmt::format("table.ccti_limit is {}, which needs {} entries, but the table has {}; "
                     "correct it, or omit it, since the values determine it",
                     *ccti_limit_, *ccti_limit_ + 1, entries));
  }
}

}  // namespace pssp
