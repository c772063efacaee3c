// Events are kept in one queue, by time; at one time first what happens by itself (an operation
// ends, an envelope arrives, data is in), then processors take the next operation of their queue,
// and when nothing is left at that time the links are shared anew. So an operation that becomes
// free while others do at the same picosecond finds its place among them by its number.
//
// A send holds its processor for o + (s - 1) O. Then its envelope is on its way, for L and the
// delays of links and switches. A small message has ended now, and its data enters the queue of its
// pair of hosts; a large one waits until envelope and receive have met and the answer, which takes
// as long, is back. Data of a pair of hosts leaves in order, one message after the other: a
// reliable connection. Its last byte is at the receiver L and the delays after it has left the
// network; a large send ends without the L, which is the receiver's. A receive ends when its data
// is in and its processor has had o for it.

#include "applications/play/network_play.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>
#include <unordered_map>

#include "applications/networks/shared_links.h"
#include "applications/play/matching.h"
#include "applications/play/operation_progress.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr PlayTime local_latency = 300'000;
constexpr double local_bytes_per_picosecond = 0.01;
constexpr std::uint32_t no_operation = any_rank;

class NetworkMachine {
 public:
  NetworkMachine(const Schedule& schedule, const MessageCosts& costs, const Fabric& fabric,
                 const ForwardingTables* tables, std::span<const EndPortId> hosts,
                 const WayDelays& delays)
      : schedule_(schedule),
        costs_(costs),
        hosts_(hosts),
        ways_(fabric, tables, delays),
        links_(ways_.capacities()),
        progress_(schedule),
        ranks_(schedule.rank_count()),
        taken_by_(schedule.operation_count(), no_operation),
        adapters_(fabric.end_port_count()) {}

  PlayResult play() {
    progress_.begin_all([&](std::uint32_t operation) { ready(operation); });
    PlayTime next = 0;
    while ((next = next_time()) != std::numeric_limits<PlayTime>::max()) {
      now_ = next;
      play_moment();
      links_.share(now_);
    }
    return std::move(progress_).result();
  }

 private:
  enum class What : std::uint8_t {
    operation_ends,  // a send or a computation, or what a receive costs
    send_leaves,     // the processor is done with it
    envelope_arrives,
    data_may_leave,  // into the queue of its pair of hosts
    data_is_in,
    large_send_ends,
    processor_looks,  // for its next operation
  };
  struct Event {
    PlayTime time;
    std::uint64_t number;
    std::uint32_t operation;  // of processor_looks: any one of that processor
    What what;
    bool is_late() const { return what == What::processor_looks; }
    bool operator>(const Event& other) const {
      if (time != other.time) return time > other.time;
      if (is_late() != other.is_late()) return is_late();
      return number > other.number;
    }
  };
  struct Processor {
    PlayTime free_at = 0;
    std::set<std::pair<PlayTime, std::uint32_t>> waiting;  // since when, operation
  };
  struct RankState {
    std::vector<Processor> processors;
    WaitingEnds ends;
  };
  /// Data between two hosts; there while some is under way.
  struct Pair {
    std::vector<std::uint32_t> waiting;  // sends, behind the one that crosses the links
    std::size_t next = 0;
  };

  PlayTime next_time() const {
    return std::min(events_.empty() ? std::numeric_limits<PlayTime>::max() : events_.top().time,
                    links_.next_end());
  }
  void play_moment() {
    while (true) {
      if (links_.next_end() == now_) {
        leave(links_.take_ended(now_));
      } else if (!events_.empty() && events_.top().time == now_) {
        const Event event = events_.top();
        events_.pop();
        handle(event);
      } else {
        return;
      }
    }
  }
  void at(PlayTime time, What what, std::uint32_t operation) {
    events_.push({time, next_number_++, operation, what});
  }

  void handle(const Event& event) {
    const std::uint32_t operation = event.operation;
    switch (event.what) {
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
      case What::processor_looks:
        look(operation);
        break;
    }
  }

  EndPortId host(std::uint32_t rank) const { return hosts_[rank]; }
  EndPortId sender(std::uint32_t send) const { return host(schedule_.rank_of(send)); }
  EndPortId receiver(std::uint32_t send) const { return host(schedule_.operation(send).peer); }
  bool is_eager(std::uint32_t send) const { return schedule_.operation(send).size <= costs_.eager; }
  PlayTime latency(EndPortId from, EndPortId to) {
    return from == to ? local_latency : costs_.latency + ways_.delay(from, to);
  }
  Processor& processor(std::uint32_t operation) {
    std::vector<Processor>& all = ranks_[schedule_.rank_of(operation)].processors;
    const std::uint8_t number = schedule_.operation(operation).processor;
    if (all.size() <= number) all.resize(std::size_t{number} + 1);
    return all[number];
  }

  void ready(std::uint32_t operation) {
    if (schedule_.operation(operation).kind != OperationKind::receive) {
      wait_for_processor(operation);
      return;
    }
    const Operation& receive = schedule_.operation(operation);
    const auto message =
        ranks_[schedule_.rank_of(operation)].ends.post(operation, receive.peer, receive.tag);
    progress_.begun(operation, [&](std::uint32_t later) { ready(later); });
    if (message) meet(*message, operation);
  }
  void wait_for_processor(std::uint32_t operation) {
    Processor& p = processor(operation);
    p.waiting.emplace(now_, operation);
    if (p.free_at <= now_) at(now_, What::processor_looks, operation);
  }
  void end(std::uint32_t operation) {
    progress_.ended(operation, now_, [&](std::uint32_t later) { ready(later); });
  }

