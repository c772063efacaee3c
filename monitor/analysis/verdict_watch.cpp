// Keeps a state for each (port, counter) that is not good. A worse verdict raises the level at
// once. If the verdict improves, the state keeps its level until the length of the counter's window
// has passed since the level was last reached, or longer if the port has no readings meanwhile.
// Times are those of the monotonic clock, so that a jump of the wall clock ends no verdict.
//
// `unknown` is not a level of damage: it lasts as long as it is reported.

#include "monitor/analysis/verdict_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/duration_text.h"

namespace pssp {
namespace {

constexpr std::int64_t ns_a_second = 1'000'000'000;

/// True for verdicts on the cable itself, which depend neither on counters nor on whether a cable
/// is found.
bool is_of_link(std::string_view what) { return what == link_state || what == link_cabling; }
bool is_rate(std::string_view what) { return what == "width" || what == "speed"; }

VerdictRecord record_of(PortKey port, const std::string& what, Level level, std::int64_t since_ms,
                        double value, double limit, const std::string& reason) {
  return {port, what, level, since_ms, std::nullopt, value, limit, reason};
}

}  // namespace

VerdictWatch::VerdictWatch(VerdictSettings settings)
    : settings_(std::move(settings)),
      short_(settings_.short_window_s),
      long_(settings_.long_window_s) {}

void VerdictWatch::restore(const std::vector<VerdictRecord>& standing,
                           const std::map<PortKey, IncidentPort>& peers) {
  for (const VerdictRecord& each : standing) {
    const Key key{each.port.node, each.port.number, each.what, each.level == Level::unknown};
    // reached_ns is set by the first sweep.
    states_[key] = {each.level, each.since_ms, -1, each.value, each.limit, each.reason, false};
    if (each.what != link_state) continue;
    const auto peer = peers.find(each.port);
    links_.restore(each.port, peer == peers.end() ? PortKey() : peer->second.key, each.level,
                   each.reason);
  }
}

std::int64_t VerdictWatch::window_ns(const Key& key) const {
  if (key.is_unknown || is_of_link(key.what)) return 0;
  const bool is_long = key.what == info_of(Counter::symbol_errors).name ||
                       key.what == info_of(Counter::link_error_recoveries).name ||
                       key.what == info_of(Counter::link_downed).name;
  return (is_long ? settings_.long_window_s : settings_.short_window_s) * ns_a_second;
}

void VerdictWatch::add(const SnapshotPointer& snapshot) {
  for (auto& [key, state] : states_) {
    if (state.reached_ns < 0) state.reached_ns = snapshot->begin_ns;
    state.seen = false;
  }
  links_.add(*snapshot);
  if (before_ != nullptr) {
    const std::vector<PortDifference> difference = differences(*before_, *snapshot);
    short_.add(*snapshot, difference);
    long_.add(*snapshot, difference);
    forget_what_was_doubtful(*snapshot);
    note_flaps(*snapshot, difference);
    has_verdicts_ = true;
    evaluate(*snapshot);
    evaluate_links(*snapshot);
    take_findings(*snapshot);
    let_fall(*snapshot);
    list(*snapshot);
  }
  before_ = snapshot;
}

void VerdictWatch::set_limits(const VerdictSettings& settings) {
  const VerdictSettings before = std::exchange(settings_, settings);
  settings_.short_window_s = before.short_window_s;
  settings_.long_window_s = before.long_window_s;
  settings_.ignore_file = before.ignore_file;
  settings_.capacity_file = before.capacity_file;
}

void VerdictWatch::forget_what_was_doubtful(const Snapshot& snapshot) {
  for (const PortKey& each : std::exchange(forgotten_, {})) {
    for (const std::uint32_t port : snapshot.map->ports_of(each.node, each.number)) {
      short_.forget(port);
      long_.forget(port);
    }
    const auto concerns = [&](Guid node, PortNumber number) {
      return node == each.node && (each.number == 0 || number == each.number);
    };
    std::erase_if(falls_,
                  [&](const auto& fall) { return concerns(fall.first.node, fall.first.number); });
    for (auto at = states_.begin(); at != states_.end();) {
      if (!concerns(at->first.node, at->first.port)) {
        ++at;
        continue;
      }
      end(at, snapshot.time_ms);
      at = states_.erase(at);
    }
  }
}

bool VerdictWatch::is_maintained(const Snapshot& snapshot, PortKey port) const {
  return maintenance_of(maintenance_, port.node, port.number, snapshot.time_ms) != nullptr;
}

bool VerdictWatch::is_maintained(const Snapshot& snapshot, std::uint32_t port) const {
  if (maintenance_.empty()) return false;
  const FabricMap& map = *snapshot.map;
  const auto covers = [&](const MapPort& at) { return is_maintained(snapshot, map.key_of(at)); };
  const MapPort& at = map.ports[port];
  return covers(at) || (at.peer != MapPort::no_peer && covers(map.ports[at.peer]));
}

void VerdictWatch::note_flaps(const Snapshot& snapshot,
                              const std::vector<PortDifference>& differences) {
  const std::int64_t oldest = snapshot.begin_ns - settings_.flaps_s * ns_a_second;
  for (auto at = falls_.begin(); at != falls_.end();) {
    std::erase_if(at->second, [&](const Fall& fall) { return fall.ns < oldest; });
    at = at->second.empty() ? falls_.erase(at) : std::next(at);
  }
  for (std::uint32_t p = 0; p < differences.size(); ++p) {
    const std::uint64_t count = differences[p].of(Counter::link_downed);
    if (count == 0) continue;
    const MapPort& port = snapshot.map->ports[p];
    falls_[snapshot.map->key_of(port)].push_back({snapshot.begin_ns, count});
  }
}

void VerdictWatch::add_flap_verdict(const Snapshot& snapshot, std::uint32_t port,
                                    std::vector<Verdict>& to) {
  if (settings_.flaps_bad == 0 || falls_.empty()) return;
  const MapPort& at = snapshot.map->ports[port];
  const auto found = falls_.find(snapshot.map->key_of(at));
  if (found == falls_.end()) return;
  const std::uint64_t count =
      std::accumulate(found->second.begin(), found->second.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const Fall& fall) { return sum + fall.count; });
  if (count < settings_.flaps_bad) return;
  const std::string_view what = info_of(Counter::link_downed).name;
  if (std::ranges::any_of(
          to, [&](const Verdict& each) { return each.what == what && each.level == Level::bad; })) {
    return;
  }
  std::erase_if(
      to, [&](const Verdict& each) { return each.what == what && each.level == Level::watch; });
  to.push_back({port, Level::bad, std::string(what),
                fmt::format("{} within {} s, limit {}: the link goes up and down; reseat the "
                            "cable, then swap it",
                            count, settings_.flaps_s, settings_.flaps_bad),
                static_cast<double>(count), static_cast<double>(settings_.flaps_bad)});
}

