#pragma once

// The main function of the programs that simulate a fabric.

#include <unistd.h>

#include <filesystem>

#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"
#include "tools/kit/tool.h"

namespace pssp {

/// As run_tool(), with `run(options, surroundings)`, which may throw Interrupted.
template <class Parse, class Run>
int run_simulating_tool(const char* name, int argc, char** argv, const Parse& parse,
                        const Run& run) {
  return run_tool(name, argc, argv, parse, [&](const auto& options) {
    try {
      return run(options,
                 surroundings_of(environ, std::filesystem::read_symlink("/proc/self/exe")));
    } catch (const Interrupted& interrupted) {
      return interrupted.exit_code();
    }
  });
}

}  // namespace pssp
