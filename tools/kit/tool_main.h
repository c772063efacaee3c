#pragma once

// What the main functions of all command-line tools share: reading the command line and the one
// ladder that turns exceptions into a message with advice and an exit code (docs/exit_codes.md).
// Only tools include it; the core library does not.
//
//   int main(int argc, char** argv) {
//     return pssp::run_tool("eval_lft", [&] {
//       CLI::App app("...");
//       ...
//       if (!pssp::parse_command_line(app, argc, argv)) return 0;  // --help or --version was
//       answered return run(arguments);
//     });
//   }

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"

namespace pssp {

/// Fills what `app` is bound to. False when the answer (--help, --version) was printed and nothing
/// is left to do. Throws Error(usage).
inline bool parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& answer) {
    app.exit(answer);
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, std::string(error.what()) + "; see --help");
  }
}

/// Runs the tool: the exit code that `run` returns, or the one that belongs to what it threw, with
/// "NAME: message" on stderr.
template <class Run>
int run_tool(const char* name, Run&& run) {
  // What cannot be said on stderr cannot be said anywhere.
  const auto say = [name](const char* what, const char* advice) {
    static_cast<void>(std::fprintf(stderr, "%s: %s%s\n", name, what, advice));
  };
  try {
    return std::forward<Run>(run)();
  } catch (const Error& error) {
    say(error.what(), "");
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    say("out of memory", "; take a machine with more of it, or a smaller fabric");
  } catch (const std::exception& error) {
    say(error.what(), ": an internal error; please report it with the input files");
  } catch (...) {
    say("internal error", "; please report it with the input files");
  }
  return static_cast<int>(ErrorKind::internal);
}

}  // namespace pssp
