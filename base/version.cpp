#include "base/version.h"

namespace pssp {

const char* version() noexcept { return PSSP_VERSION; }
const char* opensm_version() noexcept { return PSSP_OPENSM_VERSION; }

}  // namespace pssp
