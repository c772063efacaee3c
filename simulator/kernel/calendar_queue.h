#pragma once

// A calendar queue: a ring of days, each an unsorted list of events, and a heap for later events
// (Brown: "Calendar Queues: A Fast O(1) Priority Queue Implementation for the Simulation Event Set
// Problem", CACM 1988). Unlike there, days have a fixed length, because events in a network of
// links are at most a packet time or a delay ahead.
//
// A day is sorted when it begins, latest event first, so that events are taken from its end. New
// events of the current day are inserted in order. Days are short enough to contain few events:
// full days are halved and doubled in number, so that the ring stays some microseconds long, the
// time of a packet.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/kernel/heap_queue.h"

namespace pssp {

/// Same interface as HeapQueue; push and pop: O(1) if few events share a day.
class CalendarQueue {
 public:
  void push(SimulatedTime time, SimulatorEventKind kind, std::uint32_t subject,
            std::uint32_t detail) {
    const Event event{time, created_++ << 8U | static_cast<std::uint64_t>(kind), subject, detail};
    ++size_;
    const std::int64_t day = time >> day_bits_;
    if (day <= today_) {
      put_into_today(event);
    } else if (day - today_ < days()) {
      put(event, day);
    } else {
      later_.push(event);
    }
  }

  /// Removes the first event if it is before `end`. At the beginning of a day, calls
  /// ahead.of_today(event) for its events and ahead.of_next_day(event) for those of the next day.
  template <class Ahead>
  bool pop_before(SimulatedTime end, Event& event, const Ahead& ahead) {
    if (today_events_.empty()) {
      if (!next_day()) return false;
      tell(ahead);
    }
    if (today_events_.back().time >= end) return false;
    event = today_events_.back();
    today_events_.pop_back();
    --size_;
    return true;
  }

  bool pop_before(SimulatedTime end, Event& event) {
    return pop_before(end, event, NothingAhead{});
  }

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept {
    std::size_t events = today_events_.capacity();
    for (const auto& list : lists_) events += list.capacity();
    return events * sizeof(Event) + later_.bytes();
  }

  /// In unspecified order.
  template <class Function>
  void for_each(Function&& function) const {
    for (const Event& event : today_events_) function(event);
    for (const auto& list : lists_) {
      for (const Event& event : list) function(event);
    }
    later_.for_each(function);
  }

 private:
  struct NothingAhead {
    void of_today(const Event& /*event*/) const noexcept {}
    void of_next_day(const Event& /*event*/) const noexcept {}
  };

  template <class Ahead>
  void tell(const Ahead& ahead) const {
    for (const Event& event : today_events_) ahead.of_today(event);
    const std::int64_t next = next_used();
    if (next < 0) return;
    for (const Event& event : lists_[place_of(next)]) ahead.of_next_day(event);
  }

  std::int64_t days() const noexcept { return static_cast<std::int64_t>(lists_.size()); }
  /// Index of a day in the ring; the number of days is a power of two.
  std::size_t place_of(std::int64_t day) const noexcept {
    return static_cast<std::size_t>(day) & (lists_.size() - 1);
  }

  void put_into_today(const Event& event) {
    auto at = today_events_.end();
    while (at != today_events_.begin() && before(*(at - 1), event)) --at;
    today_events_.insert(at, event);
  }

  void put(const Event& event, std::int64_t day) {
    const std::size_t place = place_of(day);
    lists_[place].push_back(event);
    used_[place / 64] |= std::uint64_t{1} << place % 64;
  }

  /// Advances to the next day with events; returns false if there is none.
  bool next_day() {
    if (size_ == 0) return false;
    std::int64_t next = next_used();
    if (later_.size() != 0) {
      const std::int64_t waiting = later_.front().time >> day_bits_;
      if (next < 0 || waiting <= next) next = waiting;
    }
    today_ = next;
    // Moves events that are now near enough into the ring.
    while (later_.size() != 0 && (later_.front().time >> day_bits_) - today_ < days()) {
      put(later_.front(), later_.front().time >> day_bits_);
      later_.drop();
    }
    const std::size_t place = place_of(today_);
    std::vector<Event>& list = lists_[place];
    today_events_.assign(list.begin(), list.end());
    list.clear();
    // Frees the memory of an exceptionally full day.
    if (list.capacity() > most_kept) list.shrink_to_fit();
    used_[place / 64] &= ~(std::uint64_t{1} << place % 64);
    sort_today();
    if (size_ > most_a_day * lists_.size() && day_bits_ > least_day_bits) adapt();
    return true;
  }

  /// Latest first; usually there are only a few events.
  void sort_today() {
    const auto first = today_events_.begin();
    const auto last = today_events_.end();
    if (last - first > 16) {
      std::sort(first, last, [](const Event& a, const Event& b) { return before(b, a); });
      return;
    }
    for (auto next = first; next != last; ++next) {
      const Event event = *next;
      auto at = next;
      for (; at != first && before(*(at - 1), event); --at) *at = *(at - 1);
      *at = event;
    }
  }

  /// The next day of the ring with events; -1: none.
  std::int64_t next_used() const {
    const std::size_t start = place_of(today_ + 1);
    const std::size_t words = used_.size();
    for (std::size_t step = 0; step <= words; ++step) {
      const std::size_t word = (start / 64 + step) & (words - 1);
      std::uint64_t found = used_[word];
      if (step == 0) found &= ~std::uint64_t{0} << start % 64;
      if (step == words) found &= ~(~std::uint64_t{0} << start % 64);
      if (found == 0) continue;
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(found));
      return today_ + 1 + static_cast<std::int64_t>((place - start) & (lists_.size() - 1));
    }
    return -1;
  }

  /// Rebuilds the ring with shorter days when days are too full, which is rare.
  void adapt() {
    std::vector<Event> all;
    for_each([&](const Event& event) { all.push_back(event); });
    // Doubles the number of days, so that the calendar covers the same time.
    lists_.assign(2 * lists_.size(), {});
    used_.assign(lists_.size() / 64, 0);
    today_events_.clear();
    later_.clear();
    --day_bits_;
    std::sort(all.begin(), all.end(), before);
    today_ = all.front().time >> day_bits_;
    for (const Event& event : all) {
      const std::int64_t day = event.time >> day_bits_;
      if (day == today_) {
        today_events_.push_back(event);
      } else if (day - today_ < days()) {
        put(event, day);
      } else {
        later_.push(event);
      }
    }
    std::reverse(today_events_.begin(), today_events_.end());
  }

  static constexpr std::size_t most_a_day = 4;  // mean limit
  static constexpr std::size_t most_kept = 32;
  static constexpr int least_day_bits = 7;

  std::vector<Event> today_events_;  // latest first
  std::vector<std::vector<Event>> lists_{std::size_t{256}};
  std::vector<std::uint64_t> used_ = std::vector<std::uint64_t>(4);  // a bit for each list
  EventHeap later_;
  std::int64_t today_ = -1;
  int day_bits_ = 14;  // 16 ns
  std::size_t size_ = 0;
  std::uint64_t created_ = 0;
};

}  // namespace pssp
