#include "routing/engines/parts/routing_notes.h"

#include <fmt/format.h>

namespace pssp {

std::string describe(const TriedConstruction& tried) {
  if (!tried.refusal.empty()) return fmt::format("{}: {}", tried.name, tried.refusal);
  if (tried.slowdown == 0) return fmt::format("{}: score {:.4f}", tried.name, tried.score);
  return fmt::format("{}: bandwidth {:.4f}, S {:.2f}, score {:.4f}", tried.name, tried.bandwidth,
                     tried.slowdown, tried.score);
}

}  // namespace pssp
