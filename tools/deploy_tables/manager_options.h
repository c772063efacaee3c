#pragma once

// How the subnet manager is reached.

#include <string>

namespace pssp {

class CommandLine;

struct ManagerOptions {
  std::string unit = "opensm.service";
  std::string pid_file;       ///< empty: the unit's
  unsigned process = 0;       ///< 0: that of the file or unit
  std::string start;          ///< of `process`, in the kernel's ticks: it may be another one by now
  std::string reload;         ///< command instead of SIGHUP; empty: SIGHUP
  std::string log;            ///< empty: what opensm was started with
  unsigned patience_s = 120;  ///< for its sweep

  void add_options(CommandLine& line);
};

}  // namespace pssp
