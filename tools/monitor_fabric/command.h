#pragma once

// A command of monitor_fabric. A new one is a pair of files with a class of these and a function
// that makes it, and a line in commands.cpp.

#include <memory>
#include <string>

#include "tools/kit/command_line.h"

namespace pssp {

class MonitorCommand {
 public:
  virtual ~MonitorCommand() = default;

  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  ///< a line, for --help
  /// Declares options; what they are bound to is the command's.
  virtual void add_options(CommandLine& line) = 0;
  /// What it does, once it was chosen. The exit code. `line` says which options were given. Throws
  /// Error.
  virtual int run(const CommandLine& line) = 0;
};

using MonitorCommandPointer = std::unique_ptr<MonitorCommand>;

}  // namespace pssp
