#pragma once

// The path of a message: its links, including those of its hosts.

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

/// Links are numbered: channels by ChannelId, then one from each end port, then one to each.
class MessagePaths {
 public:
  /// Without tables, the fabric is a crossbar: a path has two host links and a switch. Fabric and
  /// tables must outlive the object.
  MessagePaths(const Fabric& fabric, const ForwardingTables* tables, const PathDelays& delays);

  /// By link, in bytes per picosecond.
  std::vector<double> capacities() const;
  std::uint32_t link_count() const noexcept;

  /// Writes the links of the path between two end ports to `links`. Throws
  /// Error(verification_failed), naming both, if the tables have no path.
  void collect(EndPortId from, EndPortId to, std::vector<std::uint32_t>& links) const;
  /// Of a path with this number of links.
  ReplayTime delay(std::size_t links) const noexcept {
    const auto count = static_cast<ReplayTime>(links);
    return count * delays_.link + (count - 1) * delays_.switch_delay;
  }
  /// Of the path between two end ports. O(1) after the first call for a switch.
  ReplayTime delay(EndPortId from, EndPortId to);
  /// "SW1[3] -> SW2[5]", "H1 -> its switch".
  std::string label(std::uint32_t link) const;

 private:
  [[noreturn]] void fail(EndPortId from, EndPortId to) const;

  const Fabric& fabric_;
  const ForwardingTables* tables_;
  PathDelays delays_;
  std::vector<std::uint32_t> scratch_;
  // [switch][end port]: links of the path from an end port of the switch to that one; 0: unknown,
  // or too long to be cached.
  std::vector<std::vector<std::uint8_t>> lengths_;
};

}  // namespace pssp
