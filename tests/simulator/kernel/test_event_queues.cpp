#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "base/random.h"
#include "simulator/kernel/calendar_queue.h"
#include "simulator/kernel/heap_queue.h"

namespace pssp {
namespace {

/// Typical times between events of a run: zero, hops, packets, and sometimes a time beyond the
/// range of a calendar.
SimulatedTime distance(SplitMix64& random) {
  const std::uint64_t drawn = random();
  switch (drawn % 8) {
    case 0:
      return 0;
    case 1:
      return 5'000;
    case 2:
      return 2'176'000;
    case 3:
      return static_cast<SimulatedTime>(drawn >> 60U);
    case 4:
      return static_cast<SimulatedTime>(drawn >> 24U);
    default:
      return static_cast<SimulatedTime>(drawn >> 43U);
  }
}

/// Compares a queue with a multimap. The queue alternately grows and shrinks: of 1000 operations,
/// about 5 in 8 push, and of the next 1000, about 3 in 8.
template <class Queue>
void compare(std::uint64_t operations, std::uint64_t seed) {
  Queue queue;
  std::multimap<SimulatedTime, std::uint32_t> expected;
  SplitMix64 random(seed);
  SimulatedTime now = 0;
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < operations; ++i) {
    const std::uint64_t pushes = i / 1000 % 2 == 0 ? 5 : 3;
    if (random() % 8 < pushes) {
      const SimulatedTime time = now + distance(random);
      queue.push(time, SimulatorEventKind::wake, static_cast<std::uint32_t>(i), 0);
      expected.emplace(time, static_cast<std::uint32_t>(i));
      continue;
    }
    Event event;
    const SimulatedTime end = random() % 4 == 0 ? now + 1'000 : never;
    const bool found = queue.pop_before(end, event);
    const bool should = !expected.empty() && expected.begin()->first < end;
    if (found != should || queue.size() != expected.size() - (should ? 1U : 0U)) ++wrong;
    if (!should) continue;
    if (event.time != expected.begin()->first || event.subject != expected.begin()->second) ++wrong;
    now = event.time;
    expected.erase(expected.begin());
  }
  CHECK(wrong == 0);
}

/// Many events within a short time, so that the calendar must shorten its days.
template <class Queue>
void hot_spot() {
  Queue queue;
  SplitMix64 random(7);
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    queue.push(static_cast<SimulatedTime>(random() % 4'000'000), SimulatorEventKind::wake, i, 0);
  }
  Event event;
  Event last;
  std::uint64_t wrong = 0;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    REQUIRE(queue.pop_before(never, event));
    if (i != 0 && !before(last, event)) ++wrong;
    last = event;
    if (i < 50'000)
      queue.push(event.time + distance(random) % 3'000'000, SimulatorEventKind::wake, i, 0);
  }
  CHECK(wrong == 0);
  CHECK(queue.size() == 0);
}

}  // namespace

// A multimap keeps equal keys in insertion order. If PSSP_LONG_TESTS is set, the test runs ten
// million operations, which takes half a minute.
TEST_CASE("oracle 19: event queues return events in the order of std::multimap") {
  const std::uint64_t operations = std::getenv("PSSP_LONG_TESTS") == nullptr ? 200'000 : 10'000'000;
  compare<HeapQueue>(operations, 1);
  compare<CalendarQueue>(operations, 1);
  compare<CalendarQueue>(50'000, 2);
}

TEST_CASE("oracle 19: event queues keep many simultaneous events in order") {
  hot_spot<HeapQueue>();
  hot_spot<CalendarQueue>();
}

}  // namespace pssp
