#pragma once

// Runs a program with options as one of the processes that an MPI launcher may start.

#include <cstdio>

#include "base/error.h"
#include "evaluator/parallel/agreement.h"
#include "evaluator/parallel/processes.h"
#include "tools/kit/tool.h"
#include "tools/launch/join.h"

namespace pssp {

/// As run_tool(), with `run(options, processes)`. Only the first process writes to standard output.
/// A process that stops because another one failed prints no message.
template <class Parse, class Run>
int run_parallel_tool(const char* name, int argc, char** argv, const Parse& parse, const Run& run) {
  // As in run_tool(), but not constant, because join_launched() may change argc and argv.
  struct {
    int argc;
    char** argv;
    const Parse& parse;
    const Run& run;
  } program{argc, argv, parse, run};
  return run_tool(name, [&program] {
    Processes processes(join_launched(program.argc, program.argv));
    if (!processes.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) {
      throw Error(ErrorKind::internal, "cannot open /dev/null");
    }
    try {
      const auto options =
          processes.together([&] { return program.parse(program.argc, program.argv); });
      require_all_or_none(processes, options.has_value());
      return options ? program.run(*options, processes) : 0;
    } catch (const FailedElsewhere&) {
      return 0;
    }
  });
}

}  // namespace pssp
