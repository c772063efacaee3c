#pragma once

#include <filesystem>

namespace pssp::test {

/// The top folder of the sources, absolute. One file alone is compiled with it, so that the others
/// give the same objects in every clone.
std::filesystem::path source_folder();

}  // namespace pssp::test
