#include "monitor/api/live_state.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/untrusted_text.h"
#include "monitor/api/views.h"

// All expensive work (differences, compression of the recent sweeps) happens on the thread that
// publishes the sweep, outside the lock; the lock only protects the exchange of a pointer.

namespace pssp {
namespace {

std::shared_ptr<const std::vector<std::string>> clean_names(const FabricMap& map) {
  auto names = std::make_shared<std::vector<std::string>>();
  names->reserve(map.nodes.size());
  for (const MapNode& node : map.nodes) names->push_back(untrusted_text(node.description));
  return names;
}

void evaluate_ports(LiveView& view) {
  view.levels.assign(view.map().ports.size(), VerdictLevel::good);
  std::erase_if(view.facts.verdicts,
                [&](const VerdictView& v) { return v.port >= view.levels.size(); });
  std::stable_sort(view.facts.verdicts.begin(), view.facts.verdicts.end(),
                   [](const VerdictView& a, const VerdictView& b) { return a.port < b.port; });
  for (const VerdictView& each : view.facts.verdicts) {
    view.levels[each.port] = std::max(view.levels[each.port], each.level);
  }
}

void add_channels(LiveView& view) {
  for (std::uint32_t p = 0; p < view.map().ports.size(); ++p) {
    if (view.map().ports[p].peer == MapPort::no_peer) continue;
    view.channels.push_back(p);
    view.use.push_back(channel_use(view, p));
  }
}

void add_totals(LiveView& view, const LiveView* before) {
  const SweepFigures& figures = view.snapshot->figures;
  view.sweeps = (before == nullptr ? 0 : before->sweeps) + 1;
  view.late_sweeps = (before == nullptr ? 0 : before->late_sweeps) + (figures.late ? 1 : 0);
  view.mads = (before == nullptr ? 0 : before->mads) + figures.mads;
  view.timed_out = (before == nullptr ? 0 : before->timed_out) + figures.timed_out;
  view.implausible = (before == nullptr ? 0 : before->implausible) + figures.implausible;
}

}  // namespace

std::string_view name_of(VerdictLevel level) {
  switch (level) {
    case VerdictLevel::good:
      return "good";
    case VerdictLevel::unknown:
      return "unknown";
    case VerdictLevel::watch:
      return "watch";
    case VerdictLevel::bad:
      return "bad";
  }
  return "unknown";
}

ChannelUseView channel_use(const LiveView& view, std::uint32_t port) {
  const MapPort& self = view.map().ports[port];
  const PortDifference& own = view.differences[port];
  ChannelUseView use;
  use.waiting_share = waiting_share(own);
  const auto take = [&](const PortDifference& from, Counter bytes, Counter packets) {
    if (from.ns == 0 || !from.has(bytes)) return;
    use.known = true;
    use.bytes_per_s = from.per_second(bytes);
    use.packets_per_s = from.per_second(packets);
    use.utilisation = utilisation(from, bytes, self.rate);
  };
  take(own, Counter::transmit_bytes, Counter::transmit_packets);
  if (!use.known && self.peer != MapPort::no_peer) {
    take(view.differences[self.peer], Counter::receive_bytes, Counter::receive_packets);
  }
  return use;
}

LiveViewPointer past_view(std::shared_ptr<const FabricMap> map, std::uint64_t sweep, SpanView span,
                          std::vector<PortDifference> differences,
                          std::vector<VerdictView> verdicts) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->sweep = sweep;
  snapshot->time_ms = span.until_ms;
  snapshot->map = std::move(map);
  auto view = std::make_shared<LiveView>();
  view->snapshot = std::move(snapshot);
  view->differences = std::move(differences);
  view->facts.verdicts = std::move(verdicts);
  view->names = clean_names(view->map());
  view->past = std::move(span);
  evaluate_ports(*view);
  add_channels(*view);
  return view;
}

