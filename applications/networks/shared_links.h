#pragma once

// Messages under way, and how they share the links that they cross.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "applications/schedule/playing.h"

namespace pssp {

/// The rate of a message is the least of capacity / messages over its links: what eBB and S count.
/// Rates change when a message begins or ends, after all that happens at the same picosecond.
class SharedLinks {
 public:
  /// Bytes a picosecond of each link, > 0.
  explicit SharedLinks(std::vector<double> capacities);

  /// A message of `bytes` > 0 begins to cross the links (each once, at least one). `id` comes back
  /// from take_ended(); messages that end at one time come in the order of these calls.
  void begin(std::uint32_t id, double bytes, std::span<const std::uint32_t> links, PlayTime now);
  /// Shares anew what has begun or ended since the last call. To be called once all that happens at
  /// `now` has happened, before next_end().
  void share(PlayTime now);
  /// When the next message ends: the moment its bytes are through, rounded up; the largest time
  /// there is when none is under way.
  PlayTime next_end() const noexcept;
  /// Removes the next message, which ends at `now` = next_end().
  std::uint32_t take_ended(PlayTime now);

  /// Bytes that have crossed each link, of messages that ended.
  std::span<const double> bytes() const noexcept { return bytes_; }
  /// Of a message under way, by its id; for tests. O(messages).
  double rate(std::uint32_t id) const;

 private:
  static constexpr std::uint32_t not_queued = std::numeric_limits<std::uint32_t>::max();
  struct Use {
    std::uint32_t link;
    std::uint32_t place;  // in users_[link]
  };
  struct User {
    std::uint32_t message;  // slot
    std::uint32_t use;      // of its uses
  };
  struct Message {
    std::uint32_t id = 0;
    std::uint32_t place = not_queued;  // in queue_
    std::uint64_t number = 0;          // of begin()
    double all = 0, left = 0, rate = 0;
    PlayTime since = 0;  // when `left` was so much
    PlayTime end = 0;
    std::uint64_t seen = 0;  // the last sharing that looked at it
    std::vector<Use> uses;
  };

  void touch(std::uint32_t link);
  void leave_links(const Message& message);
  void share_message(std::uint32_t slot, PlayTime now);
  bool is_before(std::uint32_t a, std::uint32_t b) const;
  void put(std::uint32_t place, std::uint32_t slot);
  void sift_up(std::uint32_t place);
  void sift_down(std::uint32_t place);

  std::vector<double> capacities_, bytes_;
  std::vector<std::vector<User>> users_;  // of each link
  std::vector<char> is_touched_;
  std::vector<std::uint32_t> touched_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> queue_;  // slots, a heap of four children by end
  std::uint64_t begun_ = 0;
  std::uint64_t sharings_ = 0;
};

}  // namespace pssp
