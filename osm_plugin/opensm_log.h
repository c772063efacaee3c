#pragma once

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the other one.
#include <opensm/osm_log.h>

#include <string>

namespace pssp {

/// A line in OpenSM's log, if the level is on.
inline void write_log(osm_log_t& log, osm_log_level_t level, const std::string& message) {
  if (osm_log_is_active(&log, level) != 0) osm_log(&log, level, "osmpssp: %s\n", message.c_str());
}

}  // namespace pssp
