#pragma once

// The output of `check --nagios`: one line and a status, as plugins of Nagios and Icinga return
// them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "tools/kit/plugin_answer.h"

namespace pssp {

/// Limits for the number of ports that cannot be judged.
struct UnknownPortLimits {
  std::uint32_t warning = 0;
  std::optional<std::uint32_t> critical;  ///< none: never
};

/// Numbers of ports that should have answered, and that did.
struct AnsweredPorts {
  std::size_t asked = 0;  ///< with an active link, and not excluded by an option
  std::size_t answered = 0;
};
AnsweredPorts answered_ports(const Snapshot& snapshot);

struct NagiosLine {
  PluginStatus status = PluginStatus::ok;
  std::string text;  ///< with its newline
};

/// `verdicts` must be sorted, worst first. Error counters at their maximum are at least a WARNING,
/// because further errors are invisible. UNKNOWN if no port answered.
NagiosLine nagios_line(const Snapshot& snapshot, const std::vector<Verdict>& verdicts,
                       const UnknownPortLimits& limits);
/// UNKNOWN with this reason.
NagiosLine nagios_unknown(std::string reason);

}  // namespace pssp
