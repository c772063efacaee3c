#pragma once

// The channel dependency graph (Dally, Seitz: "Deadlock-Free Message Routing in Multiprocessor
// Interconnection Networks", 1987). The vertices are channels; an edge leads from c1 to c2 if a
// route uses c2 right after c1. The routing is deadlock-free on one virtual lane if the graph has
// no cycle.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// One bit for each pair of consecutive channels of the fabric.
class ChannelDependencies {
 public:
  explicit ChannelDependencies(const Fabric& fabric);

  /// c2 must leave the switch that c1 leads to. O(1).
  void add(ChannelId c1, ChannelId c2) noexcept {
    const std::uint32_t position =
        c2.value() - fabric_.first_channel()[fabric_.channel_head()[c1.value()]];
    words_[first_word_[c1.value()] + position / 64] |= std::uint64_t{1} << position % 64;
  }

  std::uint64_t count() const noexcept;
  /// Channels that c1 waits for, ascending, appended to `successors`.
  void successors(ChannelId c1, std::vector<std::uint32_t>& successors) const;

  /// The channels of a cycle in order, where the last one waits for the first one; empty if there
  /// is no cycle. The cycle is the shortest one through one of the first channels that are on a
  /// cycle. O(channels + dependencies).
  std::vector<ChannelId> find_cycle() const;

 private:
  const Fabric& fabric_;
  std::vector<std::uint64_t> first_word_;  // by channel
  std::vector<std::uint64_t> words_;
};

/// One line per channel: "S1[3] -> S2[4] waits for the next channel".
std::string describe_cycle(const Fabric& fabric, std::span<const ChannelId> cycle);

}  // namespace pssp
