#pragma once

// The way to a command line by CLI11 itself, for programs that do not use command_line.h yet.

#include <CLI/CLI.hpp>
#include <string>

#include "base/error.h"
#include "tools/kit/tool.h"

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

}  // namespace pssp
