// One pass over the text, field by field. Accepts output of spreadsheets that RFC 4180 does not
// cover: lines that end in CR alone, a byte order mark, blanks around a field, which belong to it.
// A quote inside a field that does not begin with one is an ordinary character.

#include "base/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {

CsvRows::CsvRows(std::string_view text, std::string_view name) : rest_(text), name_(name) {
  take(rest_, "\xEF\xBB\xBF");
  const std::size_t nul = rest_.find('\0');
  if (nul == std::string_view::npos) return;
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: byte {} is NUL: this is binary data or UTF-16; expected text", name_,
                          nul + (text.size() - rest_.size())));
}

void CsvRows::fail(std::string_view message) const { fail_at(name_, row_line_, message); }

bool CsvRows::at_line_end() const noexcept {
  return rest_.empty() || rest_.front() == '\n' || rest_.front() == '\r';
}

void CsvRows::skip_line_end() noexcept {
  if (rest_.empty()) return;
  if (!take(rest_, "\r\n")) rest_.remove_prefix(1);
  ++line_;
}

std::string CsvRows::take_quoted() {
  std::string field;
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest_.find('"');
    if (quote == std::string_view::npos) {
      fail("a quoted field begins here, but its closing quote is missing");
    }
    const std::string_view part = rest_.substr(0, quote);
    for (const char c : part) line_ += c == '\n' ? 1U : 0U;
    field += part;
    if (field.size() > longest_field) {
      fail(
          fmt::format("a field is longer than {} bytes; check for a missing quote", longest_field));
    }
    rest_.remove_prefix(quote + 1);
    if (!rest_.starts_with('"')) break;
    field += '"';
    rest_.remove_prefix(1);
  }
  if (!at_line_end() && rest_.front() != ',') {
    fail(fmt::format("'{}' follows the closing quote of a field; expected a comma",
                     excerpt(rest_.substr(0, rest_.find_first_of(",\r\n")))));
  }
  return field;
}

std::string CsvRows::take_plain() {
  const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
  if (end > longest_field) fail(fmt::format("a field is longer than {} bytes", longest_field));
  std::string field(rest_.substr(0, end));
  rest_.remove_prefix(end);
  return field;
}

bool CsvRows::next() {
  while (!rest_.empty() && at_line_end()) skip_line_end();
  fields_.clear();
  if (rest_.empty()) return false;
  row_line_ = line_;
  for (;;) {
    fields_.push_back(rest_.starts_with('"') ? take_quoted() : take_plain());
    if (fields_.size() > most_fields) fail(fmt::format("more than {} fields", most_fields));
    if (at_line_end()) break;
    rest_.remove_prefix(1);  // the comma
  }
  skip_line_end();
  return true;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string spreadsheet_csv_field(std::string text) {
  constexpr std::string_view formulas = "=+-@";
  if (!text.empty() && formulas.find(text.front()) != std::string_view::npos) {
    text.insert(text.begin(), '\'');
  }
  return csv_field(text);
}

}  // namespace pssp
