#pragma once

// What the commands and the pages about jobs share: where jobs come from, which time is meant, and
// what is found of it.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/configuration/job_settings.h"
#include "monitor/window/job_links.h"
#include "monitor/window/link_users.h"

namespace pssp {

struct JobContext {
  std::filesystem::path database;
  std::string node_name_rule;
  std::vector<std::string> shared_hosts;
  bool show_users = true;
  /// Of a file, instead of those of the database; null: the database's.
  std::shared_ptr<const JobList> jobs;

  void take(const JobSettings& settings);
};

/// Default length of the time that is looked at: thirty sweeps of ten seconds, and for a job the
/// last ten minutes of its life.
inline constexpr std::int64_t users_window_ms = 300'000, job_window_ms = 600'000;
/// Links of a job that are looked at closely.
inline constexpr std::size_t most_job_links = 50;

/// Jobs that ran in the window, and with `waiting` those that wait now; the oldest first.
std::vector<StoredJob> jobs_of(const JobContext& context, const TimeWindow& window, bool waiting);
/// The newest one with that id; nothing where there is none.
std::optional<StoredJob> find_job(const JobContext& context, const std::string& id);
/// The end of its life up to `newest_ms`, `length_ms` long at most.
TimeWindow window_of_job(const StoredJob& job, std::int64_t newest_ms, std::int64_t length_ms);

/// The same time of day and day of the week, a week earlier.
TimeWindow week_before(const TimeWindow& window);
/// The traffic counted in the window. Throws what read_traffic_window() throws.
TrafficWindowPointer traffic_of(const JobContext& context, const TimeWindow& window);

/// A window with its attribution, which takes most of the time to make.
struct AttributedWindow {
  AttributedWindow(const JobContext& context, const TimeWindow& window,
                   const StopSignal& stop = {});
  AttributedWindow(const AttributedWindow&) = delete;
  AttributedWindow& operator=(const AttributedWindow&) = delete;

  /// Index of that job in traffic->jobs.
  std::optional<std::uint32_t> find(const StoredJob& job) const;

  TimeWindow asked;
  TrafficWindowPointer traffic;
  Attribution attribution;
};

}  // namespace pssp
