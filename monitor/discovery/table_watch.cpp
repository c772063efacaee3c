// Each switch has its own cycle: SwitchInfo, then its blocks one after another, then again from the
// start. A switch that does not answer therefore delays no other switch. Blocks are compared byte
// by byte with the previous reading; the tables are needed anyway, so hashes would save nothing.
//
// Normally, requests are sent by LID, which costs the switches least. While a manager rewrites the
// tables, LID routing can be interrupted, so after the first failed request all switches are read
// along directed routes. Each switch is then also asked for its SwitchInfo by LID (Probe), which
// shows how long requests by LID fail. After a second without failures, requests are sent by LID
// again.

#include "monitor/discovery/table_watch.h"

#include <algorithm>
#include <optional>
#include <thread>

namespace pssp {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t calm_ns = 1'000'000'000;           // without a sign: the change is over
constexpr std::int64_t between_watch_walks = 50'000'000;  // from start to start, at least
/// Minimum time from the start of a cycle to the start of the next one, because switches have other
/// work.
constexpr std::int64_t shortest_cycle_ns = 10'000'000;
constexpr auto a_step = 5ms, while_nothing_flies = 1ms;

}  // namespace

std::uint32_t ChangedBlock::entries() const noexcept {
  std::uint32_t differ = 0;
  for (std::size_t i = 0; i < before.size(); ++i) differ += before[i] != after[i] ? 1U : 0U;
  return differ;
}

/// Reads the table of one switch once per begin().
class TableWatch::PollCycle final : public Dialogue {
 public:
  PollCycle(TableWatch& watch, Switch& of) : watch_(watch), of_(of) {}

  void begin();
  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

 private:
  TableWatch& watch_;
  Switch& of_;
  bool knows_top_ = false, ended_ = false, directed_ = false;
  std::uint16_t block_ = 0;
  std::int64_t asked_ns_ = 0;
};

/// Checks whether the switch can be reached through the forwarding tables.
class TableWatch::Probe final : public Dialogue {
 public:
  Probe(TableWatch& watch, Switch& of) : watch_(watch), of_(of) {}

  void begin() { asked_ = false; }
  std::optional<MadRequest> next() override;
  void take(const MadAnswer& answer) override;
  void failed(const MadFailure& failure) override;

 private:
  TableWatch& watch_;
  Switch& of_;
  bool asked_ = false;
  std::int64_t asked_ns_ = 0;
};

struct TableWatch::Switch {
  Switch(TableWatch& watch, Guid its_guid)
      : guid(its_guid), cycle(watch, *this), probe(watch, *this) {}

  Guid guid;
  Lid lid = no_lid;
  std::optional<DirectedRoute> route;
  bool present = true;  // in the last map
  bool was_read = false, silent = false, port_changed = false;
  bool is_circling = false, is_probed = false;
  std::vector<PortNumber> entries;    // 64 per block
  std::vector<std::int64_t> read_ns;  // by block; 0: not read so far
  std::int64_t cycle_begun_ns = 0;
  std::int64_t cycle_ended_ns = 0;        // end of the last complete cycle
  std::int64_t unreachable_since_ns = 0;  // by LID; 0: reachable
  PollCycle cycle;
  Probe probe;
};

// ---- one switch ----

void TableWatch::PollCycle::begin() {
  knows_top_ = ended_ = false;
  block_ = 0;
}

std::optional<MadRequest> TableWatch::PollCycle::next() {
  const bool all_read = knows_top_ && block_ == of_.read_ns.size();
  directed_ = of_.route && (watch_.by_route_ || of_.lid == no_lid);
  const bool no_path = !directed_ && of_.lid == no_lid;
  if (ended_ || all_read || no_path) {
    if (all_read) of_.silent = false;
    if (!all_read) of_.silent = true;
    watch_.cycle_over(of_);
    return std::nullopt;
  }
  const Destination to =
      directed_ ? subnet_management_along(*of_.route) : subnet_management_at(of_.lid);
  asked_ns_ = watch_.now_ns();
  return knows_top_ ? linear_table_request(to, block_, watch_.m_key_)
                    : switch_info_request(to, watch_.m_key_);
}

void TableWatch::PollCycle::take(const MadAnswer& answer) {
  if (!directed_) watch_.answered_by_lid(of_);
  if (!knows_top_) {
    knows_top_ = true;
    watch_.take_switch_info(of_, decode_switch_info(answer.data));
    return;
  }
  if (directed_) ++watch_.directed_reads_;
  watch_.take_block(of_, block_++, answer.data);
}

