// A sweep consists of many dialogues in one exchange: first one with each target whose identity or
// capabilities are unknown, then one with each port. The sweep ends with its last dialogue.
//
// Nodes that are switched off must not slow down sweeps. If one port of a node does not answer, the
// dialogues with its other ports end too, so a dead switch costs one timeout (times the number of
// tries), not one per port. Afterwards, the node is probed with a single request after 1, 2, 4 ..
// 32 sweeps. Probes do not belong to a sweep, so no sweep waits for them.

#include "monitor/collector/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr unsigned longest_back_off = 32;
/// If only probes remain, no event of the sweep wakes the exchange.
constexpr std::chrono::milliseconds slice{5};
/// Up to this many events of one type in a sweep are reported separately; more are reported as one
/// event.
constexpr std::size_t most_separate_events = 20;
/// Number of nodes that are asked for their ticks of PortXmitWait at a time, and number of nodes
/// without an answer after which the other nodes of the device type are not asked. Ticks are
/// requested outside the sweeps, once per node, because some nodes do not answer. Adapters are
/// asked only after a switch has answered: ibsim passes unknown requests to the program at the
/// node, and opensm would crash.
constexpr std::size_t tick_questions = 4;
constexpr unsigned silent_devices = 3;

bool is_asked(const FabricMap& map, const MapPort& port) {
  return port.state == LinkState::active && port.lid != no_lid &&
         map.node_of(port).kind != NodeKind{};
}

std::int64_t monotonic_ns(Collector::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

/// A sweep that has read nothing yet.
std::shared_ptr<Snapshot> empty_snapshot(std::shared_ptr<const FabricMap> map, std::uint64_t sweep,
                                         bool hosts, std::int64_t begin_ns) {
  const std::size_t ports = map->ports.size();
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->sweep = sweep;
  snapshot->time_ms = wall_clock_ms();
  snapshot->begin_ns = begin_ns;
  snapshot->status.assign(ports, PortStatus::not_active);
  snapshot->read_ns.assign(ports, 0);
  snapshot->known.assign(ports, 0);
  snapshot->saturated.assign(ports, 0);
  snapshot->narrow.assign(ports, 0);
  snapshot->values.assign(ports * counter_count, 0);
  for (std::uint32_t p = 0; !hosts && p < ports; ++p) {
    const bool of_switch = map->node_of(map->ports[p]).kind == NodeKind::switch_node;
    if (!of_switch && is_asked(*map, map->ports[p])) snapshot->status[p] = PortStatus::left_out;
  }
  snapshot->map = std::move(map);
  return snapshot;
}

}  // namespace

SnapshotPointer unanswered_sweep(std::shared_ptr<const FabricMap> map, std::uint64_t sweep,
                                 bool hosts) {
  const auto snapshot =
      empty_snapshot(std::move(map), sweep, hosts, monotonic_ns(Collector::Clock::now()));
  for (std::uint32_t p = 0; p < snapshot->status.size(); ++p) {
    PortStatus& status = snapshot->status[p];
    if (status == PortStatus::left_out || !is_asked(*snapshot->map, snapshot->map->ports[p])) {
      continue;
    }
    status = PortStatus::silent;
    ++snapshot->figures.asked;
  }
  return snapshot;
}

Collector::Collector(Exchange& exchange, const GetOnlyPort& port, const CollectorOptions& options,
                     Exchange::Now now)
    : exchange_(exchange),
      port_(port),
      options_(options),
      now_(std::move(now)),
      reading_time_([this] { return now_ns(); }),
      port_is_over_([this](PortDialogue& dialogue) { port_over(dialogue); }),
      sweep_(options.sweeps_before) {}

std::int64_t Collector::now_ns() const { return monotonic_ns(now_()); }

// ---- targets ----

void Collector::set_map(std::shared_ptr<const FabricMap> map) {
  std::vector<Target> fresh = targets_of(*map);
  keep_state(fresh);
  targets_ = std::move(fresh);
  target_of_port_.assign(map->ports.size(), nullptr);
  for (const Target& target : targets_) {
    for (const std::uint32_t port : target->ports) target_of_port_[port] = target.get();
  }
  map_ = std::move(map);
}

