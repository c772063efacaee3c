#pragma once

// The common part of the main functions of all programs: turns exceptions into a message with
// advice and an exit code (docs/reference/exit-codes.md). command_line.h shows a whole program.

#include <functional>

namespace pssp {

/// Runs a program. SIGINT, SIGTERM, SIGHUP and SIGPIPE end it as usual, and its unfinished files
/// are removed; a program can handle these signals itself inside `run`. Returns the exit code of
/// `run`. If `run` throws, prints "NAME: MESSAGE" to stderr and returns the exit code of the
/// exception. A closed or full stderr does not change the exit code.
///
/// The captures of `run` must not be larger than two pointers: std::function copies larger ones to
/// the heap, and if that failed here, no message would be printed.
int run_tool(const char* name, const std::function<int()>& run);

/// Runs a program with options: `parse(argc, argv)` returns them, or none if it printed --help or
/// --version; `run(options)` returns the exit code.
template <class Parse, class Run>
int run_tool(const char* name, int argc, char** argv, const Parse& parse, const Run& run) {
  // A single reference to all parts, so that the captures are small enough (see above).
  const struct {
    int argc;
    char** argv;
    const Parse& parse;
    const Run& run;
  } program{argc, argv, parse, run};
  return run_tool(name, [&program] {
    const auto options = program.parse(program.argc, program.argv);
    return options ? program.run(*options) : 0;
  });
}

}  // namespace pssp