void TableWatch::PollCycle::failed(const MadFailure& failure) {
  if (failure.kind == MadFailure::Kind::stopped) {
    ended_ = true;
  } else if (directed_) {
    ended_ = true;
    watch_.failed_by_route(of_);
  } else {
    // If there is a route, next() uses it.
    watch_.failed_by_lid(of_, asked_ns_);
    ended_ = !of_.route;
  }
}

std::optional<MadRequest> TableWatch::Probe::next() {
  if (asked_) {
    watch_.probe_over(of_);
    return std::nullopt;
  }
  asked_ = true;
  asked_ns_ = watch_.now_ns();
  return switch_info_request(subnet_management_at(of_.lid), watch_.m_key_);
}

void TableWatch::Probe::take(const MadAnswer&) { watch_.answered_by_lid(of_); }

void TableWatch::Probe::failed(const MadFailure& failure) {
  if (failure.kind != MadFailure::Kind::stopped) watch_.failed_by_lid(of_, asked_ns_);
}

// ---- all switches ----

TableWatch::TableWatch(Exchange& exchange, FabricWalk& walk, std::uint64_t m_key, Exchange::Now now)
    : exchange_(exchange), walk_(walk), m_key_(m_key), now_(std::move(now)) {}

TableWatch::~TableWatch() = default;

void TableWatch::begin(const DiscoveredFabric& found) {
  take_map(found);
  last_walk_hash_ = found.map->hash;
}

void TableWatch::turn(Clock::time_point deadline) {
  begin_cycles();
  if (wishes_walk_ && !walk_.busy() && now_ns() >= next_walk_ns_) {
    wishes_walk_ = false;
    walk_begun_ns_ = now_ns();
    next_walk_ns_ = walk_begun_ns_ + between_watch_walks;
    walk_.begin();
  }
  if (!exchange_.step(std::min(deadline, now_() + a_step))) {
    std::this_thread::sleep_for(while_nothing_flies);
  }
  if (walk_.take_done()) end_walk();
  calm_down();
}

void TableWatch::begin_cycles() {
  const std::int64_t now = now_ns();
  for (Switch* each : std::exchange(idle_, {})) {
    if (each->cycle_begun_ns != 0 && now - each->cycle_begun_ns < shortest_cycle_ns) {
      idle_.push_back(each);
      continue;
    }
    each->cycle_begun_ns = now;
    each->is_circling = true;
    each->cycle.begin();
    exchange_.add(each->cycle);
    if (!by_route_ || each->is_probed || each->lid == no_lid) continue;
    each->is_probed = true;
    each->probe.begin();
    exchange_.add(each->probe);
  }
}

// The directed routes are those of the last walk. A sign of a change, in particular a failed
// request along a route, starts a walk, which avoids links that are down. A walk during changes may
// miss nodes, so another fabric is accepted only after two equal walks in a row; the routes of each
// walk are used at once.
void TableWatch::end_walk() {
  const DiscoveredFabric found = to_fabric_map(walk_.take_nodes());
  if (found.map->nodes.empty()) {
    wishes_walk_ = true;
    return;
  }
  for (std::size_t n = 0; n < found.map->nodes.size(); ++n) {
    const auto known = switches_.find(found.map->nodes[n].guid);
    if (known != switches_.end()) known->second->route = found.routes[n];
  }
  const bool twice = found.map->hash == last_walk_hash_;
  last_walk_hash_ = found.map->hash;
  if (!twice) {
    wishes_walk_ = true;
    sign();
    return;
  }
  if (found.map->hash != map_->hash) sign();
  take_map(found);
  walked_ns_ = walk_begun_ns_;
}

void TableWatch::take_map(const DiscoveredFabric& found) {
  map_ = found.map;
  for (auto& [guid, each] : switches_) each->present = false;
  for (std::size_t n = 0; n < map_->nodes.size(); ++n) {
    const MapNode& node = map_->nodes[n];
    if (node.kind != NodeKind::switch_node) continue;
    std::unique_ptr<Switch>& each = switches_[node.guid];
    if (!each) each = std::make_unique<Switch>(*this, node.guid);
    each->present = true;
    each->lid = node.lid;
    if (n < found.routes.size()) each->route = found.routes[n];
    if (!each->is_circling && std::ranges::find(idle_, each.get()) == idle_.end()) {
      idle_.push_back(each.get());
    }
  }
}

void TableWatch::cycle_over(Switch& of) {
  of.is_circling = false;
  const std::int64_t now = now_ns();
  if (of.silent) {
    of.cycle_ended_ns = 0;
  } else {
    if (of.cycle_ended_ns != 0) {
      const std::int64_t took = now - of.cycle_ended_ns;
      ++cycles_;
      cycle_sum_ns_ += took;
      longest_cycle_ns_ = std::max(longest_cycle_ns_, took);
    }
    of.cycle_ended_ns = now;
    of.was_read = true;
  }
  if (of.present) idle_.push_back(&of);
}

