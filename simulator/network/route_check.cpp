// For each LID, each switch is visited once: a path ends where an earlier one has passed. A path
// that meets itself is a loop.

#include "simulator/network/route_check.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {

void RouteCheck::check(const std::vector<std::uint8_t>& routes, bool may_end) const {
  std::vector<PathChoice> paths;
  for (std::size_t lid = 0; lid < network_.width; ++lid) {
    paths.assign(rows(), PathChoice::unknown);
    for (std::uint32_t node = 0; node < rows(); ++node) {
      if (!asked_[lid * rows() + node]) continue;
      follow(routes, may_end, node, static_cast<std::uint16_t>(lid), paths);
    }
  }
}

void RouteCheck::follow(const std::vector<std::uint8_t>& routes, bool may_end, std::uint32_t node,
                        std::uint16_t lid, std::vector<PathChoice>& paths) const {
  std::vector<std::uint32_t> passed;
  for (std::uint32_t at = node; paths[at] != PathChoice::arrives;) {
    if (paths[at] == PathChoice::looked_at) refuse(node, at, lid, "runs in a cycle through");
    paths[at] = PathChoice::looked_at;
    passed.push_back(at);
    const std::uint8_t out = routes[at * network_.width + lid];
    if (out == no_position && may_end) break;
    if (out == no_position) refuse(node, at, lid, "ends at");
    const Link& link = network_.links[network_.out_link[network_.switches[at].first_port + out]];
    if (link.to_host) {
      const LidOwner owner = fabric_.owner(lid);
      if (owner.kind != LidOwner::Kind::end_port ||
          fabric_.endpoints()[link.head] != EndPortId(owner.index)) {
        refuse(node, at, lid, "leads to a wrong host at");
      }
      break;
    }
    at = link.head;
  }
  for (const std::uint32_t at : passed) paths[at] = PathChoice::arrives;
}

void RouteCheck::refuse(std::uint32_t from, std::uint32_t at, std::uint16_t lid,
                        const char* what) const {
  const LidOwner owner = fabric_.owner(lid);
  const std::string whose =
      owner.kind == LidOwner::Kind::end_port ? " of " + fabric_.label(EndPortId(owner.index)) : "";
  throw Error(
      ErrorKind::verification_failed,
      fmt::format("the route from switch {} to LID {}{} {} switch {}; specify tables with a route "
                  "for all traffic (pssp eval lists missing routes)",
                  fabric_.label(SwitchId(from)), lid, whose, what, fabric_.label(SwitchId(at))));
}

}  // namespace pssp
