#pragma once

// Where the files of a build or an installation are.

#include <filesystem>

namespace pssp {

/// The folder that contains bin/, lib/ and share/, from the path of one of our programs: a build
/// and PREFIX have them in bin/, an installation has the programs of `pssp` in libexec/pssp/.
std::filesystem::path installation_of(const std::filesystem::path& executable);

/// The folder of the programs that `pssp` starts, from the path of `pssp`.
std::filesystem::path folder_of_programs(const std::filesystem::path& executable);

}  // namespace pssp
