#include "tests/source_folder.h"

namespace pssp::test {

std::filesystem::path source_folder() { return PSSP_SOURCE_DIR; }

}  // namespace pssp::test