std::vector<Collector::Target> Collector::targets_of(const FabricMap& map) {
  std::vector<Target> all;
  for (const MapNode& node : map.nodes) {
    const bool is_switch = node.kind == NodeKind::switch_node;
    if (!is_switch && !options_.hosts) continue;
    Target of_switch;
    for (std::uint32_t p = node.first_port; p < node.first_port + node.ports; ++p) {
      const MapPort& port = map.ports[p];
      if (!is_asked(map, port)) continue;
      Target target = is_switch ? of_switch : nullptr;
      if (!target) {
        target = std::make_shared<SweepTarget>();
        target->guid = node.guid;
        target->port = is_switch ? PortNumber{0} : port.number;
        target->lid = port.lid;
        all.push_back(target);
      }
      target->ports.push_back(p);
      if (is_switch) of_switch = target;
    }
  }
  return all;
}

/// The identity of a node with a new LID must be verified again.
void Collector::keep_state(std::vector<Target>& fresh) {
  std::map<TargetKey, Target> known;
  for (Target& target : targets_) known.emplace(TargetKey(target->guid, target->port), target);
  for (Target& target : fresh) {
    const auto found = known.find({target->guid, target->port});
    if (found == known.end()) continue;
    if (found->second->lid != target->lid) {
      note_lid(*found->second, *target);
      continue;
    }
    found->second->ports = std::move(target->ports);
    found->second->ticks_due = true;
    target = found->second;
  }
}

void Collector::note_lid(SweepTarget& before, SweepTarget& now) {
  add_event(
      EventKind::lid_changed, before,
      fmt::format("{} has LID {} instead of {}", name_of_node(now.guid), now.lid, before.lid));
  doubt(before);
  now.comparable_since = before.comparable_since;
}

/// Marks the readings since the last check of the node as doubtful, because the time of the change
/// is unknown. The last event reports their sweeps. A node that was not verified has not been read
/// since then either.
///
/// LIDs can move, and counters contain no GUID. Each node is therefore asked for its NodeInfo when
/// it is new, when it did not answer, or when its counters fell or jumped. In addition, each sweep
/// checks an equal share of the nodes, so that every node is checked once in `verify_nodes` sweeps.
/// If the GUID differs, or if discovery finds the node at another LID, its readings are taken back.
void Collector::doubt(SweepTarget& target) {
  if (target.verified != 0) {
    events_.back().since_sweep = target.verified;
    events_.back().until_sweep = sweep_;
  }
  target.verified = 0;
  target.comparable_since = sweep_ + 1;
}

// ---- a sweep ----

void Collector::begin() {
  ended_ns_ = now_ns();
  current_ = empty_snapshot(map_, ++sweep_, options_.hosts, ended_ns_);
  sent_before_ = port_.sent();
  timed_out_before_ = port_.timed_out();
  target_dialogues_.clear();
  port_dialogues_.clear();
  ended_probes_.clear();
  ended_ticks_.clear();
  for (std::size_t i = 0; i < targets_.size(); ++i) begin_target(targets_[i], i);
}

void Collector::begin_target(const Target& target, std::size_t index) {
  if (target->silent) {
    set_status(*target, PortStatus::backed_off);
    if (target->skip > 0) {
      --target->skip;
    } else {
      probe(target);
    }
    return;
  }
  const bool due = (sweep_ + index) % options_.verify_nodes == 0;
  const bool verify = due || target->suspicious || target->wrong || target->verified == 0;
  if (!verify && target->info) {
    ask_ticks(*target);
    begin_ports(*target);
    return;
  }
  target_dialogues_.emplace_back(*target, verify, options_.m_key,
                                 [this](TargetDialogue& dialogue) { target_over(dialogue); });
  ++open_;
  exchange_.add(target_dialogues_.back());
}

void Collector::probe(const Target& target) {
  if (probes_.contains(target.get())) return;
  target->info.reset();
  target->ticks.clear();
  target->ticks_due = true;
  auto dialogue = std::make_unique<TargetDialogue>(
      *target, false, options_.m_key, [this](TargetDialogue& over) { probe_over(over); });
  exchange_.add(*dialogue);
  probes_.emplace(target.get(), Probe{target, std::move(dialogue)});
}

