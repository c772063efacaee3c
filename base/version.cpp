#include "base/version.h"

namespace pssp {

const char* version() noexcept { return PSSP_VERSION; }

}  // namespace pssp
