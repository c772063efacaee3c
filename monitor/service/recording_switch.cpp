#include "monitor/service/recording_switch.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/api/request.h"
#include "monitor/store/recordings.h"

namespace pssp {

RecordingSwitch::RecordingSwitch(std::string database, ServiceLog log)
    : database_(std::move(database)), log_(std::move(log)) {}

RecordingSwitch::~RecordingSwitch() {
  if (running_) keep();
}

void RecordingSwitch::turn() {
  if (database_.empty()) {
    log_("SIGUSR2: cannot record without a database");
  } else if (begin({})) {
    log_("SIGUSR2: recording started");
  } else {
    keep();
  }
}

std::optional<RunningRecording> RecordingSwitch::running() const {
  const std::lock_guard lock(state_);
  return running_;
}

void RecordingSwitch::set_running(std::optional<RunningRecording> running) {
  const std::lock_guard lock(state_);
  running_ = std::move(running);
}

std::optional<RunningRecording> RecordingSwitch::begin(const std::string& name) {
  const std::lock_guard lock(change_);
  if (running()) return std::nullopt;
  const std::int64_t now = wall_clock_ms();
  RunningRecording recording{name.empty() ? time_text(now) : name, now, 0};
  set_running(recording);
  return recording;
}

/// Stores the running recording. Throws Error.
RunningRecording RecordingSwitch::write() {
  RunningRecording recording = *running();
  recording.end_ms = wall_clock_ms();
  keep_recording(database_, {0, recording.name, {}, recording.start_ms, recording.end_ms});
  return recording;
}

std::optional<RunningRecording> RecordingSwitch::end() {
  const std::lock_guard lock(change_);
  if (!running()) return std::nullopt;
  try {
    RunningRecording recording = write();
    set_running(std::nullopt);
    return recording;
  } catch (const Error& error) {
    throw ApiError{503, untrusted_text(error.what()),
                   "the recording is still running; try again in a few seconds"};
  }
}

void RecordingSwitch::keep() {
  const std::lock_guard lock(change_);
  if (!running()) return;
  try {
    log_(fmt::format("stored the recording '{}'", untrusted_text(write().name)));
  } catch (const Error& error) {
    log_(error.what());
  }
  set_running(std::nullopt);
}

}  // namespace pssp
