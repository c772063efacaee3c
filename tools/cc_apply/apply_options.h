#pragma once

// The command line of cc_apply. Nothing is opened here.

#include <optional>
#include <string>

#include "tools/congestion/cc_options.h"

namespace pssp {

struct ApplyOptions {
  /// What is asked for: a set for the fabric, what it had before, or the word that a set stays.
  enum class Task { set, restore, confirm };

  Task task = Task::set;
  std::string profile;
  CcOptions fabric;  ///< to restore, its topology may be empty
  bool dry_run = false;
  /// File for the settings of before; "none": they are not kept.
  std::string save;
  std::string restore, confirm;  ///< such a file
  unsigned confirm_within = 0;   ///< seconds; 0: no confirmation is waited for
};

/// Nothing when --help or --version was answered. Throws Error(usage).
std::optional<ApplyOptions> parse_apply_options(int argc, const char* const* argv);

}  // namespace pssp
