#pragma once

// Recordings that a signal to the daemon begins and ends.

#include <cstdint>
#include <string>

namespace pssp {

class RecordingSwitch {
 public:
  /// `database` may be empty: then nothing can be recorded.
  explicit RecordingSwitch(std::string database) : database_(std::move(database)) {}
  RecordingSwitch(const RecordingSwitch&) = delete;
  RecordingSwitch& operator=(const RecordingSwitch&) = delete;
  /// A recording that runs is kept.
  ~RecordingSwitch();

  /// Begins a recording, or ends and keeps the one that runs; says so.
  void turn();

 private:
  void keep();

  const std::string database_;
  std::int64_t start_ms_ = 0;  // 0: none runs
};

}  // namespace pssp
