#pragma once

// Something that happened once: it is kept in the history, shown on the pages and counted in the
// metrics.

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/ids.h"

namespace pssp {

/// A port as history knows it: nothing of it changes with LIDs or with the map.
struct PortKey {
  Guid node = 0;
  PortNumber number = 0;

  bool operator==(const PortKey&) const = default;
};

struct MonitorEvent {
  std::int64_t time_ms = 0;     ///< since 1970
  std::string kind;             ///< a word of lower-case letters and '_': "clock_jump", "gap"
  std::optional<PortKey> port;  ///< number 0: the node as a whole
  std::string text = "{}";      ///< a JSON object, with what belongs to the kind
};

}  // namespace pssp
