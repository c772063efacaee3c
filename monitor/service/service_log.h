#pragma once

#include <functional>
#include <string>

namespace pssp {

/// Takes what the service has to say to whoever runs it, a line at a time, without the name of the
/// program. Called from several threads; must not throw.
using ServiceLog = std::function<void(const std::string& line)>;

}  // namespace pssp
