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
  PlayTime ready = 0;   ///< may have its processor: of a receive, when its data is in
  PlayTime begun = 0;   ///< has its processor
  PlayTime free = 0;    ///< has given it back
  PlayTime ended = 0;   ///< never: -1
  PlayTime posted = 0;  ///< of a receive
  // Of a message, at its send.
  PlayTime met = 0;      ///< envelope and receive
  PlayTime queued = 0;   ///< its data may leave
  PlayTime entered = 0;  ///< its data enters the network
  PlayTime left = 0;     ///< the last byte has left the network, or the sender
  PlayTime arrived = 0;  ///< the last byte is at the receiver, L included
  PlayTime alone = 0;    ///< of the time between entered and left: without others on its links

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
using PlayRecord = std::vector<OperationRecord>;

}  // namespace pssp
