#pragma once

// Answers about recordings, which the program makes of a database that the interface does not know.

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

}  // namespace pssp