LiveViewPointer recent_view(const LiveView& now, std::int64_t time_ms) {
  const auto sweep = std::ranges::find_if(
      now.recent, [&](const auto& each) { return each->time_ms() >= time_ms; });
  if (sweep == now.recent.end()) return nullptr;
  const RecentSweep& found = **sweep;
  std::vector<PortDifference> differences(found.map().ports.size());
  std::uint64_t longest = 0;
  for (std::uint32_t p = 0; p < differences.size(); ++p) {
    differences[p] = found.difference(p).value_or(PortDifference{});
    longest = std::max(longest, differences[p].ns);
  }
  SpanView span{"memory", found.time_ms(), found.time_ms()};
  if (longest != 0) {
    span.since_ms = sweep == now.recent.begin()
                        ? found.time_ms() - static_cast<std::int64_t>(longest / 1'000'000)
                        : (*std::prev(sweep))->time_ms();
  }
  if (time_ms <= span.since_ms && time_ms != span.until_ms) return nullptr;
  // Verdicts that have ended since then are not in memory.
  std::vector<VerdictView> verdicts;
  if (found.map_pointer() == now.snapshot->map) verdicts = now.facts.verdicts;
  std::erase_if(verdicts, [&](const VerdictView& each) { return each.since_ms > span.until_ms; });
  return past_view(found.map_pointer(), found.sweep(), std::move(span), std::move(differences),
                   std::move(verdicts));
}

void LiveState::publish(SnapshotPointer snapshot, LiveFacts facts) {
  const LiveViewPointer before = view();
  auto next = std::make_shared<LiveView>();
  next->snapshot = std::move(snapshot);
  next->facts = std::move(facts);
  if (before != nullptr) {
    next->differences = differences(*before->snapshot, *next->snapshot);
    next->recent = before->recent;
    take_back(next->recent);
  } else {
    next->differences.resize(next->map().ports.size());
  }
  const bool same_map = before != nullptr && before->snapshot->map == next->snapshot->map;
  next->names = same_map ? before->names : clean_names(next->map());
  evaluate_ports(*next);
  add_channels(*next);
  add_totals(*next, before.get());
  if (before != nullptr) next->activity = before->activity;
  add_activity(next->activity, *next);
  next->recent.push_back(std::make_shared<const RecentSweep>(*next->snapshot, next->differences,
                                                             sweep_summary(*next)));
  if (next->recent.size() > recent_sweeps) next->recent.erase(next->recent.begin());
  {
    const std::lock_guard lock(mutex_);
    view_ = std::move(next);
  }
  tell();
}

void LiveState::add_event(MonitorEvent event) {
  {
    const std::lock_guard lock(mutex_);
    auto events = std::make_shared<std::vector<NumberedEvent>>(*events_);
    if (event.until_sweep != 0) doubts_.push_back(event);
    events->push_back({next_event_++, std::move(event)});
    if (events->size() > recent_events) events->erase(events->begin());
    events_ = std::move(events);
  }
  tell();
}

void LiveState::take_back(std::vector<std::shared_ptr<const RecentSweep>>& recent) {
  std::vector<MonitorEvent> doubts;
  {
    const std::lock_guard lock(mutex_);
    doubts = std::exchange(doubts_, {});
  }
  for (auto& sweep : recent) {
    std::vector<bool> ports;
    for (const MonitorEvent& doubt : doubts) {
      if (!doubt.takes_back(sweep->sweep())) continue;
      ports.resize(sweep->map().ports.size());
      for (const std::uint32_t port : sweep->map().ports_of(doubt.node, doubt.port)) {
        ports[port] = true;
      }
    }
    if (!ports.empty()) sweep = sweep->without(ports);
  }
}

LiveViewPointer LiveState::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

std::shared_ptr<const std::vector<NumberedEvent>> LiveState::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void LiveState::on_change(std::function<void()> callback) {
  const std::lock_guard lock(mutex_);
  changed_ = std::move(callback);
}

void LiveState::tell() const {
  std::function<void()> callback;
  {
    const std::lock_guard lock(mutex_);
    callback = changed_;
  }
  if (callback) callback();
}

}  // namespace pssp
