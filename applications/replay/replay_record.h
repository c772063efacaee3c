#pragma once

// The times of each simulated operation, and its last precondition.

#include <cstdint>
#include <vector>

#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

inline constexpr std::uint32_t no_operation = any_rank;

/// Times that do not apply are 0.
struct OperationRecord {
  ReplayTime ready = 0;   ///< may use its processor: for a receive, when its data has arrived
  ReplayTime begun = 0;   ///< got its processor
  ReplayTime free = 0;    ///< released its processor
  ReplayTime ended = 0;   ///< never: -1
  ReplayTime posted = 0;  ///< for a receive
  // For a message, at its send.
  ReplayTime met = 0;      ///< envelope and receive
  ReplayTime queued = 0;   ///< its data may leave
  ReplayTime entered = 0;  ///< its data enters the network
  ReplayTime left = 0;     ///< the last byte has left the network, or the sender
  ReplayTime arrived = 0;  ///< the last byte is at the receiver, L included
  ReplayTime alone = 0;    ///< part of left - entered that it needs without others on its links

  std::uint32_t freed_by = no_operation;  ///< its last precondition
  bool freed_by_begin = false;            ///< whether that was its begin, else its end
  /// It waited for its processor, after this operation; or, with waits_for_adapter, for the gap
  /// after this send.
  std::uint32_t behind = no_operation;
  bool waits_for_adapter = false;
  std::uint32_t behind_message = no_operation;  ///< the previous message of its pair
  std::uint32_t partner = no_operation;         ///< the receive of a send, or the send of a receive
};

/// By the numbers of the schedule: about 130 bytes per operation.
using ReplayRecord = std::vector<OperationRecord>;

}  // namespace pssp
