#include "base/shown.h"

namespace pssp {

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
  }
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t max_shown = 60;
  std::string result = printable(text.substr(0, max_shown));
  if (text.size() > max_shown) result += "...";
  return result;
}

}  // namespace pssp
