#pragma once

// The folder of one trial: opensm.log, opensm.conf, opensm.out, ibsim.log, osm/, routing.lft and
// the reports on these tables.

#include <filesystem>
#include <string>

namespace pssp {

/// Creates it, and removes the files of an earlier trial, so that old files are not taken as new.
void clear_trial_folder(const std::filesystem::path& folder);

/// Throws Error(usage) if an input is one of the files that clear_trial_folder() removes in
/// `results` or in a trial's folder below it, or is inside a removed folder, under any name or
/// link. An empty name is not an input.
void require_apart(const std::filesystem::path& results, const std::string& input);

/// Throws Error(unreadable_input) if the file is not regular or not readable, before anything is
/// created.
void require_readable_topology(const std::string& file);

}  // namespace pssp
