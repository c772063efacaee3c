#include "monitor/api/event_stream.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "base/untrusted_text.h"
#include "monitor/api/views.h"

// Replay and live updates use the same code: a subscriber that reconnects with the number of the
// last sweep it saw gets a cursor at that sweep.

namespace pssp {
namespace {

void add_frame(std::string& text, std::uint64_t id, std::string_view event, std::string_view data) {
  if (id != 0) fmt::format_to(std::back_inserter(text), "id: {}\n", id);
  fmt::format_to(std::back_inserter(text), "event: {}\ndata: {}\n\n", event, data);
}

std::pair<Guid, PortNumber> stream_port(std::string_view topic) {
  const std::size_t colon = topic.find(':', 6);
  if (colon == std::string_view::npos) {
    throw ApiError{400, "a topic has no port number", "use ports:GUID:NUMBER"};
  }
  return {parse_guid(topic.substr(6, colon - 6)), parse_port_number(topic.substr(colon + 1))};
}

void add_sweep(std::string& text, const RecentSweep& sweep, const StreamTopics& topics) {
  for (const auto& [node, number] : topics.ports) {
    const std::string update = port_update(sweep, node, number);
    if (!update.empty()) add_frame(text, 0, "port", update);
  }
  // The number comes last: if the connection is lost before the number arrives, the subscriber gets
  // the whole sweep again.
  if (topics.sweeps) {
    add_frame(text, sweep.sweep(), "sweep", sweep.summary());
  } else {
    add_frame(text, sweep.sweep(), "tick", fmt::format(R"({{"sweep":{}}})", sweep.sweep()));
  }
}

}  // namespace

StreamTopics stream_topics(const Target& target) {
  target.allow({"topics"});
  StreamTopics topics;
  constexpr std::size_t most_ports = 64;
  for (const std::string& each : target.list("topics")) {
    if (each == "sweep") {
      topics.sweeps = true;
    } else if (each == "events") {
      topics.events = true;
    } else if (each.rfind("ports:", 0) == 0) {
      topics.ports.push_back(stream_port(each));
    } else {
      throw ApiError{400, fmt::format("unknown topic '{}'", untrusted_text(each)),
                     "known topics: sweep, events, ports:GUID:NUMBER"};
    }
  }
  if (topics.ports.size() > most_ports) {
    throw ApiError{400, "too many ports in one stream", "at most 64 ports are allowed"};
  }
  if (target.find("topics") == nullptr) topics.sweeps = topics.events = true;
  return topics;
}

StreamCursor stream_cursor(const LiveView* view, const std::vector<NumberedEvent>& events,
                           const std::string& last_event_id) {
  StreamCursor cursor;
  if (!events.empty()) cursor.event = events.back().id;
  if (view != nullptr && !view->recent.empty()) cursor.sweep = view->recent.back()->sweep() - 1;
  std::uint64_t seen = 0;
  const char* const end = last_event_id.data() + last_event_id.size();
  const auto [rest, status] = std::from_chars(last_event_id.data(), end, seen);
  if (!last_event_id.empty() && status == std::errc{} && rest == end) cursor.sweep = seen;
  return cursor;
}

std::string stream_events(const LiveView* view, const std::vector<NumberedEvent>& events,
                          const StreamTopics& topics, StreamCursor& cursor) {
  std::string text;
  if (view != nullptr && !view->recent.empty()) {
    const std::uint64_t oldest = view->recent.front()->sweep();
    const std::uint64_t newest = view->recent.back()->sweep();
    // A cursor beyond the newest sweep comes from an earlier process of the monitor.
    if (cursor.sweep + 1 < oldest || cursor.sweep > newest) {
      add_frame(text, 0, "gap", fmt::format(R"({{"after":{},"next":{}}})", cursor.sweep, oldest));
      cursor.sweep = oldest - 1;
    }
    for (const auto& sweep : view->recent) {
      if (sweep->sweep() > cursor.sweep) add_sweep(text, *sweep, topics);
    }
    cursor.sweep = newest;
  }
  for (const NumberedEvent& each : events) {
    if (each.id <= cursor.event) continue;
    cursor.event = each.id;
    if (!topics.events) continue;
    JsonWriter json;
    write_event(json, view, each);
    add_frame(text, 0, "event", json.take());
  }
  return text;
}

}  // namespace pssp
