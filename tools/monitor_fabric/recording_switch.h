#pragma once

// Recordings that a signal to the daemon, or a page of it, begins and ends.

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "monitor/api/recording_answers.h"

namespace pssp {

class RecordingSwitch final : public RecordingControl {
 public:
  /// `database` may be empty: then nothing can be recorded.
  explicit RecordingSwitch(std::string database) : database_(std::move(database)) {}
  /// A recording that runs is kept.
  ~RecordingSwitch() override;

  /// Begins a recording, or ends and keeps the one that runs; says so.
  void turn();

  std::optional<RunningRecording> running() const override;
  std::optional<RunningRecording> begin(const std::string& name) override;
  std::optional<RunningRecording> end() override;

 private:
  void keep();
  void set_running(std::optional<RunningRecording> running);
  RunningRecording write();

  const std::string database_;
  std::mutex change_;         // one change at a time, while running() does not wait for the disk
  mutable std::mutex state_;  // for what follows
  std::optional<RunningRecording> running_;
};

}  // namespace pssp
