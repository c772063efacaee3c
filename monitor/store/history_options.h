#pragma once

// Options of a history: where its file is, and how much it keeps.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace pssp {

/// The resolutions in which a history is kept, from the finest to the coarsest.
enum class HistoryLevel : std::uint8_t { raw, five_minutes, hour };
inline constexpr std::size_t history_levels = 3;
inline constexpr std::int64_t five_minutes_ms = 300'000, hour_ms = 3'600'000;
inline constexpr std::int64_t day_ms = 24 * hour_ms;

constexpr const char* name_of(HistoryLevel level) noexcept {
  return level == HistoryLevel::raw ? "raw" : level == HistoryLevel::five_minutes ? "5min" : "hour";
}

struct HistoryOptions {
  std::filesystem::path file;
  /// limit for the size of the file; at least 4 MiB
  std::uint64_t max_bytes = std::uint64_t{10} << 30;
  std::uint32_t raw_hours = 6;
  std::uint32_t five_minutes_days = 14;
  std::uint32_t hours_days = 400;
  /// True: every sweep is on disk before write() returns. False: a power failure may lose the last
  /// sweeps; a crash of the process loses none in either case.
  bool full_sync = false;
  /// Rule that derives node names from adapter descriptions (NodeNameRule). Empty: the first word.
  std::string node_names;
  /// User names of jobs are not stored, and stored ones are erased.
  bool hide_users = false;

  /// Retention of everything that is not a sample; the same as that of the coarsest level.
  std::int64_t longest_kept_ms() const noexcept { return hours_days * day_ms; }
};

}  // namespace pssp
