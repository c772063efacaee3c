#pragma once

// When each operation of a play did what, and what it waited for last.

#include <cstdint>
#include <vector>

#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

inline constexpr std::uint32_t no_operation = any_rank;

/// Times that do not apply are 0.
struct OperationRecord {
  ReplayTime ready = 0;   ///< may have its processor: of a receive, when its data is in
  ReplayTime begun = 0;   ///< has its processor
  ReplayTime free = 0;    ///< has given it back
  ReplayTime ended = 0;   ///< never: -1
  ReplayTime posted = 0;  ///< of a receive
  // Of a message, at its send.
  ReplayTime met = 0;      ///< envelope and receive
  ReplayTime queued = 0;   ///< its data may leave
  ReplayTime entered = 0;  ///< its data enters the network
  ReplayTime left = 0;     ///< the last byte has left the network, or the sender
  ReplayTime arrived = 0;  ///< the last byte is at the receiver, L included
  ReplayTime alone = 0;    ///< of the time between entered and left: without others on its links

  std::uint32_t freed_by = no_operation;  ///< the last operation that it waited for
  bool freed_by_begin = false;            ///< of that: its begin, else its end
  /// Waited for its processor, behind this one; or, where waits_for_adapter, for the gap behind
  /// this send.
  std::uint32_t behind = no_operation;
  bool waits_for_adapter = false;
  std::uint32_t behind_message = no_operation;  ///< the message of its pair that left before
  std::uint32_t partner = no_operation;         ///< of a send its receive, of a receive its send
};

/// By the numbers of the schedule: some 130 bytes an operation.
using ReplayRecord = std::vector<OperationRecord>;

}  // namespace pssp
