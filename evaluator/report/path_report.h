#pragma once

// Paths for people.

#include <cstdint>
#include <span>
#include <string>

#include "evaluator/paths/path.h"
#include "fabric/fabric.h"

namespace pssp {

/// A path with its links from end to end, a line each: ports, the LID that the link leads to, rate,
/// and of a channel between switches the routes over it and its edge forwarding index. `loads` are
/// those of channel_loads(). Ends in a line end.
std::string to_text(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads);

/// Why packets do not arrive, with the names of switch and port; empty where they do.
std::string what_goes_wrong(const Fabric& fabric, const Path& path);

}  // namespace pssp
