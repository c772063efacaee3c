#pragma once

// The answer of `check --nagios`: one line and a status, as plugins of Nagios and Icinga have them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "tools/kit/plugin_answer.h"

namespace pssp {

/// Ports that cannot be judged: where there are more than that.
struct UnknownPortLimits {
  std::uint32_t warning = 0;
  std::optional<std::uint32_t> critical;  ///< nothing: never
};

/// How many ports should have answered, and how many did.
struct AnsweredPorts {
  std::size_t asked = 0;  ///< with an active link, and not left out by an option
  std::size_t answered = 0;
};
AnsweredPorts answered_ports(const Snapshot& snapshot);

struct NagiosLine {
  PluginStatus status = PluginStatus::ok;
  std::string text;  ///< with its newline
};

/// `verdicts` are sorted, worst first. Error counters that are full are at least a WARNING, for
/// what happens behind them no one sees. UNKNOWN where no port answered.
NagiosLine nagios_line(const Snapshot& snapshot, const std::vector<Verdict>& verdicts,
                       const UnknownPortLimits& limits);
/// UNKNOWN, for this reason.
NagiosLine nagios_unknown(std::string reason);

}  // namespace pssp