void VerdictWatch::evaluate(const Snapshot& snapshot) {
  const auto window = [this](std::uint32_t p) { return short_.of(p); };
  // Tables of another map would refer to other nodes.
  const bool are_of_this_map = tables_ != nullptr && tables_->map->hash == snapshot.map->hash;
  const LiveTables* const tables = are_of_this_map ? tables_.get() : nullptr;
  for (std::uint32_t p = 0; p < snapshot.map->ports.size(); ++p) {
    if (snapshot.map->ports[p].peer == MapPort::no_peer || is_maintained(snapshot, p)) continue;
    std::vector<Verdict> verdicts =
        evaluate_port(*snapshot.map, p, short_.of(p), long_.of(p), settings_);
    add_flap_verdict(snapshot, p, verdicts);
    name_origins(*snapshot.map, verdicts, window, tables);
    for (Verdict& each : verdicts) take(snapshot, std::move(each));
  }
}

void VerdictWatch::evaluate_links(const Snapshot& snapshot) {
  for (const LostLink& each : links_.lost(snapshot)) {
    if (is_maintained(snapshot, each.verdict.port) || is_maintained(snapshot, each.peer)) continue;
    take(snapshot, Verdict(each.verdict));
  }
}

void VerdictWatch::take_findings(const Snapshot& snapshot) {
  for (const PortFinding& each : findings_) {
    const auto port = snapshot.map->find_port(each.port.node, each.port.number);
    if (!port || is_maintained(snapshot, *port)) continue;
    take(snapshot, {*port, each.level, each.what, each.reason, 0, 0});
  }
}

