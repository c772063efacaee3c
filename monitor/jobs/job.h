#pragma once

// A job as a scheduler reports it: its user, its nodes and its times.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pssp {

/// All texts are untrusted and may contain any bytes: apply untrusted_text() before printing.
struct Job {
  std::string id;  ///< the scheduler's id of the job; never empty
  std::string name, user;
  /// in the scheduler's notation, such as RUNNING or PENDING; may be empty
  std::string state;
  std::optional<std::int64_t> start_s;  ///< seconds since 1970; nothing: not started, or unknown
  /// seconds since 1970; for a running job, a scheduler may state its time limit here
  std::optional<std::int64_t> end_s;
  /// in the scheduler's notation and order, without duplicates
  std::vector<std::string> nodes;
};

/// The jobs that a source lists at one time.
struct JobList {
  static constexpr std::size_t most_jobs = 100'000;
  static constexpr std::size_t most_nodes = std::size_t{1} << 20;  ///< summed over all jobs
  static constexpr std::size_t most_problems = 20;

  /// in the order of the source; if an id occurs twice, the last entry counts
  std::vector<Job> jobs;
  /// Number of invalid lines, which are ignored. `problems` describes the first ones, one printable
  /// sentence each.
  std::size_t bad_lines = 0;
  std::vector<std::string> problems;

  void refuse(std::string sentence) {
    ++bad_lines;
    if (problems.size() < most_problems) problems.push_back(std::move(sentence));
  }
};

}  // namespace pssp
