#pragma once

// Computes the bytes of hosts and channels in each sweep of a window from the samples of its ports.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "monitor/store/history_reader.h"
#include "monitor/window/port_roles.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// Fills the arrays of a window, sweep by sweep.
class WindowCounters {
 public:
  /// `window` must have its map, including the Fabric, and must outlive this object. Sweeps whose
  /// interval began before `since_ms` are left out. `joined` consecutive sweeps are added up; at
  /// least 1.
  WindowCounters(TrafficWindow& window, std::int64_t since_ms, std::size_t joined);

  /// Takes the samples in the order of their sweeps. O(1), plus O(ports + channels) once per sweep.
  void add(const HistorySample& sample);
  /// Call this after the last sample; it completes `observed`, the times and the waiting shares.
  void finish();

 private:
  /// Bytes of one sweep; below 0: unknown.
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

  /// The information in a sample about its port.
  struct Reading {
    std::uint32_t port = 0;  // index of the port in the map
    TrafficWindow::Position place;
    std::int64_t covered_ms = 0;
    double out = -1, in = -1;  // in bytes; below 0: unknown
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
  std::vector<Reading> readings_;  // readings of the current sweep
  Row row_, sum_;
  std::size_t rows_ = 0;  // number of sweeps in sum_
};

}  // namespace pssp
