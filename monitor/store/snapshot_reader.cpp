// The interval between two sweeps belongs to the sweep at its end. The interval that contains a
// time is therefore that of the first sweep at or after it; periods are found in the same way. If
// the monitor was down for a while, the next sweep has no difference from the previous one and
// contains only its own instant; a coarser level may still have a period around it.
//
// For ports that counted nothing, the covered time is exact only to 1/8. The beginning of a span is
// therefore the time of the previous sweep, and the covered time only checks whether that is
// plausible.

#include "monitor/store/snapshot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <utility>

#include "monitor/counters/map_fabric.h"
#include "monitor/store/database.h"
#include "monitor/store/history_file.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {
namespace {

constexpr std::size_t most_maps = 3;

PortDifference difference_of(const PortSample& port) {
  PortDifference difference;
  difference.ns = port.held == 0 ? 0 : port.covered_ms * 1'000'000;
  difference.known = port.held;
  difference.saturated = port.saturated;
  difference.delta = port.delta;
  return difference;
}

PortDifference difference_of(const PeriodSample& port) {
  PortDifference difference;
  difference.ns = port.covered_ms * 1'000'000;
  difference.known = port.known;
  difference.delta = port.sum;
  return difference;
}

PortStatus status_of(const PortSample& port) { return port.status; }
PortStatus status_of(const PeriodSample& port) {
  return port.known != 0 ? PortStatus::read : PortStatus::silent;
}

bool reports_something(const PortSample& port) noexcept { return port.present; }
bool reports_something(const PeriodSample& port) noexcept { return port.known != 0; }

/// The columns of `row` are number, time and generation.
HistoryRow sweep_of_row(SQLite::Statement& row) {
  return {row.getColumn(0).getInt64(), row.getColumn(1).getInt64(), row.getColumn(2).getInt64()};
}

/// Builds the Fabric of the map. FabricBuilder may refuse a fabric that can still be displayed.
std::shared_ptr<const FabricMap> with_fabric(const std::shared_ptr<const FabricMap>& map) {
  auto whole = std::make_shared<FabricMap>(*map);
  try {
    whole->fabric = std::make_shared<const Fabric>(fabric_of(*map));
  } catch (const Error&) {
    whole->fabric = nullptr;
  }
  return whole;
}

}  // namespace

struct SnapshotReader::State : HistoryFile {
  using HistoryFile::HistoryFile;

  std::optional<HistorySpan> raw_at(std::int64_t time_ms) const;
  std::optional<HistorySpan> newest_before(std::int64_t time_ms) const;
  std::optional<HistorySpan> period_at(HistoryLevel level, std::int64_t time_ms) const;
  HistorySpan span_of_sweep(const HistoryRow& sweep) const;
  std::int64_t covered_ms(std::int64_t sweep) const;
  std::shared_ptr<const FabricMap> kept_map(const HistorySpan& span) const;
  template <class Ports>
  void take(const Ports& ports, std::size_t first, HistorySnapshot& snapshot) const;

  mutable std::list<std::shared_ptr<const FabricMap>>
      maps;  // maps of recent snapshots, most recently used first
};

/// The time that the difference of some port covers; 0 if no port has a difference.
std::int64_t SnapshotReader::State::covered_ms(std::int64_t sweep) const {
  SQLite::Statement rows(*database, "SELECT data FROM sample WHERE place >= ? AND place < ?");
  SQLite::bind(rows, place_of(sweep, 0), place_of(sweep + 1, 0));
  while (rows.executeStep()) {
    const auto row = decode_samples(as_bytes(rows.getColumn(0)));
    if (!row) continue;
    std::uint64_t longest = 0;
    for (const PortSample& port : row->ports) {
      if (port.held != 0) longest = std::max(longest, port.covered_ms);
    }
    if (longest != 0) return static_cast<std::int64_t>(longest);
  }
  return 0;
}

HistorySpan SnapshotReader::State::span_of_sweep(const HistoryRow& sweep) const {
  HistorySpan span{HistoryLevel::raw, sweep.id, sweep.generation, sweep.time_ms, sweep.time_ms};
  const std::int64_t covered = covered_ms(sweep.id);
  if (covered == 0) return span;
  SQLite::Statement before(
      *database, "SELECT time_ms FROM sweep WHERE sweep_id < ? ORDER BY sweep_id DESC LIMIT 1");
  before.bind(1, sweep.id);
  span.since_ms = sweep.time_ms - covered;
  if (before.executeStep()) {
    // A much longer distance means that the clock jumped, or that sweeps are missing in the file.
    const std::int64_t since = before.getColumn(0).getInt64();
    const std::int64_t length = sweep.time_ms - since;
    if (length > 0 && length <= covered + covered / 4 + 1000) span.since_ms = since;
  }
  return span;
}

std::optional<HistorySpan> SnapshotReader::State::raw_at(std::int64_t time_ms) const {
  SQLite::Statement find(*database,
                         "SELECT sweep_id, time_ms, generation FROM sweep WHERE time_ms >= ? "
                         "ORDER BY time_ms, sweep_id LIMIT 1");
  find.bind(1, time_ms);
  if (!find.executeStep()) return newest_before(time_ms);
  const HistorySpan span = span_of_sweep(sweep_of_row(find));
  if (time_ms > span.since_ms || time_ms == span.until_ms) return span;
  return std::nullopt;
}