void TableWatch::probe_over(Switch& of) { of.is_probed = false; }

void TableWatch::take_switch_info(Switch& of, const SwitchInfo& info) {
  if (info.port_state_change && !of.port_changed && of.was_read) sign();
  of.port_changed = info.port_state_change;
  const Lid top = std::min(info.linear_top, last_unicast_lid);
  const std::size_t blocks = top / linear_block_size + 1;
  of.entries.resize(blocks * linear_block_size, no_port);
  of.read_ns.resize(blocks, of.was_read ? now_ns() : 0);
}

/// The first reading of a block is not a change, unless the block is new because of a larger top.
void TableWatch::take_block(Switch& of, std::uint16_t block, const MadData& data) {
  const std::int64_t now = now_ns();
  const auto old = of.entries.begin() + static_cast<std::ptrdiff_t>(block * linear_block_size);
  const auto end = old + static_cast<std::ptrdiff_t>(linear_block_size);
  const std::int64_t since = std::exchange(of.read_ns[block], now);
  if (std::equal(old, end, data.begin())) return;
  if (since != 0) {
    ChangedBlock change{of.guid, block, since, now, {}, {}};
    std::copy(old, end, change.before.begin());
    std::copy_n(data.begin(), linear_block_size, change.after.begin());
    changes_.push_back(change);
    sign_at(now);
  }
  std::copy_n(data.begin(), linear_block_size, old);
}

void TableWatch::answered_by_lid(Switch& of) {
  if (of.unreachable_since_ns == 0) return;
  instability_.longest_unreachable_ns =
      std::max(instability_.longest_unreachable_ns, now_ns() - of.unreachable_since_ns);
  of.unreachable_since_ns = 0;
  sign();
}

void TableWatch::failed_by_lid(Switch& of, std::int64_t asked_ns) {
  by_route_ = true;
  if (of.unreachable_since_ns == 0) {
    of.unreachable_since_ns = asked_ns;
    sign();
  }
  ++instability_.failed_by_lid;
  unreachable_.insert(of.guid);
  instability_.unreachable_switches = static_cast<std::uint32_t>(unreachable_.size());
}

void TableWatch::failed_by_route(Switch& of) {
  wishes_walk_ = true;
  if (!std::exchange(of.silent, true)) sign();
}

void TableWatch::sign() { sign_at(now_ns()); }

/// The first sign starts a period of change.
void TableWatch::sign_at(std::int64_t now) {
  if (!std::exchange(restless_, true)) {
    instability_ = {};
    instability_.first_sign_ns = now;
    unreachable_.clear();
  }
  instability_.last_sign_ns = now;
  wishes_walk_ = true;
}

void TableWatch::calm_down() {
  const std::int64_t now = now_ns();
  const bool quiet = now - instability_.last_sign_ns > calm_ns;
  if (!quiet) return;
  const bool all_reachable = std::ranges::none_of(switches_, [](const auto& each) {
    return each.second->present && each.second->unreachable_since_ns != 0;
  });
  if (all_reachable) by_route_ = false;
  if (!restless_) return;
  // The fabric must be discovered after the last event.
  if (walked_ns_ > instability_.last_sign_ns + calm_ns / 2) {
    restless_ = false;
    for (const auto& [guid, each] : switches_) {
      if (!each->present || each->unreachable_since_ns == 0) continue;
      instability_.longest_unreachable_ns =
          std::max(instability_.longest_unreachable_ns, now - each->unreachable_since_ns);
    }
  } else {
    wishes_walk_ = true;
  }
}

bool TableWatch::has_first_tables() const {
  return std::ranges::all_of(switches_, [](const auto& each) {
    return !each.second->present || each.second->was_read || each.second->silent;
  });
}

LiveTablesPointer TableWatch::tables() const {
  auto all = std::make_shared<LiveTables>();
  all->map = map_;
  all->by_node.resize(map_->nodes.size());
  for (std::size_t n = 0; n < map_->nodes.size(); ++n) {
    const auto found = switches_.find(map_->nodes[n].guid);
    if (found == switches_.end()) continue;
    ++all->switches;
    all->unread_switches += found->second->was_read ? 0U : 1U;
    all->by_node[n] = found->second->entries;
  }
  return all;
}

WatchResolution TableWatch::resolution() const {
  return {cycles_, cycles_ == 0 ? 0 : cycle_sum_ns_ / static_cast<std::int64_t>(cycles_),
          longest_cycle_ns_, directed_reads_};
}

std::int64_t TableWatch::now_ns() const {
  return std::chrono::nanoseconds(now_().time_since_epoch()).count();
}

}  // namespace pssp
