#pragma once

// The command line of cc_apply. Nothing is opened here.

#include <optional>
#include <string>

#include "tools/congestion/cc_options.h"

namespace pssp {

struct ApplyOptions {
  /// The task: apply a set, restore the old settings, or confirm a set.
  enum class Task { set, restore, confirm };

  Task task = Task::set;
  std::string profile;
  CcOptions fabric;  ///< for restoring, its topology may be empty
  bool dry_run = false;
  /// File for the previous settings; "none": do not save them.
  std::string save;
  std::string restore, confirm;  ///< such a file
  unsigned confirm_within = 0;   ///< seconds; 0: no confirmation needed
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<ApplyOptions> parse_apply_options(int argc, const char* const* argv);

}  // namespace pssp
