// Events are in one queue by time. At each time, independent events come first (an operation ends,
// an envelope arrives, data has arrived), then processors take the next operation of their queue,
// and finally the links are shared again. So operations that become ready at the same picosecond
// are ordered by number.
//
// A send occupies its processor for o + (s - 1) O. Then its envelope takes L and the delays of
// links and switches. A small message ends its send, and its data enters the queue of its pair of
// hosts; a large one waits until envelope and receive have met and the reply, which takes as long,
// has arrived. Data of a pair of hosts leaves in order, one message after the other: a reliable
// connection. Its last byte arrives L and the delays after it has left the network; a large send
// ends without the L, which is the receiver's. A receive ends when its data has arrived and its
// processor has spent o on it.

#include "applications/replay/network_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "applications/networks/flow_network.h"
#include "applications/replay/application_source.h"
#include "applications/replay/matching.h"
#include "applications/replay/operation_progress.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr ReplayTime local_latency = 300'000;
constexpr double local_bytes_per_picosecond = 0.01;

class NetworkMachine {
 public:
  NetworkMachine(OperationSource& operations, const MessageCosts& costs, MessageNetwork& network,
                 const RankPlacement& positions, const NetworkReplayOptions& options)
      : operations_(operations),
        costs_(costs),
        positions_(positions),
        options_(options),
        network_(network),
        progress_(operations),
        ranks_(operations.rank_count()),
        uses_(operations.rank_count()),
        adapters_(end_port_room(positions)) {}

  ReplayResult replay() {
    progress_.begin_all([&](std::uint32_t operation) {
      const ReplayTime start =
          options_.starts.empty() ? 0 : options_.starts[operations_.rank_of(operation)];
      if (start == 0) {
        ready(operation);
      } else {
        at(start, What::rank_begins, operation);
      }
    });
    constexpr ReplayTime never = std::numeric_limits<ReplayTime>::max();
    ReplayTime next = 0;
    while ((next = network_.next_event(events_.empty() ? never : events_.top().time)) != never) {
      options_.stop.check("messages");
      now_ = next;
      simulate_instant();
      network_.settle(now_);
    }
    ReplayResult result = std::move(progress_).result();
    result.eager_together = eager_together_;
    result.rank_uses = std::move(uses_);
    return result;
  }

 private:
  enum class What : std::uint8_t {
    rank_begins,     // an operation that waits only for the start of its rank
    operation_ends,  // a send or a computation, or the overhead of a receive
    send_leaves,     // the processor has finished it
    envelope_arrives,
    data_may_leave,  // into the queue of its pair of hosts
    data_is_in,
    large_send_ends,
    processor_checks,  // for its next operation
  };
  struct Event {
    ReplayTime time;
    std::uint64_t order;      // at equal times: by number, late operations after all others
    std::uint32_t operation;  // for processor_checks: its rank
    What what;
    std::uint8_t processor = 0;  // for processor_checks
    // Branchless, because the comparisons of a heap are unpredictable.
    bool operator>(const Event& other) const {
      return static_cast<bool>(
          static_cast<int>(time > other.time) |
          (static_cast<int>(time == other.time) & static_cast<int>(order > other.order)));
    }
  };
  static constexpr std::uint64_t late = std::uint64_t{1} << 63U;
  struct Waiting {
    ReplayTime since;
    std::uint64_t order;
    std::uint32_t operation;
    bool operator>(const Waiting& other) const {
      return since != other.since ? since > other.since : order > other.order;
    }
  };
  struct Processor {
    ReplayTime free_at = 0;
    std::uint32_t held_last = no_operation;  // until then
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  };
  struct RankState {
    std::vector<Processor> processors;
    WaitingEnds ends;
  };
  /// Data to one host; exists while some is in flight.
  struct Connection {
    EndPortId receiver;
    std::vector<std::uint32_t> waiting{};  // sends after the one on the links
    std::size_t next = 0;
  };

  void simulate_instant() {
    MessageEvents events;
    while (true) {
      if (network_.take_events(now_, events)) {
        if (events.kind == MessageEvents::Kind::left) {
          leave(events.message);
        } else {
          arrive(events.message, now_, costs_.latency, 0);
        }
      } else if (!events_.empty() && events_.top().time == now_) {
        const Event event = events_.top();
        events_.pop();
        handle(event);
      } else {
        return;
      }
    }
  }
  /// Where it is wanted.
  template <class Write>
  void note(std::uint32_t operation, const Write& write) {
    if (options_.record != nullptr) write((*options_.record)[operation]);
  }
  void at(ReplayTime time, What what, std::uint32_t operation) {
    events_.push({time, next_number_++, operation, what});
  }
  void look_at(ReplayTime time, std::uint32_t rank, std::uint8_t processor) {
    events_.push({time, late | next_number_++, rank, What::processor_checks, processor});
  }

