#include "monitor/analysis/port_windows.h"

#include <algorithm>
#include <utility>

// Storing each sweep of a day would take gigabytes. A window that moves in steps of half its length
// takes three sums for each port. As counts are related to the observed time, half a window more or
// less changes no rate. All three parts are allocated with the first sweep; otherwise the daemon
// would grow after half an hour, an hour and half a day, which looks like a memory leak.

namespace pssp {
namespace {

void join_window(PortWindow& sum, const PortWindow& more) {
  sum.seconds += more.seconds;
  sum.known |= more.known;
  sum.saturated = more.saturated;
  sum.status = more.status;
  for (std::size_t c = 0; c < counter_count; ++c) sum.counted[c] += more.counted[c];
}

std::vector<PortWindow> moved(const std::vector<PortWindow>& ports, const FabricMap& from,
                              const FabricMap& to) {
  std::vector<PortWindow> result(to.ports.size());
  for (std::uint32_t p = 0; p < ports.size(); ++p) {
    const MapPort& port = from.ports[p];
    if (const auto now = to.find_port(from.node_of(port).guid, port.number)) {
      result[*now] = ports[p];
    }
  }
  return result;
}

/// The longest time that any port was observed, by the clocks of the snapshots.
double seconds_of(const std::vector<PortWindow>& windows) {
  double longest = 0;
  for (const PortWindow& each : windows) longest = std::max(longest, each.seconds);
  return longest;
}

}  // namespace

void PortWindows::add(const Snapshot& after, const std::vector<PortDifference>& differences) {
  if (map_ != after.map) {
    for (Part& part : parts_) {
      part.ports = map_ == nullptr ? std::vector<PortWindow>(after.map->ports.size())
                                   : moved(part.ports, *map_, *after.map);
    }
  }
  map_ = after.map;
  const std::vector<PortWindow> windows = windows_of(after, differences);
  if (used_ == 0 || parts_[used_ - 1].seconds >= part_s_) begin_part();
  Part& last = parts_[used_ - 1];
  last.seconds += seconds_of(windows);
  for (std::uint32_t p = 0; p < windows.size(); ++p) join_window(last.ports[p], windows[p]);
}

void PortWindows::begin_part() {
  if (used_ == parts_.size()) {
    std::rotate(parts_.begin(), parts_.begin() + 1, parts_.end());
  } else {
    ++used_;
  }
  Part& part = parts_[used_ - 1];
  part.seconds = 0;
  std::ranges::fill(part.ports, PortWindow{});
}

void PortWindows::forget(std::uint32_t port) {
  for (Part& part : parts_) part.ports[port] = {};
}

PortWindow PortWindows::of(std::uint32_t port) const {
  PortWindow sum;
  for (std::size_t i = 0; i < used_; ++i) join_window(sum, parts_[i].ports[port]);
  return sum;
}

}  // namespace pssp
