#pragma once

// How to reach the subnet manager.

#include <string>

namespace pssp {

class CommandLine;

struct ManagerOptions {
  std::string unit;           ///< empty: one of the units in which packages start OpenSM
  std::string pid_file;       ///< empty: the unit's
  unsigned process = 0;       ///< 0: that of the file or unit
  std::string start;          ///< of `process`, in the kernel's ticks, because numbers are reused
  std::string command_line;   ///< digest for `process`, to find it after a restart
  std::string reload;         ///< command instead of SIGHUP; empty: SIGHUP. Never stored in a file
  bool by_command = false;    ///< `reload` was given when the tables were applied
  std::string log;            ///< empty: what opensm was started with
  unsigned patience_s = 120;  ///< time limit for its sweep

  bool is_by_command() const { return by_command || !reload.empty(); }

  void add_options(CommandLine& line);
};

}  // namespace pssp
