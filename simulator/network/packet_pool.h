#pragma once

// Packets in the network.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "simulator/simulated_time.h"

namespace pssp {

inline constexpr std::uint32_t credit_bytes = 64;

constexpr std::uint32_t credits_of(std::uint32_t bytes) noexcept {
  return (bytes + credit_bytes - 1) / credit_bytes;
}

/// Half a cache line.
struct Packet {
  SimulatedTime created = 0;
  std::uint32_t next = no_index;        ///< next in its queue or in the free list
  std::uint32_t flow = no_index;        ///< none: uniform traffic, or a BECN
  std::uint32_t queue_pair = no_index;  ///< of the sender, or for a BECN; none: no control
  std::uint32_t sequence = 0;           ///< within its flow
  std::uint16_t lid = 0;
  std::uint16_t bytes = 0;
  std::uint8_t lane = 0, level = 0;
  std::uint8_t out = 0;  ///< position of the output at the switch where it waits
  bool fecn : 1;
  bool becn : 1;
  bool lost : 1;  ///< lost with its link
};
static_assert(sizeof(Packet) == 32);

/// A pool with a free list; its size is the maximum number of packets in flight.
class PacketPool {
 public:
  std::uint32_t take() {
    ++in_use_;
    if (free_ == no_index) {
      packets_.push_back({});
      return static_cast<std::uint32_t>(packets_.size() - 1);
    }
    const std::uint32_t taken = free_;
    free_ = packets_[taken].next;
    return taken;
  }
  void give_back(std::uint32_t packet) {
    --in_use_;
    packets_[packet].next = free_;
    free_ = packet;
  }

  Packet& operator[](std::uint32_t packet) noexcept { return packets_[packet]; }
  const Packet& operator[](std::uint32_t packet) const noexcept { return packets_[packet]; }
  std::uint64_t in_use() const noexcept { return in_use_; }
  std::size_t bytes() const noexcept { return packets_.capacity() * sizeof(Packet); }

 private:
  std::vector<Packet> packets_;
  std::uint32_t free_ = no_index;
  std::uint64_t in_use_ = 0;
};

}  // namespace pssp
