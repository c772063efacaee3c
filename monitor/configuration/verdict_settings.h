#pragma once

// Section [verdicts] of the configuration: limits from which a link is watched or bad, and the
// remaining capacity of bad links (docs/reference/monitor.md, "Verdicts"). The table in
// configuration.cpp defines ranges and meanings. A limit of 0 events never applies.

#include <cstdint>
#include <string>

namespace pssp {

struct VerdictSettings {
  // Lengths of the two windows, in seconds.
  std::uint32_t short_window_s = 3600;
  std::uint32_t long_window_s = 86'400;

  // Symbol errors in the long window. Rates are errors per 10^15 bits on the link.
  std::uint64_t bit_errors_bad = 1000;
  /// for links with error correction (50 Gbit/s per lane or faster)
  std::uint64_t corrected_bit_errors_bad = 10;
  std::uint64_t corrected_symbol_errors_watch = 1;
  std::uint64_t symbol_errors_least = 10;
  std::uint32_t symbol_errors_watch_percent = 10;  ///< percentage of the limit for bad

  // Events in the long window.
  std::uint64_t recoveries_watch = 1, recoveries_bad = 10;
  std::uint64_t downs_watch = 1, downs_bad = 3;
  /// This many flaps within flaps_s seconds are bad, too.
  std::uint64_t flaps_bad = 2;
  std::uint32_t flaps_s = 60;

  // Events in the short window.
  std::uint64_t receive_errors_watch = 1, receive_errors_bad = 10;
  std::uint64_t remote_errors_watch = 1;
  std::uint64_t relay_errors_watch = 100;
  std::uint64_t constraint_errors_watch = 100;
  std::uint64_t discards_watch = 1, discards_bad = 100;
  /// the share of discards counts only from this number on
  std::uint64_t discards_least = 10;
  std::uint64_t discards_per_million_bad = 1;  ///< discards per million packets sent
  std::uint64_t vl15_dropped_watch = 1, vl15_dropped_bad = 100;
  std::uint32_t waiting_watch_percent = 30;

  std::string ignore_file;  ///< file of ports in maintenance; empty: none

  // Information for the routing.
  std::string capacity_file;  ///< empty: no file is written
  std::uint32_t capacity_every_s = 600;
  std::uint32_t capacity_bad_percent = 50;
  std::uint32_t capacity_down_percent = 0;
};

}  // namespace pssp
