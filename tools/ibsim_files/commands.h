#pragma once

#include "tools/ibsim_files/options.h"

namespace pssp {

/// Writes to standard output, and to the given files.
void run_command(const IbsimFilesOptions& options);

}  // namespace pssp
