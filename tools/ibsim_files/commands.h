#pragma once

#include "tools/ibsim_files/options.h"

namespace pssp {

/// Answers on standard output, and in the files that are named.
void run_command(const IbsimFilesOptions& options);

}  // namespace pssp
