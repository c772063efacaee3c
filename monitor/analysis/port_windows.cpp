#include "monitor/analysis/port_windows.h"

#include <algorithm>
#include <utility>

// Keeping each sweep of a day would take gigabytes. A window that moves in steps of half its length
// takes three sums a port, and since counts are held against the time that was watched, half a
// window more or less changes no rate.

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

/// Of the snapshots' own clocks: the longest that any port was watched.
double seconds_of(const std::vector<PortWindow>& windows) {
  double longest = 0;
  for (const PortWindow& each : windows) longest = std::max(longest, each.seconds);
  return longest;
}

}  // namespace

void PortWindows::add(const Snapshot& after, const std::vector<PortDifference>& differences) {
  if (map_ != after.map && map_ != nullptr) {
    for (Part& part : parts_) part.ports = moved(part.ports, *map_, *after.map);
  }
  map_ = after.map;
  std::vector<PortWindow> windows = windows_of(after, differences);
  const double seconds = seconds_of(windows);
  if (parts_.empty() || parts_.back().seconds >= part_s_) {
    constexpr std::size_t most_parts = 3;
    if (parts_.size() == most_parts) parts_.erase(parts_.begin());
    parts_.push_back({seconds, std::move(windows)});
    return;
  }
  Part& last = parts_.back();
  last.seconds += seconds;
  for (std::uint32_t p = 0; p < windows.size(); ++p) join_window(last.ports[p], windows[p]);
}

void PortWindows::forget(std::uint32_t port) {
  for (Part& part : parts_) part.ports[port] = {};
}

PortWindow PortWindows::of(std::uint32_t port) const {
  PortWindow sum;
  for (const Part& part : parts_) join_window(sum, part.ports[port]);
  return sum;
}

}  // namespace pssp