void Collector::ask_ticks(SweepTarget& target) {
  if (!std::exchange(target.ticks_due, false)) return;
  if ((target.info->capabilities & performance_capability::xmit_wait) == 0) return;
  if (target.port == 0 || switch_said_ticks_) {
    tick_queue_.push_back(target.shared_from_this());
    begin_ticks();
  } else {
    tick_adapters_.push_back(target.shared_from_this());
  }
}

void Collector::begin_ticks() {
  while (!tick_queue_.empty() && tick_dialogues_.size() < tick_questions) {
    std::shared_ptr<SweepTarget> target = std::move(tick_queue_.front());
    tick_queue_.pop_front();
    const auto node = map_->find_node(target->guid);
    if (!node) continue;
    const TickAnswers& others =
        tick_answers_[{map_->nodes[*node].vendor, map_->nodes[*node].device}];
    // A new map may have assigned its ports to another target.
    const bool is_gone = target->ports.empty() || target->ports.back() >= map_->ports.size();
    if (is_gone || (!others.any && others.silent >= silent_devices)) continue;
    auto dialogue = std::make_unique<TickDialogue>(
        std::move(target), *map_, [this](TickDialogue& over) { ticks_over(over); });
    if (dialogue->nothing_to_ask()) continue;
    exchange_.add(*dialogue);
    tick_dialogues_.push_back(std::move(dialogue));
  }
}

void Collector::ticks_over(TickDialogue& dialogue) {
  if (const auto node = map_->find_node(dialogue.target().guid)) {
    TickAnswers& of = tick_answers_[{map_->nodes[*node].vendor, map_->nodes[*node].device}];
    of.any = of.any || dialogue.answered();
    if (!dialogue.answered()) ++of.silent;
  }
  if (dialogue.answered() && !std::exchange(switch_said_ticks_, true)) {
    std::ranges::move(tick_adapters_, std::back_inserter(tick_queue_));
    tick_adapters_.clear();
  }
  // The dialogue is on the stack, so the next sweep removes it.
  const auto found =
      std::ranges::find(tick_dialogues_, &dialogue, [](const auto& each) { return each.get(); });
  ended_ticks_.push_back(std::move(*found));
  tick_dialogues_.erase(found);
  begin_ticks();
}

void Collector::note_ticks() {
  for (const Target& target : targets_) {
    if (target->ticks.empty()) continue;
    current_->tick_bytes.resize(current_->status.size(), 0);
    for (const std::uint32_t port : target->ports) {
      const MapPort& of = map_->ports[port];
      current_->tick_bytes[port] = tick_bytes_of(*target, map_->node_of(of), of);
    }
  }
}

void Collector::begin_ports(SweepTarget& target) {
  for (const std::uint32_t port : target.ports) {
    port_dialogues_.emplace_back(target, port, map_->ports[port].number, reading_time_,
                                 port_is_over_);
    ++open_;
    exchange_.add(port_dialogues_.back());
  }
}

void Collector::target_over(TargetDialogue& dialogue) {
  SweepTarget& target = dialogue.target();
  --open_;
  ended_ns_ = now_ns();
  target.suspicious = false;
  const bool is_known = std::exchange(target.wrong, dialogue.found() != 0);
  if (target.wrong) {
    set_status(target, PortStatus::doubtful);
    wants_discovery_ = true;
    if (is_known) return;
    add_event(EventKind::wrong_node, target,
              fmt::format("at LID {}, node 0x{:016x} responds instead of {}", target.lid,
                          dialogue.found(), name_of_node(target.guid)));
    doubt(target);
  } else if (dialogue.answered()) {
    target.verified = sweep_;
    ask_ticks(target);
    begin_ports(target);
  } else if (dialogue.refused()) {
    target.verified = sweep_;
    set_status(target, PortStatus::refused);
  } else {
    target.silent = true;
    set_status(target, PortStatus::silent);
  }
}

