#pragma once

// The way of a message: which links it crosses, those of its hosts included.

#include <cstdint>
#include <vector>

#include "applications/schedule/playing.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Delays of the model of simulate_fabric.
struct PathDelays {
  ReplayTime link = 5'000;
  ReplayTime switch_delay = 100'000;
};

/// Links are numbers: the channels by ChannelId, then one from each end port, then one to each.
class MessagePaths {
 public:
  /// Without tables all links but those of hosts are a crossbar: the way is two links and a switch.
  /// Fabric and tables must outlive the object.
  MessagePaths(const Fabric& fabric, const ForwardingTables* tables, const PathDelays& delays);

  /// Of each link, bytes a picosecond.
  std::vector<double> capacities() const;
  std::uint32_t link_count() const noexcept;

  /// The links of the way from one end port to another, into `links`. Throws
  /// Error(verification_failed) with both ends where the tables have no way.
  void collect(EndPortId from, EndPortId to, std::vector<std::uint32_t>& links) const;
  /// Of a way of so many links.
  ReplayTime delay(std::size_t links) const noexcept {
    const auto count = static_cast<ReplayTime>(links);
    return count * delays_.link + (count - 1) * delays_.switch_delay;
  }
  /// Of the way between two end ports. O(1) from the second time on for all end ports of the switch
  /// that it begins at.
  ReplayTime delay(EndPortId from, EndPortId to);
  /// "SW1[3] -> SW2[5]", "H1 -> its switch".
  std::string label(std::uint32_t link) const;

 private:
  [[noreturn]] void fail(EndPortId from, EndPortId to) const;

  const Fabric& fabric_;
  const ForwardingTables* tables_;
  PathDelays delays_;
  std::vector<std::uint32_t> scratch_;
  // [switch][end port]: links of the way from an end port of the switch to that one; 0: not known
  // yet, or too long to be kept.
  std::vector<std::vector<std::uint8_t>> lengths_;
};

}  // namespace pssp
