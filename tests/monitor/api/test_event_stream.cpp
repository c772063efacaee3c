#include <catch2/catch.hpp>

#include "monitor/api/event_stream.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

struct Stream {
  SyntheticFabric fabric{"k-ary-n-tree 2 2"};
  LiveState live;

  void sweep(int times = 1) {
    for (int i = 0; i < times; ++i) live.publish(fabric.sweep(), {});
  }
  std::string posted(const StreamTopics& topics, StreamCursor& cursor) {
    return stream_events(live.view().get(), *live.events(), topics, cursor);
  }
  StreamCursor cursor(const std::string& last) {
    return stream_cursor(live.view().get(), *live.events(), last);
  }
};

}  // namespace

TEST_CASE("the topics of a stream are validated") {
  const StreamTopics all = stream_topics(Target("/s"));
  CHECK((all.sweeps && all.events && all.ports.empty()));
  const StreamTopics some = stream_topics(Target("/s?topics=events,ports:0x1f:3"));
  CHECK_FALSE(some.sweeps);
  CHECK(some.ports == std::vector<std::pair<Guid, PortNumber>>{{0x1f, 3}});
  for (const char* bad : {"sweeps", "ports:", "ports:0x1", "ports:1:1", "ports:0x1:0"}) {
    CHECK_THROWS_AS(stream_topics(Target(std::string("/s?topics=") + bad)), ApiError);
  }
}

TEST_CASE("a new subscriber gets the newest sweep, then each new sweep once") {
  Stream stream;
  const StreamTopics topics = stream_topics(Target("/s?topics=sweep,ports:0x200000:1"));
  StreamCursor early = stream.cursor("");
  CHECK(stream.posted(topics, early).empty());
  stream.sweep(3);
  StreamCursor cursor = stream.cursor("");
  const std::string first = stream.posted(topics, cursor);
  CHECK(count_of(first, "event: sweep\n") == 1);
  CHECK(count_of(first, "event: port\n") == 1);
  CHECK(count_of(first, "id: 3\n") == 1);
  CHECK(stream.posted(topics, cursor).empty());
  stream.sweep();
  CHECK(count_of(stream.posted(topics, cursor), "id: 4\n") == 1);
  // A client that subscribed before the first sweep misses none.
  CHECK(count_of(stream.posted(topics, early), "event: sweep\n") == 4);
}

TEST_CASE(
    "a client that reconnects gets the events that it missed, and the number of lost events") {
  Stream stream;
  const StreamTopics topics = stream_topics(Target("/s?topics=sweep"));
  stream.sweep(70);
  StreamCursor recent = stream.cursor("50"), old = stream.cursor("3"),
               untrusted = stream.cursor("99");
  const std::string replay = stream.posted(topics, recent);
  CHECK(count_of(replay, "event: sweep\n") == 20);
  CHECK(count_of(replay, "event: gap\n") == 0);
  const std::string rest = stream.posted(topics, old);
  CHECK(count_of(rest, "event: gap\ndata: {\"after\":3,\"next\":11}") == 1);
  CHECK(count_of(rest, "event: sweep\n") == 60);
  CHECK(count_of(stream.posted(topics, untrusted), "event: gap\n") == 1);
}

TEST_CASE("subscribers of events get each event once, on a single line") {
  Stream stream;
  stream.sweep();
  const StreamTopics topics = stream_topics(Target("/s?topics=events"));
  StreamCursor cursor = stream.cursor("");
  stream.posted(topics, cursor);
  stream.live.add_event(
      {.kind = EventKind::clock_jumped, .time_ms = 7, .text = "not\none\n\ndata: line"});
  const std::string text = stream.posted(topics, cursor);
  CHECK(count_of(text, "event: event\n") == 1);
  CHECK(count_of(text, "\n") == 3);
  CHECK(stream.posted(topics, cursor).empty());
}
