#pragma once

// Common parts of the commands and the pages about jobs: the source of the jobs, the window of
// time, and its attribution.

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
  std::string node_names;
  std::vector<std::string> shared_hosts;
  bool show_users = true;
  /// Jobs from a file, which replace those of the database; null if the database is used.
  std::shared_ptr<const JobList> jobs;

  void take(const JobSettings& settings);
};

/// Default lengths of windows: thirty sweeps of ten seconds for the users of a link, and the last
/// ten minutes of a job.
inline constexpr std::int64_t users_window_ms = 300'000, job_window_ms = 600'000;
/// Largest number of links of a job that are examined in detail.
inline constexpr std::size_t most_job_links = 50;

/// Jobs that ran in the window, and with `waiting` also jobs that are waiting now; oldest first.
std::vector<StoredJob> jobs_of(const JobContext& context, const TimeWindow& window, bool waiting);
/// The newest job with this id; nullopt if there is none.
std::optional<StoredJob> find_job(const JobContext& context, const std::string& id);
/// The last part of the job up to `newest_ms`, at most `length_ms` long.
TimeWindow window_of_job(const StoredJob& job, std::int64_t newest_ms, std::int64_t length_ms);

/// The same time of day and day of the week, a week earlier.
TimeWindow week_before(const TimeWindow& window);
/// The traffic counted in the window. Throws what read_traffic_window() throws.
TrafficWindowPointer traffic_of(const JobContext& context, const TimeWindow& window);

/// A window with its attribution, which is expensive to compute.
struct AttributedWindow {
  AttributedWindow(const JobContext& context, const TimeWindow& window,
                   const StopSignal& stop = {});
  AttributedWindow(const AttributedWindow&) = delete;
  AttributedWindow& operator=(const AttributedWindow&) = delete;

  /// Index of the job in traffic->jobs; nullopt if the job is not in the window.
  std::optional<std::uint32_t> find(const StoredJob& job) const;

  TimeWindow asked;
  TrafficWindowPointer traffic;
  Attribution attribution;
};

}  // namespace pssp
