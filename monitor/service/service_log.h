#pragma once

#include <functional>
#include <string>

namespace pssp {

/// Receives messages of the service for its operator, one line at a time, without the name of the
/// program. Called from several threads; must not throw.
using ServiceLog = std::function<void(const std::string& line)>;

}  // namespace pssp
