// The path is followed backwards by events: an operation ended, or got its processor, or data had
// left, or envelope and receive had met. The cause of each event is the last of its preconditions,
// and the time between them is a segment. If several occur at the same picosecond, the message
// counts as the cause, then the processor.

#include "applications/measure/critical_path.h"

#include <algorithm>

namespace pssp {
namespace {

class PathWalk {
 public:
  PathWalk(const Schedule& schedule, const ReplayRecord& record)
      : schedule_(schedule), record_(record) {}

  CriticalPath walk() {
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
      if (record_[i].ended > record_[last].ended) last = i;
    }
    if (record_.empty()) return {};
    now_ = record_[last].ended;
    at_ = {Instant::ended, last};
    while (at_.instant != Instant::start) step();
    add(at_.operation, PathPart::waiting, 0);
    std::ranges::reverse(path_.segments);
    std::ranges::reverse(path_.messages);
    return std::move(path_);
  }

 private:
  enum class Instant : std::uint8_t {
    start,
    ended,
    has_processor,
    ready,   ///< waits for no other operation
    left,    ///< its data has left the network
    queued,  ///< its data may leave
  };
  struct Position {
    Instant instant;
    std::uint32_t operation;
  };

  /// From `begin` to the current time of the path; segments without duration are omitted.
  void add(std::uint32_t operation, PathPart part, ReplayTime begin) {
    if (begin < now_) {
      path_.segments.push_back({operation, part, begin, now_});
      path_.parts[static_cast<std::size_t>(part)] += now_ - begin;
    }
    now_ = begin;
  }

  void step() {
    switch (at_.instant) {
      case Instant::ended:
        back_from_end();
        break;
      case Instant::has_processor:
        back_from_processor();
        break;
      case Instant::ready:
        back_from_ready();
        break;
      case Instant::left:
        back_from_left();
        break;
      case Instant::queued:
        back_from_queued();
        break;
      case Instant::start:
        break;
    }
  }

  void back_from_end() {
    const OperationRecord& record = record_[at_.operation];
    if (record.free == record.ended) {
      hold(at_.operation);
      return;
    }
    // A send by rendezvous: its last byte, and the way.
    add(at_.operation, PathPart::latency, record.left);
    at_.instant = Instant::left;
  }
  /// From the end to the beginning of its use of the processor.
  void hold(std::uint32_t operation) {
    const bool computes = schedule_.operation(operation).kind == OperationKind::compute;
    add(operation, computes ? PathPart::computing : PathPart::overhead, record_[operation].begun);
    at_ = {Instant::has_processor, operation};
  }

  void back_from_processor() {
    const OperationRecord& record = record_[at_.operation];
    if (record.behind != no_operation && record.ready < record.begun) {
      const std::uint32_t behind = record.behind;
      if (!record.waits_for_adapter) {
        hold(behind);
        return;
      }
      // A gap begins at the start of the previous send.
      add(at_.operation, PathPart::overhead, record_[behind].begun);
      at_ = {Instant::has_processor, behind};
      return;
    }
    if (record.partner == no_operation || !is_receive(at_.operation) ||
        record_[record.partner].arrived < record.posted) {
      at_.instant = Instant::ready;
      return;
    }
    const std::uint32_t send = record.partner;
    if (schedule_.operation(send).size == 0) {
      back_from_envelope(send);
      return;
    }
    add(send, PathPart::latency, record_[send].left);
    at_ = {Instant::left, send};
  }

  void back_from_ready() {
    const OperationRecord& record = record_[at_.operation];
    if (record.freed_by == no_operation) {
      at_.instant = Instant::start;
      return;
    }
    const bool receives = is_receive(record.freed_by);
    at_ = {!record.freed_by_begin ? Instant::ended
           : receives             ? Instant::ready
                                  : Instant::has_processor,
           record.freed_by};
  }

  void back_from_left() {
    const OperationRecord& record = record_[at_.operation];
    path_.messages.push_back(at_.operation);
    const ReplayTime alone = std::min(now_, record.entered + record.alone);
    add(at_.operation, PathPart::congestion, alone);
    add(at_.operation, PathPart::wire, record.entered);
    if (record.behind_message != no_operation && record.queued < record.entered) {
      at_ = {Instant::left, record.behind_message};
    } else {
      at_.instant = Instant::queued;
    }
  }

  void back_from_queued() {
    const std::uint32_t send = at_.operation;
    const OperationRecord& record = record_[send];
    if (record.free == record.queued) {
      hold(send);
      return;
    }
    // The path of the reply, after envelope and receive have met.
    add(send, PathPart::latency, record.met);
    if (record_[record.partner].posted == record.met) {
      at_ = {Instant::ready, record.partner};
    } else {
      back_from_envelope(send);
    }
  }
  void back_from_envelope(std::uint32_t send) {
    add(send, PathPart::latency, record_[send].free);
    hold(send);
  }

  bool is_receive(std::uint32_t operation) const {
    return schedule_.operation(operation).kind == OperationKind::receive;
  }

  const Schedule& schedule_;
  const ReplayRecord& record_;
  CriticalPath path_;
  Position at_{Instant::start, 0};
  ReplayTime now_ = 0;
};

}  // namespace

CriticalPath critical_path(const Schedule& schedule, const ReplayRecord& record) {
  return PathWalk(schedule, record).walk();
}

}  // namespace pssp
