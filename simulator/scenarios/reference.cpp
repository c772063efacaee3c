#include "simulator/scenarios/reference.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.h"
#include "base/text_lines.h"
#include "simulator/values.h"

namespace pssp {
namespace {

constexpr std::string_view head_line =
    "quantity,row,column,marking,from,to,value,unit,least,most,source";
constexpr std::size_t field_count = 11;

/// Fields separated by commas; a field in double quotes may contain commas.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<double> figure(const std::string& text, const TextLines& lines) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || rest != text.data() + text.size()) {
    lines.fail(fmt::format("'{}' is not a number", excerpt(text)));
  }
  return value;
}

std::optional<SimulatedTime> instant(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<SimulatedTime>(read_time(text));
}

}  // namespace

std::vector<ReferenceFigure> parse_reference(std::string_view text, std::string_view name) {
  std::vector<ReferenceFigure> figures;
  TextLines lines(text, name);
  if (!lines.next() || lines.line() != head_line) {
    fail_at(name, 1, fmt::format("expected the header line {}", head_line));
  }
  while (lines.next()) {
    if (lines.line().empty()) continue;
    const std::vector<std::string> fields = fields_of(lines.line());
    if (fields.size() != field_count) {
      lines.fail(fmt::format("{} fields; expected {}", fields.size(), field_count));
    }
    ReferenceFigure each;
    each.quantity = fields[0];
    each.row = fields[1];
    each.column = fields[2];
    each.marking = fields[3];
    try {
      each.from = instant(fields[4]);
      each.to = instant(fields[5]);
    } catch (const Error& error) {
      lines.fail(error.what());
    }
    const auto value = figure(fields[6], lines);
    if (!value) lines.fail("the value is missing");
    each.value = *value;
    each.unit = fields[7];
    each.least = figure(fields[8], lines);
    each.most = figure(fields[9], lines);
    each.source = fields[10];
    figures.push_back(std::move(each));
  }
  return figures;
}

}  // namespace pssp
