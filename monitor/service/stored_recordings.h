#pragma once

// Recordings of the database for the web interface.

#include <filesystem>
#include <string>
#include <utility>

#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// Functions add members to an open object, and throw ApiError. They may take seconds. Calls must
/// come from one thread at a time.
class StoredRecordings {
 public:
  explicit StoredRecordings(std::filesystem::path file) : file_(std::move(file)) {}

  void recordings(JsonWriter& json, const LiveView& view, const Target& target);
  /// Writes one recording, with another one for comparison if `with` is given.
  void recording(JsonWriter& json, const LiveView& view, const Target& target,
                 const std::string& id);

 private:
  std::filesystem::path file_;
};

}  // namespace pssp
