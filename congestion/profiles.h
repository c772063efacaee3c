#pragma once

// Parameter sets that ship with the project, by name.

#include <span>
#include <string>
#include <string_view>

#include "base/guarded_files.h"
#include "congestion/parameters.h"

namespace pssp {

struct CongestionProfile {
  std::string_view name;
  std::string_view meaning;  ///< one line
  std::string notation;      ///< the content of its parameter file
};

/// thesis-mesh, thesis-start, off.
std::span<const CongestionProfile> congestion_profiles();

/// Whether there is a profile with this name.
bool is_congestion_profile(std::string_view name);

/// The profile with this name, or else the parameter file at this path (use ./NAME for a file with
/// the name of a profile). Throws Error(unreadable_input) with the names of the profiles if there
/// is neither, and the errors of read_congestion_parameters(). `reader` reads the file.
CongestionParameters load_congestion_parameters(std::string_view profile_or_path,
                                                const FileSource& reader = from_anywhere);

}  // namespace pssp
