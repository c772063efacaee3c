// play_traffic: a fabric that ibsim plays, opensm, and jobs whose traffic its counters tell of
// (docs/reference/play-traffic.md).

#include <unistd.h>

#include <filesystem>
#include <optional>

#include "ibsim_harness/surroundings.h"
#include "tools/kit/tool.h"
#include "tools/play_traffic/options.h"
#include "tools/play_traffic/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("play_traffic", [&] {
    const std::optional<PlayTrafficOptions> options = parse_replay_options(argc, argv);
    if (!options) return 0;
    return replay_on_fabric(
        *options, surroundings_of(environ, std::filesystem::read_symlink("/proc/self/exe")));
  });
}
