#include "base/stop_signal.h"

#include <fmt/format.h>

namespace pssp {

void StopSignal::fail(std::string_view work) {
  throw Stopped(
      fmt::format("{}: stopped before completion, and no partial result is used; allow more time, "
                  "or reduce the task",
                  work));
}

}  // namespace pssp
