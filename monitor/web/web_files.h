#pragma once

// The pages, compiled in: what a browser can load is what stands here, so there is no path to leave
// a folder by.

#include <span>

#include "monitor/api/request.h"

namespace pssp {

/// Empty where the program was built without pages (PSSP_BUILD_MONITOR_PAGES=OFF).
std::span<const StaticFile> web_files();

}  // namespace pssp
