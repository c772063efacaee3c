#pragma once

// Events in a heap with four children per node.
//
// Debian has no suitable library of discrete events: existing ones call a virtual function or a
// std::function per event, and allocate memory for it. An event here is 24 bytes of plain data.
// Four children need half as many levels as two, and fit into two cache lines (LaMarca, Ladner:
// "The Influence of Caches on the Performance of Heaps", 1996).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/kernel/event.h"

namespace pssp {

/// A heap with the first event in front. push and drop: O(log n).
class EventHeap {
 public:
  void push(const Event& event) {
    heap_.push_back(event);
    std::size_t at = heap_.size() - 1;
    while (at != 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!before(event, heap_[parent])) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = event;
  }
  const Event& front() const noexcept { return heap_.front(); }
  /// Removes the first event.
  void drop() {
    const Event last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }
  void clear() noexcept { heap_.clear(); }

  std::size_t size() const noexcept { return heap_.size(); }
  std::size_t bytes() const noexcept { return heap_.capacity() * sizeof(Event); }

  /// In unspecified order.
  template <class Function>
  void for_each(Function&& function) const {
    for (const Event& event : heap_) function(event);
  }

 private:
  void sink(const Event& event) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t first = 1; first < size; first = 4 * at + 1) {
      std::size_t least = first;
      const std::size_t end = first + 4 < size ? first + 4 : size;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (before(heap_[child], heap_[least])) least = child;
      }
      if (!before(heap_[least], event)) break;
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = event;
  }

  std::vector<Event> heap_;
};

/// Events with equal times leave in the order of arrival.
class HeapQueue {
 public:
  /// The time must not be before that of the last removed event.
  void push(SimulatedTime time, SimulatorEventKind kind, std::uint32_t subject,
            std::uint32_t detail) {
    heap_.push({time, created_++ << 8U | static_cast<std::uint64_t>(kind), subject, detail});
  }
  /// Removes the first event if it is before `end`.
  bool pop_before(SimulatedTime end, Event& event) {
    if (heap_.size() == 0 || heap_.front().time >= end) return false;
    event = heap_.front();
    heap_.drop();
    return true;
  }

  /// Same interface as CalendarQueue, but never calls `ahead`.
  template <class Ahead>
  bool pop_before(SimulatedTime end, Event& event, const Ahead& /*ahead*/) {
    return pop_before(end, event);
  }

  std::size_t size() const noexcept { return heap_.size(); }
  std::size_t bytes() const noexcept { return heap_.bytes(); }
  template <class Function>
  void for_each(Function&& function) const {
    heap_.for_each(function);
  }

 private:
  EventHeap heap_;
  std::uint64_t created_ = 0;
};

}  // namespace pssp
