#include "tools/trial/table_score.h"

#include <fmt/format.h>

namespace pssp {

std::string defects_of(const TableScore& score) {
  std::string text;
  const auto add = [&text](std::uint64_t count, std::string_view what) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(score.unreachable_pairs, "pairs do not reach each other");
  add(score.unreachable_switch_pairs, "pairs of end port and switch have no route (management)");
  add(score.forwarding_loops, "forwarding loops");
  add(score.dead_port_entries, "entries to dead ports");
  return text;
}

}  // namespace pssp
