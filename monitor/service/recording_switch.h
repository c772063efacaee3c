#pragma once

// Recordings that a signal to the daemon, or a request from a page, starts and ends.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "monitor/service/service_log.h"

namespace pssp {

/// Largest length of the name of a recording that a request starts, in bytes.
inline constexpr std::size_t longest_recording_name = 100;

struct RunningRecording {
  std::string name;  ///< untrusted text
  std::int64_t start_ms = 0, end_ms = 0;
};

/// Functions may be called from any thread.
class RecordingSwitch {
 public:
  /// If `database` is empty, nothing can be recorded.
  RecordingSwitch(std::string database, ServiceLog log);
  RecordingSwitch(const RecordingSwitch&) = delete;
  RecordingSwitch& operator=(const RecordingSwitch&) = delete;
  /// Stores a running recording.
  ~RecordingSwitch();

  /// Starts a recording, or ends and stores the running one; logs the result.
  void turn();

  std::optional<RunningRecording> running() const;
  /// Starts a recording; an empty name is replaced by the time. Returns nullopt if a recording is
  /// running.
  std::optional<RunningRecording> begin(const std::string& name);
  /// Ends and stores the recording, which may take seconds. Returns nullopt if none is running.
  /// Throws ApiError if it cannot be stored; the recording then continues.
  std::optional<RunningRecording> end();

 private:
  void keep();
  void set_running(std::optional<RunningRecording> running);
  RunningRecording write();

  const std::string database_;
  const ServiceLog log_;
  std::mutex change_;         // serializes changes; running() does not wait for the disk
  mutable std::mutex state_;  // protects the following members
  std::optional<RunningRecording> running_;
};

}  // namespace pssp
