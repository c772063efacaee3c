// Machines are numbered, and the letters describe their role; other parts of a name are not
// interpreted.

#include "operations/cabling/peers.h"

#include "base/text_lines.h"

namespace pssp {

std::string kind_of_name(std::string_view name) {
  std::string kind;
  for (const char c : name) {
    if (!is_digit(c)) {
      kind += c;
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

}  // namespace pssp
