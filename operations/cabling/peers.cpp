// Machines are numbered, and what they are is in the letters: nothing else of a name is understood.

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
