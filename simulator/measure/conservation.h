#pragma once

// Nothing may be lost: credits of each link and lane are with the sender, under way back, or behind
// a packet; packets that entered the network have left it or are somewhere.

#include <cstdint>
#include <vector>

#include "simulator/kernel/event.h"
#include "simulator/network/network.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

/// Counted between two events of a run. add() is told each event that is still in the queue.
class ConservationCheck {
 public:
  ConservationCheck(const Network& network, const PacketPool& packets);

  void add(const Event& event);
  /// Throws Error(internal) with the link that lost or gained credits, or the number of packets.
  /// `in_flight`: sent and not taken, as counted by the run.
  void check(std::uint64_t in_flight) const;
  /// As deadlock_cycle() wants to know it: [link * lanes + lane].
  const std::vector<bool>& pending() const noexcept { return pending_; }

 private:
  void hold(std::uint32_t link, std::uint32_t lane, std::uint32_t credits);

  const Network& network_;
  const PacketPool& packets_;
  std::vector<std::uint64_t> held_;  // credits away from the sender
  std::vector<bool> pending_;
  std::uint64_t found_ = 0;  // packets in the network
};

}  // namespace pssp
