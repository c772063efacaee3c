#pragma once

// Checks that all traffic can arrive, before the run.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "simulator/network/network.h"

namespace pssp {

/// Collects (switch, LID) pairs, and checks each path once.
class RouteCheck {
 public:
  RouteCheck(const Fabric& fabric, const Network& network)
      : fabric_(fabric), network_(network), asked_(network.switches.size() * network.width) {}

  /// Hosts at the switch will send to the LID.
  void ask(std::uint32_t node, std::uint16_t lid) { asked_[lid * rows() + node] = true; }

  /// Throws Error(verification_failed) with the first route that ends at a switch, at a wrong host
  /// or in a loop. O(LIDs * switches).
  void check() const { check(network_.routes, false); }
  /// The same for later routes (Network::routes); `may_end`: routes may end at a switch, where
  /// packets are lost.
  void check(const std::vector<std::uint8_t>& routes, bool may_end) const;

 private:
  enum class PathChoice : std::uint8_t { unknown, looked_at, arrives };

  std::size_t rows() const noexcept { return network_.switches.size(); }
  void follow(const std::vector<std::uint8_t>& routes, bool may_end, std::uint32_t node,
              std::uint16_t lid, std::vector<PathChoice>& paths) const;
  [[noreturn]] void refuse(std::uint32_t from, std::uint32_t at, std::uint16_t lid,
                           const char* what) const;

  const Fabric& fabric_;
  const Network& network_;
  std::vector<bool> asked_;  // [LID * switches + switch]
};

}  // namespace pssp