void VerdictWatch::take(const Snapshot& snapshot, Verdict&& verdict) {
  const MapPort& port = snapshot.map->ports[verdict.port];
  const PortKey of = snapshot.map->key_of(port);
  Key key{of.node, of.number, verdict.what, verdict.level == Level::unknown};
  const auto [at, is_new] = states_.try_emplace(std::move(key));
  State& state = at->second;
  const bool is_below = !is_new && verdict.level < state.level;
  if (is_below && snapshot.begin_ns - state.reached_ns < window_ns(at->first)) return;
  const bool is_another = is_new || verdict.level != state.level;
  if (is_another && !is_new) end(at, snapshot.time_ms);
  if (is_another) state.since_ms = snapshot.time_ms;
  const bool is_other_rate = is_rate(verdict.what) && verdict.value != state.value;
  state.level = verdict.level;
  state.reached_ns = snapshot.begin_ns;
  state.value = verdict.value;
  state.limit = verdict.limit;
  state.reason = std::move(verdict.reason);
  state.seen = true;
  if (is_another || is_other_rate) {
    changes_.push_back(record_of(of, verdict.what, state.level, state.since_ms, state.value,
                                 state.limit, state.reason));
  }
}

void VerdictWatch::end(States::iterator at, std::int64_t time_ms) {
  const auto& [key, state] = *at;
  VerdictRecord record = record_of({key.node, key.port}, key.what, state.level, state.since_ms,
                                   state.value, state.limit, state.reason);
  record.until_ms = std::max(time_ms, state.since_ms);
  changes_.push_back(std::move(record));
}

/// True if the port was read in this sweep.
bool VerdictWatch::has_reading(const Snapshot& snapshot, const Key& key) const {
  const auto port = snapshot.map->find_port(key.node, key.port);
  return port && snapshot.map->ports[*port].peer != MapPort::no_peer &&
         snapshot.status[*port] == PortStatus::read;
}

void VerdictWatch::let_fall(const Snapshot& snapshot) {
  for (auto at = states_.begin(); at != states_.end();) {
    const auto& [key, state] = *at;
    const auto port = snapshot.map->find_port(key.node, key.port);
    const bool maintained = port && is_maintained(snapshot, *port);
    const std::int64_t below_ns = snapshot.begin_ns - state.reached_ns;
    // A port that was not read gets the length of the long window in addition.
    const bool readable = has_reading(snapshot, key);
    const std::int64_t patience = key.is_unknown || is_of_link(key.what) || readable
                                      ? window_ns(key)
                                      : window_ns(key) + settings_.long_window_s * ns_a_second;
    if (maintained || (!state.seen && below_ns >= patience)) {
      end(at, snapshot.time_ms);
      at = states_.erase(at);
    } else {
      ++at;
    }
  }
}

void VerdictWatch::list(const Snapshot& snapshot) {
  standing_.clear();
  for (const auto& [key, state] : states_) {
    const auto port = snapshot.map->find_port(key.node, key.port);
    if (!port) continue;
    if (snapshot.map->ports[*port].peer == MapPort::no_peer && !is_of_link(key.what)) continue;
    std::string reason = state.reason;
    if (!state.seen) {
      const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
      reason += fmt::format(" - last seen {} ago; ends if it is not seen for {}",
                            duration_text(seconds(snapshot.begin_ns - state.reached_ns)),
                            duration_text(seconds(window_ns(key))));
    }
    standing_.push_back(
        {{*port, state.level, key.what, std::move(reason), state.value, state.limit},
         state.since_ms});
  }
  std::ranges::stable_sort(standing_, [](const StandingVerdict& a, const StandingVerdict& b) {
    const unsigned ours = urgency(a.verdict.level, a.verdict.what);
    const unsigned theirs = urgency(b.verdict.level, b.verdict.what);
    return ours != theirs ? ours > theirs : a.verdict.port < b.verdict.port;
  });
}

std::vector<VerdictRecord> VerdictWatch::records() const {
  std::vector<VerdictRecord> all;
  all.reserve(states_.size());
  for (const auto& [key, state] : states_) {
    all.push_back(record_of({key.node, key.port}, key.what, state.level, state.since_ms,
                            state.value, state.limit, state.reason));
  }
  return all;
}

}  // namespace pssp
