#pragma once

// How the subnet manager is reached.

#include <string>

namespace pssp {

class CommandLine;

struct ManagerOptions {
  std::string unit;           ///< empty: one in which packages start OpenSM
  std::string pid_file;       ///< empty: the unit's
  unsigned process = 0;       ///< 0: that of the file or unit
  std::string start;          ///< of `process`, in the kernel's ticks: it may be another one by now
  std::string command_line;   ///< digest of that of `process`: to find it again once restarted
  std::string reload;         ///< command instead of SIGHUP; empty: SIGHUP. Never kept in a file
  bool by_command = false;    ///< `reload` was given when the tables were applied
  std::string log;            ///< empty: what opensm was started with
  unsigned patience_s = 120;  ///< for its sweep

  bool is_by_command() const { return by_command || !reload.empty(); }

  void add_options(CommandLine& line);
};

}  // namespace pssp
