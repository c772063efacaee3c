// locate_slow: which cable, adapter or node makes these rates low (docs/reference/locate-slow.md).

#include <optional>

#include "tools/kit/tool.h"
#include "tools/locate_slow/options.h"
#include "tools/locate_slow/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("locate_slow", [&] {
    const std::optional<SlowOptions> options = parse_slow_options(argc, argv);
    return options ? locate_slow(*options) : 0;
  });
}