/// A node that answers again counts as new, because it may be another node.
void Collector::probe_over(TargetDialogue& dialogue) {
  SweepTarget& target = dialogue.target();
  const auto found = probes_.find(&target);
  if (dialogue.answered() || dialogue.refused()) {
    target.silent = false;
    target.backed_off = target.skip = 0;
    target.verified = 0;
    add_event(EventKind::node_answers, target,
              fmt::format("{} responds again", name_of_node(target.guid)));
  } else {
    target.backed_off = std::min(longest_back_off, 2 * target.backed_off);
    target.skip = target.backed_off - 1;
  }
  // The dialogue is on the stack, so the next sweep removes it.
  ended_probes_.push_back(std::move(found->second.dialogue));
  probes_.erase(found);
}

void Collector::port_over(PortDialogue& dialogue) {
  --open_;
  ended_ns_ = now_ns();
  const std::uint32_t port = dialogue.port();
  const PortReading& reading = dialogue.reading();
  current_->status[port] = reading.status;
  current_->read_ns[port] = reading.read_ns;
  current_->known[port] = reading.known;
  current_->saturated[port] = reading.saturated;
  current_->narrow[port] = reading.narrow;
  std::ranges::copy(reading.values,
                    current_->values.begin() + static_cast<std::ptrdiff_t>(port * counter_count));
}

void Collector::set_status(const SweepTarget& target, PortStatus status) {
  for (const std::uint32_t port : target.ports) current_->status[port] = status;
}

bool Collector::step(Clock::time_point deadline) {
  while (busy()) {
    const Clock::time_point now = now_();
    exchange_.step(std::min(deadline, now + slice));
    if (now >= deadline) break;
  }
  return busy();
}

// ---- what came of it ----

SnapshotPointer Collector::finish() {
  SweepFigures& figures = current_->figures;
  note_silence();
  note_doubts();
  note_ticks();
  if (previous_) take_out_nonsense();
  note_full_waits();
  flush_frequent_events();
  for (const PortStatus status : current_->status) {
    const bool answered = status == PortStatus::read;
    const bool asked = answered || status == PortStatus::silent || status == PortStatus::refused ||
                       status == PortStatus::doubtful;
    figures.asked += asked ? 1U : 0U;
    figures.answered += answered ? 1U : 0U;
  }
  figures.mads = port_.sent() - sent_before_;
  figures.timed_out = port_.timed_out() - timed_out_before_;
  figures.duration_ns = static_cast<std::uint64_t>(ended_ns_ - current_->begin_ns);
  const auto interval = static_cast<std::uint64_t>(options_.interval.count());
  figures.late = interval != 0 && figures.duration_ns > interval;
  previous_ = std::exchange(current_, nullptr);
  return previous_;
}

void Collector::note_doubts() {
  for (const Target& target : targets_) {
    if (target->comparable_since == 0) continue;
    current_->comparable_since.resize(current_->status.size(), 0);
    for (const std::uint32_t port : target->ports) {
      current_->comparable_since[port] = target->comparable_since;
    }
  }
}

/// A node answers if at least one of its ports was read, even if other answers were lost.
void Collector::note_silence() {
  for (const Target& target : targets_) {
    if (!target->silent || target->backed_off != 0) continue;
    const bool answered = std::ranges::any_of(target->ports, [this](std::uint32_t port) {
      return current_->status[port] == PortStatus::read;
    });
    target->silent = !answered;
    if (answered) continue;
    target->backed_off = 1;
    target->skip = 0;
    wants_discovery_ = true;
    frequent_events_[EventKind::node_silent].push_back(
        {EventKind::node_silent, wall_clock_ms(), target->guid, target->port, 0,
         fmt::format("{} (LID {}) no longer responds", name_of_node(target->guid), target->lid)});
  }
}

/// Removes ports from the snapshot whose counters rose by more than the link can carry, so that the
/// next sweep does not compare with a wrong reading. One corrupted answer costs two intervals, but
/// gives no wrong rate.
void Collector::take_out_nonsense() {
  const std::vector<PortDifference> all = differences(*previous_, *current_);
  for (std::uint32_t port = 0; port < all.size(); ++port) {
    if (all[port].ns != 0) note_differences(port, all[port]);
  }
}

