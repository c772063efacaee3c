#pragma once

// The plugin's option congestion_control: a parameter set that OpenSM's congestion manager sends to
// the fabric. The log lines are made here, so that `route_lft --check-options` can predict them
// without opensm.

#include <string>
#include <string_view>
#include <vector>

#include "congestion/opensm_options.h"

namespace pssp {

struct CongestionOption {
  std::string source;  ///< as given
  OpensmCongestionOptions options;

  /// Lines for the log: what is set, and what OpenSM cannot express.
  std::vector<std::string> summary() const;
};

/// Accepts a profile, or the absolute path of a regular parameter file. Throws Error(usage) for
/// other paths, and the errors of load_congestion_parameters().
CongestionOption read_congestion_option(std::string_view profile_or_path);

/// The error text for an option without effect.
std::string congestion_refusal(std::string_view reason);

}  // namespace pssp
