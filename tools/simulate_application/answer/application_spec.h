#pragma once

// The notation of applications on the command line.

#include <cstdint>
#include <string_view>

#include "applications/generators/applications.h"

namespace pssp {

/// "allreduce:ring,1MiB,3", "alltoall:linear,64KiB,window=8", "halo:8x8x8,1MiB,10,calc=1ms",
/// "train:stages=4,microbatches=8,64MiB,act=1MiB", "pattern:shift:3,64KiB". `seed`: for random
/// patterns. Throws Error(usage), and the errors of reading a pattern file.
Application make_application(std::string_view text, std::uint32_t ranks, std::uint64_t seed);

}  // namespace pssp
