#pragma once

// Applications as the command line names them.

#include <string_view>
#include <vector>

#include "applications/generators/applications.h"

namespace pssp {

/// "allreduce:ring,1MiB,3", "alltoall:linear,64KiB,window=8", "halo:8x8x8,1MiB,10,calc=1ms". Throws
/// Error(usage).
std::vector<RankSchedule> make_application(std::string_view text, std::uint32_t ranks);

}  // namespace pssp
