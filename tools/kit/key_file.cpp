#include "tools/kit/key_file.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"

namespace pssp {

std::uint64_t read_key(std::string_view text, std::string_view name, std::string_view where) {
  const int base = take(text, "0x") ? 16 : 10;
  const std::optional<std::uint64_t> key = take_number(text, base);
  if (!key || !text.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: expected a {}, a number of at most 64 bits such as 0x1234", where, name));
  }
  return *key;
}

std::uint64_t read_key_file(const std::string& file, std::string_view name) {
  constexpr std::size_t longest_key_file = 4096;
  const std::string text = read_file(file, longest_key_file);
  const std::string_view first_line = std::string_view(text).substr(0, text.find_first_of("\r\n"));
  return read_key(trimmed(first_line), name, file);
}

}  // namespace pssp
