// The attributes that are requested for a port depend on the capabilities of its node:
//
//   additional extended counters   PortCountersExtended has all of them, 64 bits wide
//   extended width                 PortCounters for errors, PortCountersExtended for data
//   neither                        PortCounters, whose data counters are full after 17 GB
//
// If an answer has another PortSelect than the request, the answer or the firmware of the node is
// defective. The port then has no reading in this sweep.

#include "monitor/collector/sweep_work.h"

#include <array>
#include <limits>
#include <utility>

namespace pssp {
namespace {

constexpr std::uint64_t bytes_per_word = 4;

bool is_additional(const PerformanceInfo& info) {
  return (info.capabilities2 & performance_capability::additional_extended) != 0;
}

bool is_extended(const PerformanceInfo& info) {
  constexpr std::uint16_t either =
      performance_capability::extended_width | performance_capability::extended_width_no_ietf;
  return is_additional(info) || (info.capabilities & either) != 0;
}

/// By the members of PortCounters that a list of fields has.
CounterMask mask_of_fields(std::span<const CounterField> fields) {
  CounterMask mask = 0;
  for (const CounterField& field : fields) {
    for (const CounterInfo& info : counter_table()) {
      if (info.on_wire == field.counter) mask |= mask_of(info.counter);
    }
  }
  return mask;
}

struct Masks {
  CounterMask narrow, wide, additional;
  std::array<std::uint8_t, counter_count> width{};  ///< in PortCounters
};

const Masks& masks() {
  static const Masks all = [] {
    Masks m{mask_of_fields(port_counters_fields()),
            mask_of_fields(extended_fields()),
            mask_of_fields(additional_extended_fields()),
            {}};
    for (const CounterField& field : port_counters_fields()) {
      for (const CounterInfo& info : counter_table()) {
        if (info.on_wire == field.counter) {
          m.width[static_cast<std::size_t>(info.counter)] = field.width;
        }
      }
    }
    return m;
  }();
  return all;
}

constexpr CounterMask by_cast =
    mask_of(Counter::unicast_transmit_packets) | mask_of(Counter::unicast_receive_packets) |
    mask_of(Counter::multicast_transmit_packets) | mask_of(Counter::multicast_receive_packets);

/// Counters that count only if the node supports them.
CounterMask promised(const PerformanceInfo& info) {
  CounterMask mask = all_counters;
  if ((info.capabilities & performance_capability::xmit_wait) == 0) {
    mask &= ~mask_of(Counter::transmit_wait);
  }
  if ((info.capabilities & performance_capability::qp1_dropped) == 0) {
    mask &= ~mask_of(Counter::qp1_dropped);
  }
  const bool no_ietf = (info.capabilities & performance_capability::extended_width_no_ietf) != 0 &&
                       (info.capabilities & performance_capability::extended_width) == 0;
  return no_ietf ? mask & ~by_cast : mask;
}

/// The counters of a port with 64 bits.
CounterMask wide_of(const PerformanceInfo& info) {
  if (is_additional(info)) return masks().wide | masks().additional;
  return is_extended(info) ? masks().wide : CounterMask{0};
}

}  // namespace

CounterMask counters_of(const PerformanceInfo& info) {
  const CounterMask narrow = is_additional(info) ? CounterMask{0} : masks().narrow;
  return (narrow | wide_of(info)) & promised(info);
}

PortReading reading_of(const PerformanceInfo& info, const PortCounters* narrow,
                       const PortCounters* extended) {
  PortReading reading;
  reading.known = counters_of(info);
  const CounterMask wide = extended != nullptr ? wide_of(info) : CounterMask{0};
  reading.narrow = reading.known & ~wide;
  for (const CounterInfo& counter : counter_table()) {
    const CounterMask bit = mask_of(counter.counter);
    const auto at = static_cast<std::size_t>(counter.counter);
    if ((reading.known & bit) == 0) continue;
    const PortCounters* const from = (wide & bit) != 0 ? extended : narrow;
    if (from == nullptr) {
      reading.known &= ~bit;
      reading.narrow &= ~bit;
      continue;
    }
    const std::uint64_t value = from->*counter.on_wire;
    constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();
    if ((reading.narrow & bit) != 0 && value == all_ones >> (64 - masks().width[at])) {
      reading.saturated |= bit;
    }
    reading.values[at] = counter.unit == CounterUnit::bytes ? value * bytes_per_word : value;
  }
  return reading;
}

// ---- a target ----

TargetDialogue::TargetDialogue(SweepTarget& target, bool verify, std::uint64_t m_key, Over over)
    : target_(target),
      step_(verify ? Step::identity : Step::info),
      m_key_(m_key),
      over_(std::move(over)) {}

std::optional<MadRequest> TargetDialogue::next() {
  if (step_ == Step::info && target_.info) {
    answered_ = true;
    step_ = Step::done;
  }
  if (step_ == Step::identity) return node_info_request(subnet_management_at(target_.lid), m_key_);
  if (step_ == Step::info) return performance_info_request(target_.lid);
  std::exchange(over_, nullptr)(*this);
  return std::nullopt;
}

void TargetDialogue::take(const MadAnswer& answer) {
  if (step_ == Step::identity) {
    const NodeInfo info = decode_node_info(answer.data);
    // A switch can have the LIDs of adapters behind it, so the port also matters.
    const bool right = info.node_guid == target_.guid;
    if (!right) found_ = info.node_guid;
    step_ = right ? Step::info : Step::done;
    return;
  }
  target_.info = decode_performance_info(answer.data);
  answered_ = true;
  step_ = Step::done;
}

void TargetDialogue::failed(const MadFailure& failure) {
  // If SMPs need a key, the identity cannot be requested, but the counters can.
  const bool is_refusal = failure.kind == MadFailure::Kind::refused;
  if (step_ == Step::identity && is_refusal) {
    step_ = Step::info;
    return;
  }
  refused_ = is_refusal;
  step_ = Step::done;
}

// ---- ticks ----

// According to the specification (InfiniBand architecture, 16.1.3.2), a tick of PortXmitWait is a
// multiple of the time of one byte on a lane: Tick 0 means one byte, Tick 255 means 256 bytes. On
// all lanes together, this is a number of bytes; Tick 0 on four lanes is a word. Vendors choose the
// tick by device, as a number of symbols or as a fixed clock. A fixed clock is another number of
// symbols at another speed, so one port of each speed is asked. Quantum switches of NVIDIA report 7
// and count every eight bytes of the port at any width (manual of ibdiagnet, "Congestion Assessment
// on InfiniBand Links").
std::uint16_t tick_bytes_of(const SweepTarget& target, const MapNode& node, const MapPort& port) {
  constexpr std::uint32_t nvidia = 0x0002c9;
  constexpr unsigned of_whole_port = 7;
  const auto stated =
      std::ranges::find(target.ticks, port.rate.megabits_per_lane, &StatedTick::megabits_per_lane);
  if (stated == target.ticks.end() || !stated->tick || port.rate.lanes == 0) return 0;
  const bool is_switch = node.kind == NodeKind::switch_node;
  const bool whole = is_switch && node.vendor == nvidia && *stated->tick == of_whole_port;
  return static_cast<std::uint16_t>((*stated->tick + 1U) * (whole ? 1U : port.rate.lanes));
}

TickDialogue::TickDialogue(std::shared_ptr<SweepTarget> target, const FabricMap& map, Over over)
    : target_(std::move(target)), over_(std::move(over)) {
  for (const std::uint32_t p : target_->ports) {
    const MapPort& port = map.ports[p];
    const std::uint32_t speed = port.rate.megabits_per_lane;
    const auto of_speed = [&](const auto& each) { return each.megabits_per_lane == speed; };
    const bool known =
        std::ranges::any_of(target_->ticks, of_speed) || std::ranges::any_of(asked_, of_speed);
    if (port.rate.stated() && !known) asked_.push_back({port.number, speed});
  }
}

std::optional<MadRequest> TickDialogue::next() {
  if (at_ < asked_.size()) return port_samples_request(target_->lid, asked_[at_].port);
  std::exchange(over_, nullptr)(*this);
  return std::nullopt;
}

void TickDialogue::take(const MadAnswer& answer) {
  answered_ = true;
  enter(decode_samples_tick(answer.data));
}

void TickDialogue::failed(const MadFailure&) {
  enter(std::nullopt);
  // A node that does not answer this request does not answer for other ports either.
  while (!answered_ && at_ < asked_.size()) enter(std::nullopt);
}

void TickDialogue::enter(std::optional<std::uint8_t> tick) {
  target_->ticks.push_back({asked_[at_++].megabits_per_lane, tick});
}

// ---- a port ----

PortDialogue::PortDialogue(SweepTarget& target, std::uint32_t port, PortNumber number,
                           const Now& now, const Over& over)
    : target_(&target),
      now_(&now),
      over_(&over),
      port_(port),
      number_(number),
      step_(is_additional(*target.info) ? Step::extended : Step::narrow) {
  reading_.status = PortStatus::silent;
}

std::optional<MadRequest> PortDialogue::next() {
  if (target_->silent) step_ = Step::done;
  if (step_ == Step::narrow) return port_counters_request(target_->lid, number_);
  if (step_ == Step::extended) return port_counters_extended_request(target_->lid, number_);
  if (!std::exchange(reported_, true)) (*over_)(*this);
  return std::nullopt;
}

void PortDialogue::take(const MadAnswer& answer) {
  const PerformanceInfo& info = *target_->info;
  PortCounters extended;
  if (step_ == Step::narrow) {
    narrow_ = decode_port_counters(answer.data);
    if (narrow_.port != number_) return finish(PortStatus::silent);
    if (is_extended(info)) {
      step_ = Step::extended;
      return;
    }
    reading_ = reading_of(info, &narrow_, nullptr);
  } else {
    extended = decode_port_counters_extended(answer.data, is_additional(info));
    if (extended.port != number_) return finish(PortStatus::silent);
    reading_ = reading_of(info, is_additional(info) ? nullptr : &narrow_, &extended);
  }
  finish(PortStatus::read);
}

void PortDialogue::finish(PortStatus status) {
  if (status != PortStatus::read) reading_ = {};
  reading_.status = status;
  reading_.read_ns = status == PortStatus::read ? (*now_)() : 0;
  step_ = Step::done;
}

void PortDialogue::failed(const MadFailure& failure) {
  if (failure.kind == MadFailure::Kind::refused) return finish(PortStatus::refused);
  // Each remaining port of the node would otherwise cost a timeout.
  if (failure.kind == MadFailure::Kind::unanswered) target_->silent = true;
  finish(PortStatus::silent);
}

}  // namespace pssp
