#pragma once

// Messages that a player has begun, and what became of them.

#include <cstdint>
#include <vector>

#include "base/no_index.h"

namespace pssp {

/// Owner of the pairs of hosts between which a player sends (FlowRecord::owner).
inline constexpr std::uint32_t owner_of_played = no_index - 1;

/// Between two hosts messages are sent one after the other, so packets that arrive are those of the
/// oldest. All O(1), but for room.
class PlayedMessages {
 public:
  struct News {
    std::uint32_t message = 0;
    bool has_arrived = false;  ///< else its last packet is on its way
  };

  /// A message of so many bytes is sent by the pair of hosts of the flow `flow` from now on.
  void begun(std::uint32_t flow, std::uint32_t message, std::uint64_t bytes) {
    if (pairs_.size() <= flow) pairs_.resize(std::size_t{flow} + 1);
    pairs_[flow].messages.push_back({message, bytes});
  }
  /// The last packet of the flow's youngest message begins to leave.
  void sent(std::uint32_t flow) { news_.push_back({pairs_[flow].messages.back().number, false}); }
  /// So many bytes of the flow have arrived.
  void took(std::uint32_t flow, std::uint32_t bytes) {
    Pair& pair = pairs_[flow];
    Message& oldest = pair.messages[pair.first];
    oldest.left -= bytes;
    if (oldest.left != 0) return;
    news_.push_back({oldest.number, true});
    if (++pair.first < pair.messages.size()) return;
    pair.messages.clear();
    pair.first = 0;
  }

  bool has_news() const noexcept { return next_ < news_.size(); }
  /// The oldest piece of news; there must be one.
  News take_news() {
    const News news = news_[next_++];
    if (next_ == news_.size()) {
      news_.clear();
      next_ = 0;
    }
    return news;
  }

 private:
  struct Message {
    std::uint32_t number;
    std::uint64_t left;
  };
  struct Pair {
    std::vector<Message> messages;
    std::size_t first = 0;  // that has not arrived
  };

  std::vector<Pair> pairs_;  // by flow
  std::vector<News> news_;
  std::size_t next_ = 0;
};

}  // namespace pssp
