#pragma once

// The plugin's option congestion_control: a parameter set that OpenSM's own congestion manager
// sends to the fabric.
//
// OpenSM keeps it in its options cc_*. It reads opensm.conf again at heavy sweeps (SIGHUP asks for
// one) and takes over each value that has changed in the file since it was read last, so that what
// the plugin wrote must be written again before the congestion manager looks at it.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the other one.
#include <opensm/osm_subnet.h>

#include <string>
#include <string_view>
#include <vector>

#include "congestion/plugin_option.h"

namespace pssp {

class CongestionControl {
 public:
  /// Throws what read_congestion_option() throws.
  explicit CongestionControl(std::string_view profile_or_path)
      : set_(read_congestion_option(profile_or_path)) {}

  /// Turns congestion control on with the set; OpenSM's cc_key and cc_max_outstanding_mads stay.
  /// True when something was otherwise.
  bool write_to(osm_subn_opt_t& options) const;

  /// What was set, and what of the set OpenSM cannot do: lines for the log.
  std::vector<std::string> summary() const { return set_.summary(); }

 private:
  CongestionOption set_;
};

}  // namespace pssp