  void handle(const Event& event) {
    const std::uint32_t operation = event.operation;
    switch (event.what) {
      case What::rank_begins:
        ready(operation);
        break;
      case What::operation_ends:
        end(operation);
        break;
      case What::send_leaves:
        send_leaves(operation);
        break;
      case What::envelope_arrives:
        envelope_arrives(operation);
        break;
      case What::data_may_leave:
        enter_queue(operation);
        break;
      case What::data_is_in:
        data_is_in(operation);
        break;
      case What::large_send_ends:
        end(operation);
        break;
      case What::processor_checks:
        check_operation(event.operation, event.processor);
        break;
    }
  }

  /// A message arrives at the adapter with the number of the sending one: rails are separate.
  EndPortId adapter(std::uint32_t rank, std::uint8_t number) const {
    return positions_.adapters.empty() ? positions_.hosts[rank] : positions_.adapters[rank][number];
  }
  EndPortId sender(std::uint32_t send) const {
    return adapter(operations_.rank_of(send), operations_.operation(send).adapter);
  }
  EndPortId receiver(std::uint32_t send) const {
    const Operation message = operations_.operation(send);
    return adapter(message.peer, message.adapter);
  }
  bool is_eager(std::uint32_t send) const {
    return operations_.operation(send).size <= costs_.eager;
  }
  ReplayTime latency(EndPortId from, EndPortId to) {
    return from == to ? local_latency : costs_.latency + network_.delay(from, to);
  }
  Processor& processor(std::uint32_t rank, std::uint8_t number) {
    std::vector<Processor>& all = ranks_[rank].processors;
    if (all.size() <= number) all.resize(std::size_t{number} + 1);
    return all[number];
  }

  void ready(std::uint32_t operation) {
    if (operation >= sends_.size()) sends_.resize(std::size_t{operation} + 1);
    note(operation, [&](OperationRecord& record) { record.posted = now_; });
    const Operation receive = operations_.operation(operation);
    if (receive.kind != OperationKind::receive) {
      wait_for_processor(operation);
      return;
    }
    const auto message =
        ranks_[operations_.rank_of(operation)].ends.post(operation, receive.peer, receive.tag);
    begin(operation);
    if (message) meet(*message, operation);
  }
  void wait_for_processor(std::uint32_t operation) {
    const std::uint32_t rank = operations_.rank_of(operation);
    const std::uint8_t number = operations_.operation(operation).processor;
    Processor& p = processor(rank, number);
    p.waiting.push({now_, operations_.order_of(operation), operation});
    note(operation, [&](OperationRecord& record) { record.ready = now_; });
    if (p.free_at <= now_) look_at(now_, rank, number);
  }
  void begin(std::uint32_t operation) {
    progress_.begun(operation, [&](std::uint32_t later) { free(later, operation, true); });
  }
  void end(std::uint32_t operation) {
    note(operation, [&](OperationRecord& record) { record.ended = now_; });
    const bool is_send = operations_.operation(operation).kind == OperationKind::send;
    progress_.ended(operation, now_, [&](std::uint32_t later) { free(later, operation, false); });
    if (is_send) {
      half_over(operation);
    } else {
      operations_.forget(operation);
    }
  }
  /// A send has ended, or its receive has its data. After both, it is forgotten.
  void half_over(std::uint32_t send) {
    if (!std::exchange(sends_[send].is_half_over, true)) return;
    sends_[send] = {};
    operations_.forget(send);
  }
  void free(std::uint32_t operation, std::uint32_t by, bool by_begin) {
    note(operation, [&](OperationRecord& record) {
      record.freed_by = by;
      record.freed_by_begin = by_begin;
    });
    ready(operation);
  }

