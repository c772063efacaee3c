#pragma once

// Typed errors. Every error describes what was found, where, what was expected and what to do; its
// kind determines the exit code of the tools, so that scripts can distinguish a bad option from a
// bad file.

#include <stdexcept>
#include <string>

namespace pssp {

/// Each value is the exit code of the command-line tools (docs/reference/exit-codes.md).
enum class ErrorKind : int {
  usage = 2,             ///< unknown option, value out of range, contradictory options
  unreadable_input = 3,  ///< a file is missing, truncated, damaged or of another format
  mismatch = 4,          ///< topology and forwarding tables do not belong together
  unsuitable_topology =
      5,  ///< the engine cannot route this fabric; the message names the switch or link
  verification_failed = 7,  ///< tables that must not be used: loops, dead ports, unreachable pairs
  output = 8,               ///< a result could not be written
  fabric_access = 9,        ///< no InfiniBand port, or no permission to use it
  missing_program = 20,     ///< a required program or the plugin is not installed or built
  simulation = 21,          ///< ibsim or opensm failed, or took too long
  internal = 70,            ///< a violated invariant of this program
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }
  int exit_code() const noexcept { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

}  // namespace pssp
