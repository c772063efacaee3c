// Backtracks only to the last '*', because the match before it stays valid however long that one
// is. So a glob with many stars costs no more than one with few.

#include "simulator/traffic/glob.h"

#include <cstddef>

namespace pssp {

bool fits_glob(std::string_view text, std::string_view glob) noexcept {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t t = 0;
  std::size_t g = 0;
  std::size_t star = none;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++t;
      ++g;
    } else if (star != none) {
      g = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == none;
}

}  // namespace pssp
