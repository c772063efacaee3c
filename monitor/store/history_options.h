#pragma once

// What a history is told: where it is, and how much it keeps.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace pssp {

/// The grains in which history is kept, from the finest.
enum class HistoryLevel : std::uint8_t { raw, five_minutes, hour };
inline constexpr std::size_t history_levels = 3;
inline constexpr std::int64_t five_minutes_ms = 300'000, hour_ms = 3'600'000;
inline constexpr std::int64_t day_ms = 24 * hour_ms;

constexpr const char* name_of(HistoryLevel level) noexcept {
  return level == HistoryLevel::raw ? "raw" : level == HistoryLevel::five_minutes ? "5min" : "hour";
}

struct HistoryOptions {
  std::filesystem::path file;
  std::uint64_t max_bytes = std::uint64_t{10} << 30;  ///< of the file; at least 4 MiB
  std::uint32_t raw_hours = 6;
  std::uint32_t five_minutes_days = 14;
  std::uint32_t hours_days = 400;
  /// Every sweep is on the disk before write() returns. Otherwise a power cut may take the last
  /// ones; the end of the process takes none either way.
  bool full_sync = false;
  /// How descriptions of adapters become names of nodes (NodeNameRule); empty: the first word.
  std::string node_name_rule;
  /// Names of the users of jobs are not stored, and those that are there go.
  bool hide_users = false;

  /// How long what is no sample is kept: as the coarsest grain is.
  std::int64_t longest_kept_ms() const noexcept { return hours_days * day_ms; }
};

}  // namespace pssp
