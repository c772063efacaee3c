// Parses and describes the values of options: the part of option tables that does not depend on the
// struct.

#include "base/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/closest_name.h"
#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

std::string range_of(const OptionDomain& domain) {
  return fmt::format("{} .. {}", domain.low, domain.high);
}

std::optional<std::uint64_t> number_in(const OptionDomain& domain, std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || rest != end || number < domain.low || number > domain.high) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

std::string OptionDomain::values() const {
  if (kind != Kind::number && kind != Kind::choice) return std::string(hint);
  std::string result = fmt::format("{}", fmt::join(words, " | "));
  if (kind == Kind::number) result += (words.empty() ? "" : " | ") + range_of(*this);
  return result;
}

std::string OptionDomain::expected() const {
  if (kind == Kind::absolute_path) return "an absolute path";
  if (kind != Kind::number && kind != Kind::choice) return std::string(hint);
  std::vector<std::string> all(words.begin(), words.end());
  if (kind == Kind::number) all.push_back(fmt::format("a number from {} to {}", low, high));
  const std::string last = all.back();
  all.pop_back();
  return all.empty() ? last : fmt::format("{} or {}", fmt::join(all, ", "), last);
}

OptionValue understand(const OptionDomain& domain, std::string_view name, std::string_view value) {
  OptionValue result;
  result.text = value;
  const bool is_path = domain.kind == OptionDomain::Kind::absolute_path;
  if (domain.kind == OptionDomain::Kind::text || domain.kind == OptionDomain::Kind::file ||
      (is_path && value.starts_with('/'))) {
    return result;
  }
  const auto found = std::ranges::find(domain.words, value);
  if (found != domain.words.end()) {
    result.word = static_cast<std::size_t>(found - domain.words.begin());
    return result;
  }
  if (domain.kind == OptionDomain::Kind::number) {
    if (const std::optional<std::uint64_t> number = number_in(domain, value)) {
      result.number = *number;
      return result;
    }
  }
  throw Error(ErrorKind::usage, fmt::format("option {}={}: not {}{}", excerpt(name), excerpt(value),
                                            domain.expected(), did_you_mean(value, domain.words)));
}

std::string markdown_rows(std::span<const OptionDescription> options) {
  std::string rows;
  for (const OptionDescription& option : options) {
    std::string values = option.values;
    // A bar would end the cell of the Markdown table.
    for (std::size_t at = 0; (at = values.find(" | ", at)) != std::string::npos; at += 2) {
      values.erase(at, 1);
      values[at] = ',';
    }
    rows += fmt::format("| `{}` | {} | {} | {} |\n", option.name, values,
                        option.fallback.empty() ? "none" : option.fallback, option.meaning);
  }
  return rows;
}

}  // namespace pssp
