#pragma once

// The plugin's option congestion_control: a parameter set that OpenSM's own congestion manager
// sends to the fabric. What the plugin's log says of it is said here, so that it can be foretold
// without opensm (`route_lft --check-options`).

#include <string>
#include <string_view>
#include <vector>

#include "congestion/opensm_options.h"

namespace pssp {

struct CongestionOption {
  std::string source;  ///< as it was given
  OpensmCongestionOptions options;

  /// What is set, and what of the set OpenSM cannot do: lines for the log.
  std::vector<std::string> summary() const;
};

/// A profile, or the absolute path of a parameter file, which must be a regular one. Throws
/// Error(usage) on another path, and what load_congestion_parameters() throws.
CongestionOption read_congestion_option(std::string_view profile_or_path);

/// Why the option has no effect: the text of an error.
std::string congestion_refusal(std::string_view reason);

}  // namespace pssp
