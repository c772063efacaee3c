#include "tools/monitor_fabric/recording_switch.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/wall_clock.h"
#include "monitor/store/recordings.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/history_arguments.h"

namespace pssp {

RecordingSwitch::~RecordingSwitch() {
  if (start_ms_ != 0) keep();
}

void RecordingSwitch::turn() {
  const Report report("monitor_fabric");
  if (database_.empty()) {
    report.say("SIGUSR2: nothing is recorded, for there is no database");
  } else if (start_ms_ == 0) {
    start_ms_ = wall_clock_ms();
    report.say("SIGUSR2: a recording has begun");
  } else {
    keep();
  }
}

void RecordingSwitch::keep() {
  const Report report("monitor_fabric");
  const std::int64_t start_ms = start_ms_;
  start_ms_ = 0;
  try {
    const std::string name = time_text(start_ms);
    keep_recording(database_, {0, name, {}, start_ms, wall_clock_ms()});
    report.say(fmt::format("the recording '{}' is kept", name));
  } catch (const Error& error) {
    report.say(error.what());
  }
}

}  // namespace pssp
