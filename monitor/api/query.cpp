#include "monitor/api/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/untrusted_text.h"

namespace pssp {
namespace {

constexpr std::size_t longest_target = 4096;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded_escapes(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        throw ApiError{400, "the address has an invalid escape",
                       "write two hexadecimal digits after %"};
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      throw ApiError{400, "the address has a control character", "remove the control character"};
    }
    decoded += c;
  }
  return decoded;
}

/// The part before the separator; removes both from `rest`.
std::string_view cut_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

std::string joined_choices(std::initializer_list<std::string_view> choices) {
  return fmt::format("{}", fmt::join(choices, ", "));
}

}  // namespace

Target::Target(std::string_view target) {
  if (target.size() > longest_target) {
    throw ApiError{414, "the address is too long", "at most 4096 bytes are allowed"};
  }
  if (target.empty() || target.front() != '/') {
    throw ApiError{400, "the address does not begin with a slash", "request a path of this server"};
  }
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  std::string_view path = target.substr(1, mark == std::string_view::npos ? mark : mark - 1);
  while (!path.empty()) path_.push_back(decoded_escapes(cut_part(path, '/'), false));
  if (mark != std::string_view::npos) take_query(target.substr(mark + 1));
}

void Target::take_query(std::string_view query) {
  while (!query.empty()) {
    std::string_view value = cut_part(query, '&');
    if (value.empty()) continue;
    std::string name = decoded_escapes(cut_part(value, '='), true);
    if (find(name) != nullptr) {
      throw ApiError{400, fmt::format("the parameter '{}' is given twice", untrusted_text(name)),
                     "give each parameter once"};
    }
    parameters_.emplace_back(std::move(name), decoded_escapes(value, true));
  }
}

void Target::allow(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, value] : parameters_) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw ApiError{400, fmt::format("unknown parameter '{}'", untrusted_text(name)),
                   names.size() == 0 ? std::string("this path has no parameters")
                                     : "known parameters: " + joined_choices(names)};
  }
}

const std::string* Target::find(std::string_view name) const noexcept {
  for (const auto& [known, value] : parameters_) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::uint64_t Target::number(std::string_view name, std::uint64_t absent, std::uint64_t least,
                             std::uint64_t most) const {
  const std::string* text = find(name);
  if (text == nullptr) return absent;
  std::uint64_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, status] = std::from_chars(text->data(), end, value);
  if (status != std::errc{} || rest != end || value < least || value > most) {
    throw ApiError{400, fmt::format("invalid value: {}={}", name, untrusted_text(*text)),
                   fmt::format("{} must be a number from {} to {}", name, least, most)};
  }
  return value;
}

bool Target::flag(std::string_view name, bool absent) const {
  const std::string* text = find(name);
  if (text == nullptr) return absent;
  for (const std::string_view yes : {"1", "on", "true"}) {
    if (*text == yes) return true;
  }
  for (const std::string_view no : {"0", "off", "false"}) {
    if (*text == no) return false;
  }
  throw ApiError{400, fmt::format("invalid value: {}={}", name, untrusted_text(*text)),
                 fmt::format("{} must be 1 or 0", name)};
}

std::string_view Target::choice(std::string_view name,
                                std::initializer_list<std::string_view> choices) const {
  const std::string* text = find(name);
  if (text == nullptr) return *choices.begin();
  const auto* const found = std::find(choices.begin(), choices.end(), *text);
  if (found != choices.end()) return *found;
  throw ApiError{400, fmt::format("invalid value: {}={}", name, untrusted_text(*text)),
                 fmt::format("{} must be one of {}", name, joined_choices(choices))};
}

std::vector<std::string> Target::list(std::string_view name) const {
  std::vector<std::string> parts;
  const std::string* text = find(name);
  if (text == nullptr) return parts;
  std::string_view rest = *text;
  while (!rest.empty()) parts.emplace_back(cut_part(rest, ','));
  return parts;
}

Guid parse_guid(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.size() > 2 && text.size() <= 18 && text.substr(0, 2) == "0x") {
    const auto [rest, status] = std::from_chars(text.data() + 2, end, value, 16);
    if (status == std::errc{} && rest == end) return value;
  }
  throw ApiError{400, fmt::format("'{}' is not a GUID", untrusted_text(text)),
                 "a GUID is 0x and 1 to 16 hexadecimal digits"};
}

PortNumber parse_port_number(std::string_view text) {
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  if (status == std::errc{} && rest == end && value >= 1 && value <= max_port_number) {
    return static_cast<PortNumber>(value);
  }
  throw ApiError{400, fmt::format("'{}' is not a port number", untrusted_text(text)),
                 "port numbers are 1 to 254"};
}

}  // namespace pssp