  /// The processor takes its first waiting operation if it is free.
  void check_operation(std::uint32_t rank, std::uint8_t number) {
    Processor& p = processor(rank, number);
    if (p.free_at > now_ || p.waiting.empty()) return;
    const Waiting first = p.waiting.top();
    const std::uint32_t operation = first.operation;
    const Operation o = operations_.operation(operation);
    if (o.kind == OperationKind::send && !take_adapter(operation, rank, number)) return;
    p.waiting.pop();
    const ReplayTime held = holds_processor(o);
    note(operation, [&](OperationRecord& record) {
      if (first.since < now_ && !record.waits_for_adapter) record.behind = p.held_last;
      record.begun = now_;
      record.free = now_ + held;
    });
    p.held_last = operation;
    p.free_at = now_ + held;
    (o.kind == OperationKind::compute ? uses_[rank].computing : uses_[rank].overhead) += held;
    at(p.free_at, o.kind == OperationKind::send ? What::send_leaves : What::operation_ends,
       operation);
    look_at(p.free_at, rank, number);
    // A receive begins when it is posted.
    if (o.kind != OperationKind::receive) begin(operation);
  }
  /// Returns false if the gap after the last send of the adapter is not over; the processor then
  /// tries again.
  bool take_adapter(std::uint32_t send, std::uint32_t rank, std::uint8_t processor_number) {
    Adapter& adapter = adapters_[sender(send).value()];
    if (adapter.free_at > now_) {
      look_at(adapter.free_at, rank, processor_number);
      note(send, [&](OperationRecord& record) {
        record.behind = adapter.sent_last;
        record.waits_for_adapter = true;
      });
      return false;
    }
    adapter.free_at = now_ + costs_.gap;
    adapter.sent_last = send;
    return true;
  }
  ReplayTime holds_processor(const Operation& operation) const {
    constexpr ReplayTime picoseconds = 1000;
    const auto size = static_cast<ReplayTime>(operation.size);
    if (operation.kind == OperationKind::compute) {
      return options_.compute_scale == 1
                 ? size * picoseconds
                 : static_cast<ReplayTime>(std::llround(static_cast<double>(size * picoseconds) *
                                                        options_.compute_scale));
    }
    if (operation.kind == OperationKind::receive) return costs_.overhead;
    return costs_.overhead + std::max<ReplayTime>(size - 1, 0) * costs_.overhead_per_byte;
  }

  void send_leaves(std::uint32_t send) {
    at(now_ + latency(sender(send), receiver(send)), What::envelope_arrives, send);
    if (!is_eager(send)) return;
    if (operations_.operation(send).size != 0) enter_queue(send);
    end(send);
  }
  void envelope_arrives(std::uint32_t send) {
    const Operation message = operations_.operation(send);
    const auto receive =
        ranks_[message.peer].ends.arrived(send, operations_.rank_of(send), message.tag);
    if (message.size == 0) data_is_in(send);
    if (receive) meet(send, *receive);
  }
  /// Envelope and receive meet.
  void meet(std::uint32_t send, std::uint32_t receive) {
    const bool is_in = std::exchange(sends_[send].taken_by, receive) == data_without_receive;
    note(send, [&](OperationRecord& record) {
      record.met = now_;
      record.partner = receive;
    });
    note(receive, [&](OperationRecord& record) { record.partner = send; });
    if (!is_eager(send)) {
      at(now_ + latency(receiver(send), sender(send)), What::data_may_leave, send);
    }
    if (!is_in) return;
    wait_for_processor(receive);
    half_over(send);
  }
  void data_is_in(std::uint32_t send) {
    note(send, [&](OperationRecord& record) { record.arrived = now_; });
    std::uint32_t& receive = sends_[send].taken_by;
    if (receive == no_operation) {
      receive = data_without_receive;
      return;
    }
    wait_for_processor(receive);
    half_over(send);
  }

