#pragma once

// Paths as text.

#include <cstdint>
#include <span>
#include <string>

#include "evaluator/paths/path.h"
#include "fabric/fabric.h"

namespace pssp {

/// A path with one line per link from end to end: ports, the LID behind the link, rate, and for a
/// channel between switches the routes over it and its edge forwarding index. `loads` must be those
/// of channel_loads(). Ends with a line end.
std::string to_text(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads);

/// Why packets do not arrive, with the names of switch and port; empty if they arrive.
std::string what_goes_wrong(const Fabric& fabric, const Path& path);

}  // namespace pssp
