#pragma once

// Messages under way, and how they share the links that they cross.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "applications/networks/minimal_paths.h"
#include "applications/schedule/playing.h"
#include "evaluator/flows/max_min_shares.h"

namespace pssp {

/// Rates change when a message begins or ends, after all that happens at the same picosecond.
class SharedLinks {
 public:
  /// Bytes a picosecond of each link, > 0. Messages that cross links in parts share by `equal`
  /// alone: each link gives them one rate, whatever part of it they need there.
  explicit SharedLinks(std::vector<double> capacities, LinkSharing sharing = LinkSharing::equal);

  /// From now on it is noted which group of messages holds up which: `group_of` is by the ids of
  /// messages, and below `groups`. To be called before any begins.
  void watch_groups(std::vector<std::uint32_t> group_of, std::uint32_t groups);
  /// How long the second group held up the first: over all messages of the first, the time that
  /// they crossed their links, times the share of their rate alone that they did not get then, at
  /// their narrowest link, and of that the part of the load of others there that is the second's.
  /// Picoseconds.
  double held_up(std::uint32_t group, std::uint32_t by) const {
    return held_up_[group * groups_ + by];
  }

  /// A message of `bytes` > 0 begins to cross the links (each once, at least one). `id` comes back
  /// from take_ended(); messages that end at one time come in the order of these calls.
  void begin(std::uint32_t id, double bytes, std::span<const std::uint32_t> links, ReplayTime now);
  /// The same of a message that is divided over links.
  void begin_divided(std::uint32_t id, double bytes, std::span<const LinkPart> links,
                     ReplayTime now);
  /// Shares again what has begun or ended since the last call. To be called once all that happens
  /// at `now` has happened, before next_end().
  void share(ReplayTime now);
  /// When the next message ends: the moment its bytes are through, rounded up; the largest time
  /// there is when none is under way. O(1).
  ReplayTime next_end() const noexcept;
  /// Removes the next message, which ends at `now` = next_end().
  std::uint32_t take_ended(ReplayTime now);

  /// Bytes that have crossed each link, of messages that ended.
  std::span<const double> bytes() const noexcept { return bytes_; }
  /// Of a message under way, by its id; for tests. O(messages).
  double rate(std::uint32_t id) const;

 private:
  static constexpr std::uint32_t not_queued = std::numeric_limits<std::uint32_t>::max();
  struct Use {
    std::uint32_t link;
    std::uint32_t place;  // in users_[link]
    std::uint32_t part;   // of LinkPart::whole
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
    ReplayTime since = 0;  // when `left` was so much
    ReplayTime end = 0;
    std::uint64_t seen = 0;  // the last sharing that looked at it
    std::vector<Use> uses;
    // Where groups are watched: noted until then; and since then, of others on its narrowest link,
    // the load of each group.
    ReplayTime noted = 0;
    std::vector<std::uint64_t> beside;
  };

  std::uint32_t add(std::uint32_t id, double bytes, ReplayTime now);
  void use(std::uint32_t slot, LinkPart part);
  void touch(std::uint32_t link);
  void leave_links(const Message& message);
  const Use& narrowest(const Message& message) const;
  static bool changes(double rate, double gave, double gives);
  double equal_rate(const Message& message) const;
  void note_groups(Message& message, ReplayTime now);
  std::uint64_t* group_load(std::uint32_t link, const Message& message);
  void share_max_min(ReplayTime now);
  void collect_connected();
  void set_rate(std::uint32_t slot, double rate, ReplayTime now);
  bool is_before(std::uint32_t a, std::uint32_t b) const;
  void put(std::uint32_t place, std::uint32_t slot);
  void sift_up(std::uint32_t place);
  void sift_down(std::uint32_t place);

  std::vector<double> capacities_, bytes_;
  std::vector<std::vector<User>> users_;  // of each link
  std::vector<std::uint64_t> load_;       // of each link, the parts of its users
  std::vector<double> given_;  // by each link to a message, at the last sharing; by `equal`
  std::vector<double> gave_;   // of touched_, at the sharing before
  std::vector<char> is_touched_;
  std::vector<std::uint32_t> touched_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> queue_;  // slots, a heap of four children by end
  std::uint64_t begun_ = 0;
  std::uint64_t sharings_ = 0;
  LinkSharing sharing_;
  // Of the sharing by max-min that is at hand: messages and links that are connected.
  std::vector<std::uint32_t> connected_;     // slots
  std::vector<std::uint32_t> local_number_;  // of each link
  std::vector<SharingFlow> flows_;
  std::vector<double> local_capacities_;
  // Where groups are watched.
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> group_of_;    // by id
  std::vector<std::uint64_t> group_load_;  // [link][group]
  std::vector<double> held_up_;            // [group][by]
};

}  // namespace pssp
