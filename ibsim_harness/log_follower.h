#pragma once

// Reads a log that another program writes as it grows. The kernel reports changes (inotify).

#include <filesystem>
#include <string>

#include "ibsim_harness/opensm_log.h"

namespace pssp {

class LogFollower {
 public:
  /// The file may be missing, but its folder must exist.
  explicit LogFollower(std::filesystem::path file);
  LogFollower(const LogFollower&) = delete;
  LogFollower& operator=(const LogFollower&) = delete;
  ~LogFollower();

  /// Readable if something in the folder has changed since the last read_more().
  int descriptor() const noexcept { return descriptor_; }
  /// Reads the lines that were appended.
  void read_more();
  /// The complete lines so far.
  const std::string& text() const noexcept { return text_; }
  const SweepCounts& counts() const noexcept { return counts_; }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::string text_;
  SweepCounts counts_;
};

}  // namespace pssp
