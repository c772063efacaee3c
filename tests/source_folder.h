#pragma once

#include <filesystem>

namespace pssp::test {

/// Absolute path of the top folder of the sources. Only source_folder.cpp is compiled with this
/// path, so that the other files give the same objects in every clone.
std::filesystem::path source_folder();

}  // namespace pssp::test
