#include "routing/engines/parts/selection/routing_notes.h"

#include <fmt/format.h>

namespace pssp {

std::string describe(const TriedConstruction& tried) {
  if (!tried.refusal.empty()) return fmt::format("{}: {}", tried.name, tried.refusal);
  const std::string lids = tried.lids == 1
                               ? ""
                               : fmt::format(" over {} LIDs per host, {:.4f} over base LIDs alone",
                                             tried.lids, tried.base_score);
  if (tried.slowdown == 0) {
    return fmt::format("{}: score {:.4f}{}", tried.name, tried.score, lids);
  }
  const std::string servers = tried.with_servers == tried.slowdown
                                  ? ""
                                  : fmt::format(" ({:.2f} with servers)", tried.with_servers);
  return fmt::format("{}: bandwidth {:.4f}, S {:.2f}{}, score {:.4f}{}", tried.name,
                     tried.bandwidth, tried.slowdown, servers, tried.score, lids);
}

}  // namespace pssp
