#include "topologies/size_list.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace pssp {

std::vector<unsigned> parse_size_list(std::string_view text, char separator, unsigned low,
                                      unsigned high, std::string_view what) {
  std::vector<unsigned> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    unsigned value = 0;
    const auto [rest, status] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (status != std::errc{} || rest != item.data() + item.size() || value < low || value > high) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "{}: '{}' in '{}' is not a whole number from {} to {}; expected numbers with '{}' "
              "between them",
              what, item, text, low, high, separator));
    }
    sizes.push_back(value);
    begin = end + 1;
  }
  return sizes;
}

}  // namespace pssp
