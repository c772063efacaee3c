#pragma once

// Checks that nothing is lost: the credits of each link and lane are at the sender, on the way
// back, or held by a packet; each packet that entered the network has left it or is in it.

#include <cstdint>
#include <vector>

#include "simulator/kernel/event.h"
#include "simulator/network/network.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

/// Used between two events of a run. The caller must add() each pending event.
class ConservationCheck {
 public:
  ConservationCheck(const Network& network, const PacketPool& packets);

  void add(const Event& event);
  /// Throws Error(internal) with the link that lost or gained credits, or with the number of
  /// packets. `in_flight`: packets sent and not taken, as counted by the run.
  void check(std::uint64_t in_flight) const;
  /// The argument `pending` of deadlock_cycle(): [link * lanes + lane].
  const std::vector<bool>& pending() const noexcept { return pending_; }

 private:
  void hold(std::uint32_t link, std::uint32_t lane, std::uint32_t credits);

  const Network& network_;
  const PacketPool& packets_;
  std::vector<std::uint64_t> held_;  // credits that are not at the sender
  std::vector<bool> pending_;
  std::uint64_t found_ = 0;  // packets found in the network
};

}  // namespace pssp
