#include "base/natural_order.h"

#include <algorithm>

#include "base/text_lines.h"

namespace pssp {

bool is_naturally_less(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto take_digits = [](std::string_view& text) {
        const std::size_t zeros = std::min(text.find_first_not_of('0'), text.size());
        text.remove_prefix(zeros);
        const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
        const std::string_view digits = text.substr(0, length);
        text.remove_prefix(length);
        return digits;
      };
      const std::string_view x = take_digits(a), y = take_digits(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

}  // namespace pssp
