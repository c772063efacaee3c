#pragma once

// A command of monitor_fabric. A new command needs a pair of files with a class derived from this
// one and a factory function, and a line in commands.cpp.

#include <memory>
#include <string>

#include "tools/kit/command_line.h"

namespace pssp {

class MonitorCommand {
 public:
  virtual ~MonitorCommand() = default;

  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  ///< a line, for --help
  /// Declares options, bound to members of the command.
  virtual void add_options(CommandLine& line) = 0;
  /// Runs the chosen command. Returns the exit code. `line` contains the given options. Throws
  /// Error.
  virtual int run(const CommandLine& line) = 0;
};

using MonitorCommandPointer = std::unique_ptr<MonitorCommand>;

}  // namespace pssp
