#pragma once

// Live views as server-sent events (WHATWG HTML, 9.2): the topics of a subscriber, and the text
// that updates it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

struct StreamTopics {
  bool sweeps = false, events = false;
  std::vector<std::pair<Guid, PortNumber>> ports;  ///< at most 64
};
/// Parses `topics=sweep,events,ports:GUID:N`; without it, sweeps and events. Throws ApiError.
StreamTopics stream_topics(const Target& target);

/// Position of a subscriber.
struct StreamCursor {
  std::uint64_t sweep = 0, event = 0;
};
/// Starts after the sweep in `last_event_id`; without it, just before the newest sweep.
StreamCursor stream_cursor(const LiveView* view, const std::vector<NumberedEvent>& events,
                           const std::string& last_event_id);
/// All newer sweeps and events, oldest first; an event `gap` reports sweeps that are no longer
/// available. Empty if there is nothing new. Moves the cursor.
std::string stream_events(const LiveView* view, const std::vector<NumberedEvent>& events,
                          const StreamTopics& topics, StreamCursor& cursor);
/// Keeps proxies from closing a quiet stream.
inline constexpr const char* stream_comment = ": keep-alive\n\n";

}  // namespace pssp
