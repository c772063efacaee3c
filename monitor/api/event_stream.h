#pragma once

// Live views as server-sent events (WHATWG HTML, 9.2): what a subscriber wants, and the text that
// brings him up to date.

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
/// Of `topics=sweep,events,ports:GUID:N`; absent: sweeps and events. Throws ApiError.
StreamTopics stream_topics(const Target& target);

/// How far a subscriber has come.
struct StreamCursor {
  std::uint64_t sweep = 0, event = 0;
};
/// After the sweep that `last_event_id` names; where there is none, just before the newest.
StreamCursor stream_cursor(const LiveView* view, const std::vector<NumberedEvent>& events,
                           const std::string& last_event_id);
/// Everything newer, oldest first; what is no longer there is said by an event `gap`. Empty where
/// there is nothing new. Moves the cursor.
std::string stream_events(const LiveView* view, const std::vector<NumberedEvent>& events,
                          const StreamTopics& topics, StreamCursor& cursor);
/// Keeps proxies from closing a quiet stream.
inline constexpr const char* stream_comment = ": still here\n\n";

}  // namespace pssp