void Collector::note_differences(std::uint32_t port, const PortDifference& difference) {
  if (difference.implausible != 0) {
    // Other counters of the same answer are not reliable either.
    const CounterMask narrow = current_->narrow[port];
    if ((difference.implausible & narrow) != 0) current_->known[port] &= ~narrow;
    if ((difference.implausible & ~narrow) != 0) current_->known[port] &= narrow;
    current_->saturated[port] &= current_->known[port];
    current_->figures.implausible +=
        static_cast<std::uint64_t>(std::popcount(difference.implausible));
    add_port_event(EventKind::implausible, port, "a counter rose by more than the link can carry");
  }
  if (difference.reset != 0) {
    add_port_event(EventKind::counters_reset, port, "counters were cleared");
  }
  if ((difference.implausible | difference.reset) != 0) target_of_port_[port]->suspicious = true;
  if (difference.of(Counter::link_downed) != 0) {
    wants_discovery_ = true;
    add_port_event(EventKind::link_downed, port, "the link went down and came back");
  }
  const auto before = previous_->map == map_
                          ? std::optional(port)
                          : previous_->map->find_port(map_->node_of(map_->ports[port]).guid,
                                                      map_->ports[port].number);
  if (!before) return;
  const CounterMask full = difference.saturated & ~previous_->saturated[*before];
  for (const CounterInfo& info : counter_table()) {
    if ((full & mask_of(info.counter)) == 0 || info.unit == CounterUnit::ticks) continue;
    add_port_event(
        EventKind::counter_saturated, port,
        fmt::format("{} is at its largest value and must be cleared: {}", info.wire_name,
                    clear_command(info.counter, map_->ports[port].lid, map_->ports[port].number)));
  }
}

/// If nodes count waiting time in 32 bits, a busy fabric fills this counter at all ports within an
/// hour. This is not a fault, so one event reports it until all counters are cleared.
void Collector::note_full_waits() {
  constexpr CounterMask waits = mask_of(Counter::transmit_wait);
  const auto is_full = [](CounterMask mask) { return (mask & waits) != 0; };
  const auto first = std::ranges::find_if(current_->saturated, is_full);
  if (first == current_->saturated.end()) {
    reported_full_waits_ = false;
    return;
  }
  if (std::exchange(reported_full_waits_, true)) return;
  const MapPort& port = map_->ports[static_cast<std::size_t>(first - current_->saturated.begin())];
  MonitorEvent event;
  event.kind = EventKind::counter_saturated;
  event.time_ms = wall_clock_ms();
  event.text = fmt::format(
      "PortXmitWait is full at some ports, first at {}; this is not a fault. How long such ports "
      "wait is unknown until the counter is cleared ({}).",
      port_label(name_of_node(map_->node_of(port).guid), port.number),
      clear_command(Counter::transmit_wait, port.lid, port.number));
  events_.push_back(std::move(event));
}

// ---- events ----

std::string Collector::name_of_node(Guid guid) const {
  const auto node = map_->find_node(guid);
  return node ? fmt::format("0x{:016x} ({})", guid, untrusted_text(map_->nodes[*node].description))
              : fmt::format("0x{:016x}", guid);
}

void Collector::add_event(EventKind kind, const SweepTarget& target, std::string text) {
  events_.push_back({kind, wall_clock_ms(), target.guid, target.port, 0, std::move(text)});
}

void Collector::add_port_event(EventKind kind, std::uint32_t port, const std::string& text) {
  const MapPort& of = map_->ports[port];
  const Guid guid = map_->node_of(of).guid;
  frequent_events_[kind].push_back(
      {kind, wall_clock_ms(), guid, of.number, 0,
       fmt::format("{}: {}", port_label(name_of_node(guid), of.number), text)});
}

/// If all counters of a large fabric are cleared, or all its nodes are cut off, there is one event,
/// not 25,000.
void Collector::flush_frequent_events() {
  for (auto& [kind, events] : frequent_events_) {
    if (events.size() > most_separate_events) {
      const std::string text =
          fmt::format("{} {}, the first: {}", events.size(),
                      kind == EventKind::node_silent ? "nodes" : "ports", events.front().text);
      events_.push_back({kind, events.front().time_ms, 0, 0, 0, text});
    } else {
      std::ranges::move(events, std::back_inserter(events_));
    }
  }
  frequent_events_.clear();
}

}  // namespace pssp
