#pragma once

// Recordings that a signal to the daemon, or a page of it, begins and ends.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "monitor/service/service_log.h"

namespace pssp {

/// Bytes of the name of a recording that is begun by a request.
inline constexpr std::size_t longest_recording_name = 100;

struct RunningRecording {
  std::string name;  ///< hostile
  std::int64_t start_ms = 0, end_ms = 0;
};

/// Functions may be called from any thread.
class RecordingSwitch {
 public:
  /// `database` may be empty: then nothing can be recorded.
  RecordingSwitch(std::string database, ServiceLog log);
  RecordingSwitch(const RecordingSwitch&) = delete;
  RecordingSwitch& operator=(const RecordingSwitch&) = delete;
  /// A recording that runs is kept.
  ~RecordingSwitch();

  /// Begins a recording, or ends and keeps the one that runs; says so.
  void turn();

  std::optional<RunningRecording> running() const;
  /// An empty name: its time. Nothing where one runs already.
  std::optional<RunningRecording> begin(const std::string& name);
  /// Keeps it, which may take seconds. Nothing where none runs. Throws ApiError where it cannot be
  /// kept; it goes on then.
  std::optional<RunningRecording> end();

 private:
  void keep();
  void set_running(std::optional<RunningRecording> running);
  RunningRecording write();

  const std::string database_;
  const ServiceLog log_;
  std::mutex change_;         // one change at a time, while running() does not wait for the disk
  mutable std::mutex state_;  // for what follows
  std::optional<RunningRecording> running_;
};

}  // namespace pssp