  /// A linear search, because a host has few connections at a time in all collective operations.
  static std::vector<Connection>::iterator find_connection(std::vector<Connection>& connections,
                                                           EndPortId receiver) {
    return std::ranges::find(connections, receiver, &Connection::receiver);
  }
  void enter_queue(std::uint32_t send) {
    note(send, [&](OperationRecord& record) { record.queued = now_; });
    if (sender(send) == receiver(send)) {
      const double time =
          static_cast<double>(operations_.operation(send).size) / local_bytes_per_picosecond;
      const ReplayTime left = now_ + static_cast<ReplayTime>(std::ceil(time));
      note(send, [&](OperationRecord& record) {
        record.entered = now_;
        record.left = left;
        record.alone = left - now_;
      });
      arrive(send, left, local_latency, 0);
      return;
    }
    std::vector<Connection>& connections = adapters_[sender(send).value()].connections;
    const auto connection = find_connection(connections, receiver(send));
    if (connection != connections.end()) {
      connection->waiting.push_back(send);
      return;
    }
    connections.push_back({receiver(send)});
    cross(send);
  }
  void cross(std::uint32_t send) {
    const auto bytes = static_cast<double>(operations_.operation(send).size);
    note(send, [&](OperationRecord& record) {
      record.entered = now_;
      record.alone = network_.time_alone(bytes, sender(send), receiver(send));
    });
    count_together(send);
    network_.begin(send, bytes, sender(send), receiver(send), now_);
  }
  void count_together(std::uint32_t send) {
    Adapter& adapter = adapters_[sender(send).value()];
    if (adapter.in_progress++ == 0) {
      adapter.alone = send;
      return;
    }
    for (const std::uint32_t each : {send, std::exchange(adapter.alone, no_operation)}) {
      if (each != no_operation && is_eager(each)) ++eager_together_;
    }
  }
  /// The last byte of a message has left the network, or its sender.
  void leave(std::uint32_t send) {
    note(send, [&](OperationRecord& record) { record.left = now_; });
    Adapter& adapter = adapters_[sender(send).value()];
    if (--adapter.in_progress == 0) adapter.alone = no_operation;
    const auto connection = find_connection(adapter.connections, receiver(send));
    if (connection->next < connection->waiting.size()) {
      const std::uint32_t next = connection->waiting[connection->next++];
      note(next, [&](OperationRecord& record) { record.behind_message = send; });
      cross(next);
    } else {
      if (connection != adapter.connections.end() - 1) {
        *connection = std::move(adapter.connections.back());
      }
      adapter.connections.pop_back();
    }
    if (network_.tells_arrivals()) return;
    arrive(send, now_, costs_.latency, network_.delay(sender(send), receiver(send)));
  }
  void arrive(std::uint32_t send, ReplayTime left, ReplayTime of_software, ReplayTime of_path) {
    if (network_.tells_arrivals()) {
      note(send, [&](OperationRecord& record) { record.left = left; });
    }
    at(left + of_software + of_path, What::data_is_in, send);
    if (!is_eager(send)) at(left + of_path, What::large_send_ends, send);
  }

  static constexpr std::uint32_t data_without_receive = no_operation - 1;

  struct SendState {
    std::uint32_t taken_by = no_operation;  // the receive that it has met
    bool is_half_over = false;
  };
  struct Adapter {
    ReplayTime free_at = 0;                  // for its next send
    std::uint32_t sent_last = no_operation;  // until then
    std::uint32_t in_progress = 0;           // messages in the network
    std::uint32_t alone = no_operation;      // the only one, if it was always alone
    std::vector<Connection> connections{};   // with messages in flight
  };

  OperationSource& operations_;
  const MessageCosts& costs_;
  const RankPlacement& positions_;
  const NetworkReplayOptions& options_;
  MessageNetwork& network_;
  OperationProgress progress_;
  std::vector<RankState> ranks_;
  std::vector<RankUse> uses_;
  std::vector<SendState> sends_;   // by operation
  std::vector<Adapter> adapters_;  // by end port
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_number_ = 0, eager_together_ = 0;
  ReplayTime now_ = 0;
};

double slowest_byte(const MessageNetwork& network) {
  return std::max(network.picoseconds_per_byte(), 1 / local_bytes_per_picosecond);
}

}  // namespace

ReplayResult replay_on_network(const Schedule& schedule, const MessageCosts& costs,
                               MessageNetwork& network, const RankPlacement& positions,
                               const NetworkReplayOptions& options) {
  require_placement(schedule, positions);
  require_time_fits(schedule, costs, slowest_byte(network), options.compute_scale);
  if (options.record != nullptr) {
    options.record->assign(schedule.operation_count(), OperationRecord{});
    for (OperationRecord& each : *options.record) each.ended = -1;
  }
  ScheduleSource source(schedule);
  return NetworkMachine(source, costs, network, positions, options).replay();
}

ReplayResult replay_on_network(const Application& application, const ApplicationExtent& extent,
                               const MessageCosts& costs, MessageNetwork& network,
                               const RankPlacement& positions,
                               const NetworkReplayOptions& options) {
  if (options.record != nullptr) {
    throw Error(ErrorKind::internal,
                "operations that are generated as they become ready cannot be recorded");
  }
  require_placement(application, extent, positions);
  require_time_fits(extent, costs, slowest_byte(network), options.compute_scale);
  ApplicationSource source(application);
  return NetworkMachine(source, costs, network, positions, options).replay();
}

ReplayResult replay_on_links(const Schedule& schedule, const MessageCosts& costs,
                             const Fabric& fabric, const ForwardingTables* tables,
                             const RankPlacement& positions, LinkSharing sharing,
                             const PathDelays& delays, const NetworkReplayOptions& options) {
  FlowNetwork network(fabric, tables, delays, sharing);
  return replay_on_network(schedule, costs, network, positions, options);
}

}  // namespace pssp
