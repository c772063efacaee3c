// Lines are found with memchr in at most 64 KiB at a time, so that a file without line feeds is
// rejected after its first 64 KiB.

#include "base/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;
static_assert(buffer_size > TextLines::beginning_size);

}  // namespace

void fail_at(std::string_view name, std::size_t line, std::string_view message) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}:{}: {}", name, line, printable(message)));
}

TextLines::TextLines(std::string_view text, std::string_view name, DescribeText describe)
    : name_(name), describe_(describe) {
  begin(text);
}

TextLines::TextLines(FileReader& file, std::string_view name, DescribeText describe)
    : name_(name), describe_(describe), file_(&file), buffer_(buffer_size) {
  kept_beginning_ = file.peek(beginning_size);
  begin(kept_beginning_);
  // The file would return the beginning again.
  while (bytes_read_ < kept_beginning_.size()) {
    bytes_read_ += file.read(buffer_.data(), kept_beginning_.size() - bytes_read_);
  }
}

void TextLines::begin(std::string_view first_part) {
  beginning_ = first_part;
  if (first_part.starts_with("\xFF\xFE") || first_part.starts_with("\xFE\xFF")) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: this is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8", name_));
  }
  check(first_part, 0);
  if (!first_part.empty()) last_byte_ = first_part.back();
  take(first_part, "\xEF\xBB\xBF");
  rest_ = first_part;
}

/// `part` begins at the offset, with the line after the current one.
void TextLines::check(std::string_view part, std::size_t offset) const {
  const std::size_t nul = part.find('\0');
  if (nul == std::string_view::npos) return;
  const auto lines =
      std::count(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
  fail_at(name_, number_ + static_cast<std::size_t>(lines) + 1,
          fmt::format("NUL byte at offset {}: this is not text{}", offset + nul,
                      describe_ == nullptr ? "" : ", it looks like " + describe_(beginning_)));
}

/// Reads more data after the remaining part of the buffer. Returns false at the end of the text.
bool TextLines::refill() {
  if (file_ == nullptr) return false;
  const std::size_t left = rest_.size();
  std::copy(rest_.begin(), rest_.end(), buffer_.begin());
  const std::size_t count = file_->read(buffer_.data() + left, buffer_.size() - left);
  rest_ = std::string_view(buffer_.data(), left + count);
  if (count == 0) {
    file_ = nullptr;
    return false;
  }
  check(rest_, bytes_read_ - left);
  bytes_read_ += count;
  last_byte_ = rest_.back();
  return true;
}

bool TextLines::next() {
  std::size_t end = rest_.substr(0, max_length + 1).find('\n');
  while (end == std::string_view::npos && rest_.size() <= max_length && refill()) {
    end = rest_.substr(0, max_length + 1).find('\n');
  }
  if (rest_.empty()) return false;
  ++number_;
  if (end == std::string_view::npos && rest_.size() > max_length) {
    fail(
        fmt::format("the line is longer than {} bytes, the limit; check that it is the right file "
                    "and that its line ends are intact",
                    max_length));
  }
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  while (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  return true;
}

void TextLines::fail(std::string_view message) const { fail_at(name_, number_, message); }

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string_view without_indent(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return without_indent(text);
}

bool take(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<std::uint64_t> take_number(std::string_view& text, int base) noexcept {
  std::uint64_t value = 0;
  const char* const begin = text.data();
  const auto [end, status] = std::from_chars(begin, begin + text.size(), value, base);
  if (status != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - begin));
  return value;
}

std::optional<std::uint64_t> take_c_number(std::string_view& text) noexcept {
  return take(text, "0x") || take(text, "0X") ? take_number(text, 16) : take_number(text);
}

std::optional<double> decimal_fraction(std::string_view text) noexcept {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (status != std::errc{} || rest != end) return {};
  return value;
}

std::string_view take_word(std::string_view& text) noexcept {
  text = without_indent(text);
  const auto end = std::find_if(text.begin(), text.end(), is_blank);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace pssp
