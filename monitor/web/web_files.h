#pragma once

// The web pages, compiled into the program. The server reads no files from disk, so a request
// cannot reach files outside a folder.

#include <span>

#include "monitor/api/request.h"

namespace pssp {

/// Empty if the program was built without pages (PSSP_BUILD_MONITOR_PAGES=OFF).
std::span<const StaticFile> web_files();

}  // namespace pssp
