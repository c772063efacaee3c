#pragma once

// Messages in flight, and how they share the links of their paths.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "applications/networks/minimal_paths.h"
#include "applications/schedule/playing.h"
#include "evaluator/flows/max_min_shares.h"

namespace pssp {

/// Rates change when a message begins or ends, after all events of the same picosecond.
class SharedLinks {
 public:
  /// Capacities in bytes per picosecond, > 0. Messages that divide over links support only `equal`:
  /// each link gives them one rate, regardless of their part on it.
  explicit SharedLinks(std::vector<double> capacities, LinkSharing sharing = LinkSharing::equal);

  /// Records from now on which group of messages delays which: `group_of` is by the ids of
  /// messages, with values below `groups`. Must be called before any message begins.
  void watch_groups(std::vector<std::uint32_t> group_of, std::uint32_t groups);
  /// How long the second group delayed the first, in picoseconds: over all messages of the first,
  /// the time on their links, times the share of their rate alone that they lacked, times the
  /// second group's share of the other load on their narrowest link.
  double held_up(std::uint32_t group, std::uint32_t by) const {
    return held_up_[group * groups_ + by];
  }

  /// A message of `bytes` > 0 begins on the links (distinct, at least one). take_ended() returns
  /// `id`; messages that end at the same time are returned in the order of these calls.
  void begin(std::uint32_t id, double bytes, std::span<const std::uint32_t> links, ReplayTime now);
  /// The same for a message that is divided over links.
  void begin_divided(std::uint32_t id, double bytes, std::span<const LinkPart> links,
                     ReplayTime now);
  /// Updates the rates for messages that began or ended since the last call. Must be called after
  /// all events at `now`, before next_end().
  void share(ReplayTime now);
  /// When the next message ends, rounded up; the maximum time if there is none. O(1).
  ReplayTime next_end() const noexcept;
  /// Removes the next message, which ends at `now` = next_end().
  std::uint32_t take_ended(ReplayTime now);

  /// Bytes over each link, for ended messages.
  std::span<const double> bytes() const noexcept { return bytes_; }
  /// Of a message in flight, by its id; for tests. O(messages).
  double rate(std::uint32_t id) const;

 private:
  static constexpr std::uint32_t not_queued = std::numeric_limits<std::uint32_t>::max();
  struct Use {
    std::uint32_t link;
    std::uint32_t place;  // index in users_[link]
    std::uint32_t part;   // of LinkPart::whole
  };
  struct User {
    std::uint32_t message;  // slot
    std::uint32_t use;      // index of its uses
  };
  struct Message {
    std::uint32_t id = 0;
    std::uint32_t place = not_queued;  // index in queue_
    std::uint64_t number = 0;          // sequence number of begin()
    double all = 0, left = 0, rate = 0;
    ReplayTime since = 0;  // time to which `left` refers
    ReplayTime end = 0;
    std::uint64_t seen = 0;  // the last sharing that examined it
    std::vector<Use> uses;
    // With watched groups: time of the last update; and the load of each other group on its
    // narrowest link since then.
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
  std::vector<std::vector<User>> users_;  // by link
  std::vector<std::uint64_t> load_;       // by link, the parts of its users
  std::vector<double> given_;             // by link to a message, at the last sharing; for `equal`
  std::vector<double> gave_;              // by touched_, at the previous sharing
  std::vector<char> is_touched_;
  std::vector<std::uint32_t> touched_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> queue_;  // slots, a heap with four children by end
  std::uint64_t begun_ = 0;
  std::uint64_t sharings_ = 0;
  LinkSharing sharing_;
  // For the current max-min sharing: connected messages and links.
  std::vector<std::uint32_t> connected_;     // slots
  std::vector<std::uint32_t> local_number_;  // by link
  std::vector<SharingFlow> flows_;
  std::vector<double> local_capacities_;
  // With watched groups.
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> group_of_;    // by id
  std::vector<std::uint64_t> group_load_;  // [link][group]
  std::vector<double> held_up_;            // [group][by]
};

}  // namespace pssp
