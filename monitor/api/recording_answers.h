#pragma once

// Answers about recordings, which the program makes of a database that the interface does not know.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// Functions add members to an open object, and throw ApiError. They may take seconds. Calls come
/// from one thread at a time.
class RecordingAnswers {
 public:
  RecordingAnswers() = default;
  RecordingAnswers(const RecordingAnswers&) = delete;
  RecordingAnswers& operator=(const RecordingAnswers&) = delete;
  virtual ~RecordingAnswers() = default;

  virtual void recordings(JsonWriter& json, const LiveView& view, const Target& target) = 0;
  /// One, beside another where `with` is asked for.
  virtual void recording(JsonWriter& json, const LiveView& view, const Target& target,
                         const std::string& id) = 0;
};

/// Bytes of the name of a recording that is begun by a request.
inline constexpr std::size_t longest_recording_name = 100;

struct RunningRecording {
  std::string name;  ///< hostile
  std::int64_t start_ms = 0, end_ms = 0;
};

/// Begins and ends recordings. Functions may be called from any thread.
class RecordingControl {
 public:
  RecordingControl() = default;
  RecordingControl(const RecordingControl&) = delete;
  RecordingControl& operator=(const RecordingControl&) = delete;
  virtual ~RecordingControl() = default;

  virtual std::optional<RunningRecording> running() const = 0;
  /// An empty name: its time. Nothing where one runs already.
  virtual std::optional<RunningRecording> begin(const std::string& name) = 0;
  /// Keeps it, which may take seconds. Nothing where none runs. Throws ApiError where it cannot be
  /// kept; it goes on then.
  virtual std::optional<RunningRecording> end() = 0;
};

}  // namespace pssp