  /// The processor of that operation takes the first that waits, if it is free.
  void look(std::uint32_t of) {
    Processor& p = processor(of);
    if (p.free_at > now_ || p.waiting.empty()) return;
    const std::uint32_t operation = p.waiting.begin()->second;
    const Operation& o = schedule_.operation(operation);
    if (o.kind == OperationKind::send) {
      PlayTime& adapter = adapters_[sender(operation).value()];
      if (adapter > now_) {
        at(adapter, What::processor_looks, operation);
        return;
      }
      adapter = now_ + costs_.gap;
    }
    p.waiting.erase(p.waiting.begin());
    p.free_at = now_ + holds_processor(o);
    at(p.free_at, o.kind == OperationKind::send ? What::send_leaves : What::operation_ends,
       operation);
    at(p.free_at, What::processor_looks, operation);
    // A receive has begun when it was posted.
    if (o.kind == OperationKind::receive) return;
    progress_.begun(operation, [&](std::uint32_t later) { ready(later); });
  }
  PlayTime holds_processor(const Operation& operation) const {
    constexpr PlayTime picoseconds = 1000;
    const auto size = static_cast<PlayTime>(operation.size);
    if (operation.kind == OperationKind::compute) return size * picoseconds;
    if (operation.kind == OperationKind::receive) return costs_.overhead;
    return costs_.overhead + std::max<PlayTime>(size - 1, 0) * costs_.overhead_per_byte;
  }

  void send_leaves(std::uint32_t send) {
    at(now_ + latency(sender(send), receiver(send)), What::envelope_arrives, send);
    if (!is_eager(send)) return;
    if (schedule_.operation(send).size != 0) enter_queue(send);
    end(send);
  }
  void envelope_arrives(std::uint32_t send) {
    const Operation& message = schedule_.operation(send);
    const auto receive =
        ranks_[message.peer].ends.arrived(send, schedule_.rank_of(send), message.tag);
    if (message.size == 0) data_is_in(send);
    if (receive) meet(send, *receive);
  }
  /// Envelope and receive.
  void meet(std::uint32_t send, std::uint32_t receive) {
    const bool is_in = taken_by_[send] == data_without_receive;
    taken_by_[send] = receive;
    if (is_in) wait_for_processor(receive);
    if (!is_eager(send)) {
      at(now_ + latency(receiver(send), sender(send)), What::data_may_leave, send);
    }
  }
  void data_is_in(std::uint32_t send) {
    if (taken_by_[send] == no_operation) {
      taken_by_[send] = data_without_receive;
    } else {
      wait_for_processor(taken_by_[send]);
    }
  }

  std::uint64_t pair_of(std::uint32_t send) const {
    return std::uint64_t{sender(send).value()} << 32U | receiver(send).value();
  }
  void enter_queue(std::uint32_t send) {
    if (sender(send) == receiver(send)) {
      const double time =
          static_cast<double>(schedule_.operation(send).size) / local_bytes_per_picosecond;
      arrive(send, now_ + static_cast<PlayTime>(std::ceil(time)), local_latency, 0);
      return;
    }
    const auto [pair, is_new] = pairs_.try_emplace(pair_of(send));
    if (is_new) {
      cross(send);
    } else {
      pair->second.waiting.push_back(send);
    }
  }
  void cross(std::uint32_t send) {
    ways_.collect(sender(send), receiver(send), way_);
    links_.begin(send, static_cast<double>(schedule_.operation(send).size), way_, now_);
  }
  /// The last byte of a message is through its links.
  void leave(std::uint32_t send) {
    const auto pair = pairs_.find(pair_of(send));
    Pair& p = pair->second;
    if (p.next < p.waiting.size()) {
      cross(p.waiting[p.next++]);
    } else {
      pairs_.erase(pair);
    }
    arrive(send, now_, costs_.latency, ways_.delay(sender(send), receiver(send)));
  }
  void arrive(std::uint32_t send, PlayTime left, PlayTime of_software, PlayTime of_way) {
    at(left + of_software + of_way, What::data_is_in, send);
    if (!is_eager(send)) at(left + of_way, What::large_send_ends, send);
  }

  static constexpr std::uint32_t data_without_receive = no_operation - 1;

  const Schedule& schedule_;
  const MessageCosts& costs_;
  std::span<const EndPortId> hosts_;
  MessageWays ways_;
  SharedLinks links_;
  OperationProgress progress_;
  std::vector<RankState> ranks_;
  std::vector<std::uint32_t> taken_by_;  // the receive of each send that has met one
  std::vector<PlayTime> adapters_;       // when each may begin its next send
  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_number_ = 0;
  PlayTime now_ = 0;
  std::vector<std::uint32_t> way_;
};

void require_one_adapter(const Schedule& schedule) {
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    if (schedule.operation(i).adapter == 0) continue;
    throw Error(ErrorKind::usage, fmt::format("{}: nic {} is asked for; each rank has nic 0 alone",
                                              schedule.label(i), schedule.operation(i).adapter));
  }
}

}  // namespace

PlayResult play_on_links(const Schedule& schedule, const MessageCosts& costs, const Fabric& fabric,
                         const ForwardingTables* tables, std::span<const EndPortId> hosts,
                         const WayDelays& delays) {
  if (hosts.size() < schedule.rank_count()) {
    throw Error(ErrorKind::usage,
                fmt::format("the application has {} ranks, and there are {} hosts for them; fewer "
                            "ranks, or more hosts",
                            schedule.rank_count(), hosts.size()));
  }
  require_one_adapter(schedule);
  const std::vector<double> capacities = MessageWays(fabric, nullptr, delays).capacities();
  const double slowest = capacities.empty() ? 1.0 : *std::ranges::min_element(capacities);
  require_time_fits(schedule, costs, std::max(1 / slowest, 1 / local_bytes_per_picosecond));
  return NetworkMachine(schedule, costs, fabric, tables, hosts, delays).play();
}

}  // namespace pssp
