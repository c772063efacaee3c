#pragma once

// Recordings of the database for the web interface.

#include <filesystem>

#include "monitor/api/recording_answers.h"

namespace pssp {

class StoredRecordings final : public RecordingAnswers {
 public:
  explicit StoredRecordings(std::filesystem::path file) : file_(std::move(file)) {}

  void recordings(JsonWriter& json, const LiveView& view, const Target& target) override;
  void recording(JsonWriter& json, const LiveView& view, const Target& target,
                 const std::string& id) override;

 private:
  std::filesystem::path file_;
};

}  // namespace pssp
