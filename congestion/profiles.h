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
  std::string notation;      ///< what a parameter file of it holds
};

/// thesis-mesh, thesis-start, off.
std::span<const CongestionProfile> congestion_profiles();

/// Whether a profile is called so.
bool is_congestion_profile(std::string_view name);

/// The profile of that name or, where there is none, the parameter file of that path (a file that
/// is called like a profile is reached as ./NAME). Throws Error(unreadable_input) with the names of
/// the profiles when there is neither, and what read_congestion_parameters() throws.
/// `reader` reads the file.
CongestionParameters load_congestion_parameters(std::string_view profile_or_path,
                                                const FileSource& reader = from_anywhere);

}  // namespace pssp
