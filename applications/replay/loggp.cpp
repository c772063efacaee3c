// LogGOPSim's simulation, as described by its paper and figures. An operation is queued for the
// time at which its processor (for sends also its adapter) will be free, and is queued again, with
// the same number, if the processor is busy then: of operations due at the same time, the lowest
// number comes first. Successors are queued when an operation begins, since its end is then known.
//
// A message in flight is represented by its send. On arrival it occupies the processor of the
// receiver, whether or not a receive is posted; the receive ends when the processor is released. A
// message larger than the eager limit ends its send only when data and receive have met.

#include "applications/replay/loggp.h"

#include <algorithm>
#include <queue>
#include <vector>

#include "applications/replay/matching.h"
#include "applications/replay/operation_progress.h"

namespace pssp {
namespace {

class LogGpMachine {
 public:
  LogGpMachine(const Schedule& schedule, const MessageCosts& costs)
      : schedule_(schedule),
        costs_(costs),
        source_(schedule),
        progress_(source_),
        ranks_(schedule.rank_count()) {}

  ReplayResult replay() {
    progress_.begin_all([&](std::uint32_t operation) { queue_operation(operation); });
    while (!due_.empty()) {
      const Due due = due_.top();
      due_.pop();
      handle(due);
    }
    return std::move(progress_).result();
  }

 private:
  struct Due {
    ReplayTime time;
    std::uint64_t number;
    std::uint32_t operation;
    bool is_arrival;  // of the message that the operation sends
    bool operator>(const Due& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  struct RankState {
    std::vector<ReplayTime> processors, senders, receivers;  // when they are free
    WaitingEnds ends;
  };

  static ReplayTime& free_at(std::vector<ReplayTime>& resources, std::uint8_t number) {
    if (resources.size() <= number) resources.resize(std::size_t{number} + 1);
    return resources[number];
  }
  RankState& state_of(std::uint32_t operation) { return ranks_[schedule_.rank_of(operation)]; }
  ReplayTime& processor(std::uint32_t operation) {
    return free_at(state_of(operation).processors, schedule_.operation(operation).processor);
  }
  ReplayTime& sender(std::uint32_t operation) {
    return free_at(state_of(operation).senders, schedule_.operation(operation).adapter);
  }
  ReplayTime bytes_behind_first(const Operation& operation) const {
    return static_cast<ReplayTime>(operation.size == 0 ? 0 : operation.size - 1);
  }

  void queue_operation(std::uint32_t operation) {
    ReplayTime time = processor(operation);
    if (schedule_.operation(operation).kind == OperationKind::send) {
      time = std::max(time, sender(operation));
    }
    due_.push({time, next_number_++, operation, false});
  }
  void queue_again(Due due, ReplayTime time) {
    due.time = time;
    due_.push(due);
  }
  /// Releases the operations that waited for the end, which is at `time`.
  void end(std::uint32_t operation, ReplayTime time) {
    progress_.ended(operation, time, [&](std::uint32_t later) { queue_operation(later); });
  }
  void begin(std::uint32_t operation) {
    progress_.begun(operation, [&](std::uint32_t later) { queue_operation(later); });
  }

  void handle(const Due& due) {
    if (due.is_arrival) {
      arrive(due);
      return;
    }
    switch (schedule_.operation(due.operation).kind) {
      case OperationKind::compute:
        compute(due);
        break;
      case OperationKind::send:
        send(due);
        break;
      case OperationKind::receive:
        receive(due);
        break;
    }
  }

  void compute(const Due& due) {
    ReplayTime& free = processor(due.operation);
    if (free > due.time) {
      queue_again(due, free);
      return;
    }
    constexpr ReplayTime picoseconds = 1000;
    free =
        due.time + static_cast<ReplayTime>(schedule_.operation(due.operation).size) * picoseconds;
    const ReplayTime ends = free;
    begin(due.operation);
    end(due.operation, ends);
  }

  void send(const Due& due) {
    const Operation& operation = schedule_.operation(due.operation);
    ReplayTime& free = processor(due.operation);
    ReplayTime& adapter = sender(due.operation);
    if (std::max(free, adapter) > due.time) {
      queue_again(due, std::max(free, adapter));
      return;
    }
    const ReplayTime rest = bytes_behind_first(operation);
    free = due.time + costs_.overhead + rest * costs_.overhead_per_byte;
    adapter = due.time + costs_.gap + rest * costs_.gap_per_byte;
    const ReplayTime ends = free;
    begin(due.operation);
    due_.push({due.time + costs_.overhead + costs_.latency, next_number_++, due.operation, true});
    if (operation.size <= costs_.eager) end(due.operation, ends);
  }

  void receive(const Due& due) {
    const Operation& operation = schedule_.operation(due.operation);
    begin(due.operation);
    const auto message =
        state_of(due.operation).ends.post(due.operation, operation.peer, operation.tag);
    if (!message) return;
    end_rendezvous(*message, due.time);
    end(due.operation, due.time);
  }

  void arrive(const Due& due) {
    const Operation& message = schedule_.operation(due.operation);
    RankState& to = ranks_[message.peer];
    ReplayTime& free = free_at(to.processors, message.processor);
    ReplayTime& adapter = free_at(to.receivers, message.adapter);
    if (std::max(free, adapter) > due.time) {
      queue_again(due, std::max(free, adapter));
      return;
    }
    const ReplayTime rest = bytes_behind_first(message);
    free =
        due.time + costs_.overhead + rest * std::max(costs_.overhead_per_byte, costs_.gap_per_byte);
    adapter = due.time + costs_.gap + rest * costs_.gap_per_byte;
    const ReplayTime ends = free;
    const auto taken_by =
        to.ends.arrived(due.operation, schedule_.rank_of(due.operation), message.tag);
    if (!taken_by) return;
    end_rendezvous(due.operation, due.time);
    end(*taken_by, ends);
  }

  /// Data and receive have met.
  void end_rendezvous(std::uint32_t send, ReplayTime time) {
    if (schedule_.operation(send).size <= costs_.eager) return;
    processor(send) = std::max(processor(send), time);
    sender(send) = std::max(sender(send), time);
    end(send, time);
  }

  const Schedule& schedule_;
  const MessageCosts& costs_;
  ScheduleSource source_;
  OperationProgress progress_;
  std::vector<RankState> ranks_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t next_number_ = 0;
};

}  // namespace

ReplayResult replay_loggp(const Schedule& schedule, const MessageCosts& costs) {
  require_time_fits(schedule, costs, 0);
  return LogGpMachine(schedule, costs).replay();
}

}  // namespace pssp
