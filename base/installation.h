#pragma once

// Where the files of a build or an installation are.

#include <filesystem>

namespace pssp {

/// The folder that contains bin/, lib/ and share/, from the path of a program of this project: in a
/// build, programs are in bin/; in an installation, those that `pssp` starts are in libexec/pssp/.
std::filesystem::path installation_of(const std::filesystem::path& executable);

/// The folder of the programs that `pssp` starts, from the path of `pssp`.
std::filesystem::path folder_of_programs(const std::filesystem::path& executable);

}  // namespace pssp
