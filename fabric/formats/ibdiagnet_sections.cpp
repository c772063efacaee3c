// A row of numbers is split at its commas. A row with a node description is split from both ends:
// the columns before the description from the front, those after it from the back, since they
// contain only numbers. So no description can take a column's place, and a row whose description
// has not ended continues in the next line, whatever it contains: no description ends a section. A
// description that imitates a row and the end of its section leaves its own end as text between two
// sections, which is rejected.
//
// Sources: the parsers named in docs/reference/formats.md.

#include "fabric/formats/ibdiagnet_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

/// A description has up to 64 bytes, the other columns a few hundred.
constexpr std::size_t longest_joined_row = 1024;

char small_letter(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_stated(std::string_view field) { return !field.empty() && field != "N/A" && field != "-1"; }

/// The name after START_ or END_, if the line contains nothing else.
std::optional<std::string_view> section_after(std::string_view line, std::string_view keyword) {
  line = trimmed(line);
  if (!take(line, keyword) || line.empty()) return std::nullopt;
  const bool is_name =
      line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  return is_name ? std::optional(line) : std::nullopt;
}

std::string_view unquoted(std::string_view field) {
  field = trimmed(field);
  const bool is_quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
  return is_quoted ? field.substr(1, field.size() - 2) : field;
}

}  // namespace

bool IbdiagnetSections::BeforeInAnyCase::operator()(std::string_view a,
                                                    std::string_view b) const noexcept {
  return std::ranges::lexicographical_compare(a, b, {}, small_letter, small_letter);
}

IbdiagnetSections::IbdiagnetSections(std::string_view text, std::string_view name,
                                     std::initializer_list<std::string_view> sections)
    : lines_(text, name, describe_content),
      name_(name),
      wanted_(sections.begin(), sections.end()) {}

void IbdiagnetSections::fail(std::string_view message) const { fail_at(name_, row_line_, message); }

void IbdiagnetSections::begin_section(std::string_view section) {
  if (stray_line_ != 0) {
    fail_at(name_, stray_line_, "text between two sections; check that the file is complete");
  }
  has_begun_ = true;
  section_ = section;
  is_wanted_ = std::ranges::find(wanted_, section) != wanted_.end();
  if (!is_wanted_) return;
  const auto [first, is_new] = begun_.try_emplace(section_, lines_.number());
  if (!is_new) {
    lines_.fail(fmt::format("section {} begins a second time; the first one is at line {}",
                            section_, first->second));
  }
  read_columns();
}

void IbdiagnetSections::read_columns() {
  columns_.clear();
  free_text_.reset();
  column_count_ = 0;
  if (!lines_.next() || section_after(lines_.line(), "END_")) {
    lines_.fail(fmt::format("section {} has no line with the names of its columns", section_));
  }
  std::string_view rest = lines_.line();
  for (;;) {
    const std::size_t comma = rest.find(',');
    columns_.try_emplace(std::string(unquoted(rest.substr(0, comma))), column_count_++);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const auto description = columns_.find("NodeDesc");
  if (description != columns_.end()) free_text_ = description->second;
}

/// Fills fields_; returns false if the number of fields and columns differs, or if the description
/// does not end.
bool IbdiagnetSections::split_row() {
  fields_.clear();
  std::string_view rest = row_;
  const std::size_t before = free_text_.value_or(column_count_ - 1);
  for (std::size_t i = 0; i < before; ++i) {
    const std::size_t comma = rest.find(',');
    if (comma == std::string_view::npos) return false;
    fields_.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  const std::size_t behind = column_count_ - 1 - before;
  std::vector<std::string_view> last;
  for (std::size_t i = 0; i < behind; ++i) {
    const std::size_t comma = rest.rfind(',');
    if (comma == std::string_view::npos) return false;
    last.push_back(rest.substr(comma + 1));
    rest = rest.substr(0, comma);
  }
  if (!free_text_ && rest.find(',') != std::string_view::npos) return false;
  const std::string_view text = trimmed(rest);
  if (free_text_ && text.starts_with('"') != (text.size() > 1 && text.ends_with('"'))) return false;
  fields_.push_back(rest);
  fields_.insert(fields_.end(), last.rbegin(), last.rend());
  return true;
}

bool IbdiagnetSections::next() {
  while (lines_.next()) {
    const std::string_view line = lines_.line();
    const std::optional<std::string_view> begun = section_after(line, "START_");
    const std::optional<std::string_view> ended = section_after(line, "END_");
    if (begun && !section_.empty()) {
      lines_.fail(fmt::format(
          "section {} begins before section {} has ended; check that the file is complete", *begun,
          section_));
    }
    if (ended && *ended != section_) {
      lines_.fail(fmt::format(
          "section {} ends here but did not begin; check that the file is complete", *ended));
    }
    if (begun) {
      begin_section(*begun);
    } else if (ended) {
      section_.clear();
    } else if (trimmed(line).empty()) {
      continue;
    } else if (section_.empty()) {
      // Console output may precede the first section and follow the last one.
      if (has_begun_ && stray_line_ == 0 && !line.starts_with('#')) stray_line_ = lines_.number();
    } else if (is_wanted_) {
      row_ = line;
      row_line_ = lines_.number();
      while (!split_row()) {
        const bool may_go_on = free_text_ && row_.find('"') != std::string::npos;
        if (!may_go_on || row_.size() > longest_joined_row || !lines_.next()) {
          fail(fmt::format(
              "'{}' does not have the {} fields of section {}; check that the file is complete",
              excerpt(row_), column_count_, section_));
        }
        row_ += '\n';
        row_ += lines_.line();
      }
      return true;
    }
  }
  if (section_.empty()) return false;
  lines_.fail(fmt::format("the file ends inside section {}: it is cut off", section_));
}

std::optional<std::string_view> IbdiagnetSections::field(std::string_view column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) return std::nullopt;
  return unquoted(fields_[found->second]);
}

std::optional<std::uint64_t> IbdiagnetSections::number(std::string_view column) const {
  std::string_view text = field(column).value_or("");
  if (!is_stated(text)) return std::nullopt;
  const std::string_view whole = text;
  const std::optional<std::uint64_t> value = take_c_number(text);
  if (!value || !text.empty()) {
    fail(fmt::format("'{}' in column {} of section {} is not a number", excerpt(whole), column,
                     section_));
  }
  return value;
}

std::uint64_t IbdiagnetSections::number_up_to(std::string_view column, std::uint64_t most) const {
  const std::optional<std::uint64_t> value = number(column);
  if (value && *value <= most) return *value;
  fail(fmt::format("'{}' in column {} of section {}; expected a number up to {}",
                   excerpt(field(column).value_or("")), column, section_, most));
}

std::optional<Guid> IbdiagnetSections::guid_if_stated(std::string_view column) const {
  const std::string_view whole = field(column).value_or("");
  if (!is_stated(whole)) return std::nullopt;
  std::string_view text = whole;
  take(text, "0x");
  const std::optional<std::uint64_t> value = take_number(text, 16);
  if (!value || !text.empty()) fail_guid(column);
  return *value == 0 ? std::nullopt : value;
}

Guid IbdiagnetSections::guid(std::string_view column) const {
  const std::optional<Guid> stated = guid_if_stated(column);
  if (!stated) fail_guid(column);
  return *stated;
}

void IbdiagnetSections::fail_guid(std::string_view column) const {
  fail(fmt::format("'{}' in column {} of section {}; expected a GUID, such as 0x0002c90300000101",
                   excerpt(field(column).value_or("")), column, section_));
}

}  // namespace pssp
