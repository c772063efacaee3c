#pragma once

// From when on something counts as broken, and what a broken link is still worth: section
// [verdicts] of the configuration (docs/reference/monitor.md, "Verdicts"). Ranges and
// meanings are in the table of configuration.cpp. A limit of 0 events means: never by itself.

#include <cstdint>
#include <string>

namespace pssp {

struct VerdictSettings {
  // Lengths of the two windows, in seconds.
  std::uint32_t short_window_s = 3600;
  std::uint32_t long_window_s = 86'400;

  // Symbol errors, in the long window. Rates are errors in 10^15 bits on the line.
  std::uint64_t bit_errors_bad = 1000;
  std::uint64_t corrected_bit_errors_bad = 10;  ///< of links that correct before they count
  std::uint64_t corrected_symbol_errors_watch = 1;
  std::uint64_t symbol_errors_least = 10;
  std::uint32_t symbol_errors_watch_percent = 10;  ///< of the rate that is bad

  // Events in the long window.
  std::uint64_t recoveries_watch = 1, recoveries_bad = 10;
  std::uint64_t downs_watch = 1, downs_bad = 3;
  /// So many within so many seconds are bad, too.
  std::uint64_t flaps_bad = 2;
  std::uint32_t flaps_s = 60;

  // Events in the short window.
  std::uint64_t receive_errors_watch = 1, receive_errors_bad = 10;
  std::uint64_t remote_errors_watch = 1;
  std::uint64_t relay_errors_watch = 100;
  std::uint64_t constraint_errors_watch = 100;
  std::uint64_t discards_watch = 1, discards_bad = 100;
  std::uint64_t discards_least = 10;           ///< of which the share is looked at
  std::uint64_t discards_per_million_bad = 1;  ///< of packets sent
  std::uint64_t vl15_dropped_watch = 1, vl15_dropped_bad = 100;
  std::uint32_t waiting_watch_percent = 30;

  std::string ignore_file;  ///< ports in maintenance; empty: none

  // What is told to routing.
  std::string capacity_file;  ///< empty: nothing is written
  std::uint32_t capacity_every_s = 600;
  std::uint32_t capacity_bad_percent = 50;
  std::uint32_t capacity_down_percent = 0;
};

}  // namespace pssp
