#pragma once

// What the main functions of all programs share: the one ladder that turns exceptions into a
// message with advice and an exit code (docs/reference/exit-codes.md). command_line.h shows a whole
// program.

#include <functional>

namespace pssp {

/// Runs a program. SIGINT, SIGTERM, SIGHUP and SIGPIPE end it as ever, without its unfinished
/// files; a program may handle them itself inside `run`. The exit code is the one that `run`
/// returns, or the one that belongs to what it threw, and then "NAME: MESSAGE" is on stderr. A
/// stderr that takes no message changes no exit code. A `run` of more than two pointers
/// would be copied to memory that may be missing.
int run_tool(const char* name, const std::function<int()>& run);

/// Runs a program with options: `parse(argc, argv)` returns them, or none if it printed --help or
/// --version; `run(options)` returns the exit code.
template <class Parse, class Run>
int run_tool(const char* name, int argc, char** argv, const Parse& parse, const Run& run) {
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
