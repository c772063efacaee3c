#pragma once

// The folder of one trial: opensm.log, opensm.conf, opensm.out, ibsim.log, osm/, routing.lft and
// what is said of these tables.

#include <filesystem>
#include <string>

namespace pssp {

/// Makes it, and takes out of it what an earlier trial left, so that nothing old passes for new.
void clear_trial_folder(const std::filesystem::path& folder);

/// Throws Error(usage) where an input is one of the files that clear_trial_folder() takes out of
/// `results` or of a trial's folder anywhere below it, or lies in one that it takes out: by
/// whatever name, links are seen through. An empty name is no input.
void require_apart(const std::filesystem::path& results, const std::string& input);

/// Throws Error(unreadable_input) for what is no regular file, or may not be read: before anything
/// is made.
void require_readable_topology(const std::string& file);

}  // namespace pssp
