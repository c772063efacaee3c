#pragma once

// A job as a scheduler tells of it: who computes on which nodes, and when.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pssp {

/// All texts are as somebody wrote them, any bytes: untrusted_text() before they are shown.
struct Job {
  std::string id;  ///< as the scheduler numbers it; never empty
  std::string name, user;
  std::string state;                    ///< the scheduler's word: RUNNING, PENDING; may be empty
  std::optional<std::int64_t> start_s;  ///< since 1970; none: not begun, or no one knows
  std::optional<std::int64_t> end_s;    ///< a scheduler may say here when a running job must end
  std::vector<std::string> nodes;       ///< the scheduler's names, none twice, in its order
};

/// What a source says at one time.
struct JobList {
  static constexpr std::size_t most_jobs = 100'000;
  static constexpr std::size_t most_nodes = std::size_t{1} << 20;  ///< of all jobs together
  static constexpr std::size_t most_problems = 20;

  std::vector<Job> jobs;  ///< in the order of the source; an id once, the last one that was said
  /// Lines that are none, or say what cannot be: left out, counted, and the first ones named in a
  /// sentence each that may be shown.
  std::size_t bad_lines = 0;
  std::vector<std::string> problems;

  void refuse(std::string sentence) {
    ++bad_lines;
    if (problems.size() < most_problems) problems.push_back(std::move(sentence));
  }
};

}  // namespace pssp
