#pragma once

// Bytes of hosts and channels in each sweep of a window, of the samples of its ports.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "monitor/store/history_reader.h"
#include "monitor/window/port_roles.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// Fills the arrays of a window sweep by sweep.
class WindowCounters {
 public:
  /// `window` has its map, with the fabric, and outlives this; `since_ms`: intervals that began
  /// before are left out, a sweep as a whole or not at all; `joined`, 1 ..: so many sweeps in a row
  /// are added up.
  WindowCounters(TrafficWindow& window, std::int64_t since_ms, std::size_t joined);

  /// Samples of a sweep come one after the other. O(1), and O(ports + channels) once a sweep.
  void add(const HistorySample& sample);
  /// After the last; then `observed`, times and waiting shares are there.
  void finish();

 private:
  /// Bytes of one sweep; below 0 is unknown.
  struct Row {
    std::vector<double> sent, received, channels;
    double seconds = 0;
    std::int64_t time_ms = 0;

    void clear();
  };
  struct Waiting {
    double ticks = 0, words = 0;
    bool known = false;
  };

  /// What a sample says of its port.
  struct Reading {
    std::uint32_t port = 0;  // of the map
    TrafficWindow::Position place;
    std::int64_t covered_ms = 0;
    double out = -1, in = -1;  // bytes; below 0: unknown
    double ticks = 0, words = 0;
    bool knows_waiting = false;
  };

  std::int64_t usual_ms() const;
  void take_readings();
  void take(const Reading& reading);
  void end_row();
  void end_sum();

  TrafficWindow& window_;
  const Fabric& fabric_;
  PortRoles roles_;
  std::int64_t since_ms_;
  std::size_t joined_;
  std::vector<Waiting> waited_;  // by port of the map
  std::uint64_t sweep_ = 0;
  std::vector<Reading> readings_;  // of the sweep
  Row row_, sum_;
  std::size_t rows_ = 0;  // in the sum
};

}  // namespace pssp
