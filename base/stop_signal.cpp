#include "base/stop_signal.h"

#include <fmt/format.h>

namespace pssp {

void StopSignal::fail(std::string_view work) {
  throw Stopped(
      fmt::format("{}: stopped before it was done, and nothing of it is used; give it more "
                  "time, or ask for less",
                  work));
}

}  // namespace pssp
