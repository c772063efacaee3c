#include "base/utf8.h"

namespace pssp {
namespace {

/// The number of bytes after a first one, and the lowest code with this length.
struct Form {
  std::size_t following;
  std::uint32_t bits, least;
};

constexpr Form no_form{0, 0, 0x110000};

Form form_of(std::uint8_t first) {
  if (first < 0x80) return {0, first, 0};
  if (first >> 5 == 0x06) return {1, first & 0x1FU, 0x80};
  if (first >> 4 == 0x0E) return {2, first & 0x0FU, 0x800};
  if (first >> 3 == 0x1E) return {3, first & 0x07U, 0x10000};
  return no_form;
}

}  // namespace

Utf8Character first_utf8_character(std::string_view text) {
  const Form form = form_of(static_cast<std::uint8_t>(text.front()));
  if (text.size() <= form.following) return {};
  std::uint32_t code = form.bits;
  for (std::size_t i = 1; i <= form.following; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte >> 6 != 0x02) return {};
    code = code << 6 | (byte & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < form.least || code > 0x10FFFF || surrogate) return {};
  return {1 + form.following, code, true};
}

}  // namespace pssp