std::optional<HistorySpan> SnapshotReader::State::newest_before(std::int64_t time_ms) const {
  SQLite::Statement find(*database,
                         "SELECT sweep_id, time_ms, generation FROM sweep ORDER BY sweep_id DESC "
                         "LIMIT 1");
  if (!find.executeStep()) return std::nullopt;
  const HistorySpan span = span_of_sweep(sweep_of_row(find));
  const std::int64_t age = time_ms - span.until_ms;
  if (age > 2 * (span.until_ms - span.since_ms)) return std::nullopt;
  return span;
}

std::optional<HistorySpan> SnapshotReader::State::period_at(HistoryLevel level,
                                                            std::int64_t time_ms) const {
  const LevelTables& tables = tables_of(level);
  SQLite::Statement find(*database,
                         fmt::format("SELECT {0}, time_ms, end_ms, generation FROM {1} WHERE "
                                     "end_ms >= ? AND done = chunks ORDER BY end_ms, {0} LIMIT 1",
                                     tables.period_id, tables.period));
  find.bind(1, time_ms);
  if (!find.executeStep()) return std::nullopt;
  HistorySpan span;
  span.level = level;
  span.id = find.getColumn(0).getInt64();
  span.since_ms = find.getColumn(1).getInt64();
  span.until_ms = find.getColumn(2).getInt64();
  span.generation = find.getColumn(3).getInt64();
  // The row has the time of its first sweep, whose interval begins where the previous period ends.
  SQLite::Statement before(*database,
                           fmt::format("SELECT end_ms FROM {1} WHERE {0} < ? ORDER BY {0} DESC "
                                       "LIMIT 1",
                                       tables.period_id, tables.period));
  before.bind(1, span.id);
  if (before.executeStep()) {
    const std::int64_t end = before.getColumn(0).getInt64();
    if (end < span.since_ms && span.since_ms - end < tables.length_ms) span.since_ms = end;
  }
  if (time_ms < span.since_ms) return std::nullopt;
  return span;
}

std::shared_ptr<const FabricMap> SnapshotReader::State::kept_map(const HistorySpan& span) const {
  const auto known = std::ranges::find_if(maps, [&](const auto& map) {
    return map->generation == static_cast<std::uint64_t>(span.generation);
  });
  if (known != maps.end()) {
    maps.splice(maps.begin(), maps, known);
    return maps.front();
  }
  const std::shared_ptr<const FabricMap> map = map_of(span.generation, span.until_ms);
  if (map == nullptr) return nullptr;
  maps.push_front(with_fabric(map));
  if (maps.size() > most_maps) maps.pop_back();
  return maps.front();
}

template <class Ports>
void SnapshotReader::State::take(const Ports& ports, std::size_t first,
                                 HistorySnapshot& snapshot) const {
  for (std::size_t at = 0; at < ports.size() && first + at < keys.size(); ++at) {
    if (!reports_something(ports[at])) continue;
    const PortKey& key = keys[first + at];
    const auto port = snapshot.map->find_port(key.node, key.number);
    if (!port) continue;
    snapshot.status[*port] = status_of(ports[at]);
    snapshot.differences[*port] = difference_of(ports[at]);
  }
}

SnapshotReader::SnapshotReader(const std::filesystem::path& file)
    : state_(std::make_unique<State>(file)) {}

SnapshotReader::~SnapshotReader() = default;

bool SnapshotReader::is_in_place() const { return state_->is_in_place(); }

std::optional<HistorySpan> SnapshotReader::span_at(std::int64_t time_ms) const {
  return state_->call([&]() -> std::optional<HistorySpan> {
    if (const auto raw = state_->raw_at(time_ms)) return raw;
    for (const HistoryLevel level : {HistoryLevel::five_minutes, HistoryLevel::hour}) {
      if (const auto period = state_->period_at(level, time_ms)) return period;
    }
    return std::nullopt;
  });
}

std::int64_t SnapshotReader::version() const {
  return state_->call([&] { return number_of(*state_->database, "PRAGMA data_version"); });
}

std::optional<HistorySnapshot> SnapshotReader::snapshot(const HistorySpan& span) const {
  return state_->call([&]() -> std::optional<HistorySnapshot> {
    HistorySnapshot snapshot;
    snapshot.map = state_->kept_map(span);
    if (snapshot.map == nullptr) return std::nullopt;
    state_->load_keys();
    // Ports that are not in the map of a sweep have no samples in it.
    snapshot.status.assign(snapshot.map->ports.size(), PortStatus::silent);
    snapshot.differences.resize(snapshot.map->ports.size());
    SQLite::Statement rows(
        *state_->database,
        fmt::format("SELECT place, data FROM {} WHERE place >= ? AND place < ? ORDER BY place",
                    tables_of(span.level).sample));
    SQLite::bind(rows, place_of(span.id, 0), place_of(span.id + 1, 0));
    while (rows.executeStep()) {
      const auto first =
          static_cast<std::size_t>(rows.getColumn(0).getInt64() & 0xFFFF) * chunk_ports;
      const std::string_view bytes = as_bytes(rows.getColumn(1));
      if (span.level == HistoryLevel::raw) {
        if (const auto row = decode_samples(bytes)) state_->take(row->ports, first, snapshot);
      } else if (const auto row = decode_periods(bytes)) {
        state_->take(*row, first, snapshot);
      }
    }
    return snapshot;
  });
}

}  // namespace pssp
