// Each call is one read transaction, except for_each_sample(), which may take minutes and uses one
// transaction per sweep: as long as a transaction is open, the write-ahead log cannot be reused.
//
// A port's chunk and its position in the chunk follow from its number in the table `port`. Rows are
// decoded independently of each other (sample_codec.h).

#include "monitor/store/history_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "monitor/store/database.h"
#include "monitor/store/history_file.h"
#include "monitor/store/history_points.h"
#include "monitor/store/map_codec.h"

namespace pssp {
namespace {

constexpr std::size_t too_fine = 10;
constexpr std::size_t most_points = 5'000;

}  // namespace

struct HistoryReader::State : HistoryFile {
  using HistoryFile::HistoryFile;

  HistoryLevel level_for(const HistoryQuery& query) const;
  HistoryInterval read(SQLite::Statement& select, HistoryLevel level, const HistoryRow& row,
                       std::int64_t place) const;
};

/// The finest level that reaches back far enough and has no more than ten times the requested
/// points. If no level reaches back far enough, the one that reaches back farthest.
HistoryLevel HistoryReader::State::level_for(const HistoryQuery& query) const {
  std::int64_t beginning = 0;
  for (std::size_t i = 0; i < history_levels; ++i) {
    const std::int64_t time = oldest(static_cast<HistoryLevel>(i));
    if (time != 0 && (beginning == 0 || time < beginning)) beginning = time;
  }
  const std::int64_t since = std::max(query.window.since_ms, beginning);
  HistoryLevel best = HistoryLevel::raw;
  std::int64_t farthest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < history_levels; ++i) {
    const auto level = static_cast<HistoryLevel>(i);
    const std::int64_t time = oldest(level);
    if (time == 0) continue;
    const bool fits = static_cast<std::uint64_t>(count(level, query.window)) <=
                      query.points * std::uint64_t{too_fine};
    // The first period begins before its first sweep, by up to the length of a period.
    if (fits && time - tables_of(level).length_ms <= since) return level;
    if (time < farthest) {
      farthest = time;
      best = level;
    }
  }
  return best;
}

HistoryInterval HistoryReader::State::read(SQLite::Statement& select, HistoryLevel level,
                                           const HistoryRow& row, std::int64_t place) const {
  const auto chunk = static_cast<std::size_t>(place) / chunk_ports;
  const auto at = static_cast<std::size_t>(place) % chunk_ports;
  HistoryInterval interval;
  select.reset();
  select.bind(1, pssp::place_of(row.id, chunk));
  if (select.executeStep()) {
    const std::string_view bytes = as_bytes(select.getColumn(0));
    if (level == HistoryLevel::raw) {
      const auto sample = decode_sample(bytes, at);
      if (sample) interval = interval_of(*sample);
      interval.readable = sample.has_value();
    } else {
      const auto sample = decode_period(bytes, at);
      if (sample) interval = interval_of(*sample);
      interval.readable = sample.has_value();
    }
  }
  interval.time_ms = row.time_ms;
  return interval;
}

HistoryReader::HistoryReader(const std::filesystem::path& file)
    : state_(std::make_unique<State>(file)) {}

HistoryReader::~HistoryReader() = default;

bool HistoryReader::is_in_place() const { return state_->is_in_place(); }

HistoryStatus HistoryReader::status() const {
  return state_->call([&] {
    SQLite::Database& database = *state_->database;
    HistoryStatus status;
    status.bytes = static_cast<std::uint64_t>(
        (number_of(database, "PRAGMA page_count") - number_of(database, "PRAGMA freelist_count")) *
        number_of(database, "PRAGMA page_size"));
    status.sweeps = static_cast<std::uint64_t>(number_of(database, "SELECT count(*) FROM sweep"));
    status.last_sweep =
        static_cast<std::uint64_t>(number_of(database, "SELECT max(sweep_id) FROM sweep"));
    status.newest_ms =
        number_of(database, "SELECT time_ms FROM sweep ORDER BY sweep_id DESC LIMIT 1");
    for (std::size_t i = 0; i < history_levels; ++i) {
      const std::int64_t time = state_->oldest(static_cast<HistoryLevel>(i));
      status.oldest_of_level[i] = time;
      if (time != 0 && (status.oldest_ms == 0 || time < status.oldest_ms)) {
        status.oldest_ms = time;
      }
    }
    return status;
  });
}

bool HistoryReader::has_port(PortKey port) const {
  return state_->call([&] { return state_->place_of_port(port).has_value(); });
}

PortHistory HistoryReader::port_history(const HistoryQuery& query) const {
  return state_->call([&] {
    PortHistory history;
    history.level = query.level ? *query.level : state_->level_for(query);
    for (const CounterInfo& info : counter_table()) {
      if ((query.counters & mask_of(info.counter)) != 0) {
        history.columns.push_back({info.counter, {}, {}, {}, {}});
      }
    }
    const std::optional<std::int64_t> place = state_->place_of_port(query.port);
    if (!place) return history;
    const std::vector<HistoryRow> rows = state_->rows(history.level, query.window);
    const std::size_t points = std::clamp<std::size_t>(query.points, 1, most_points);
    const std::size_t joined = std::max<std::size_t>(1, (rows.size() + points - 1) / points);
    SQLite::Statement select(*state_->database, fmt::format("SELECT data FROM {} WHERE place = ?",
                                                            tables_of(history.level).sample));
    PointBuilder point(history);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const HistoryInterval interval = state_->read(select, history.level, rows[i], *place);
      if (!interval.readable) ++history.unreadable_rows;
      point.add(interval);
      if ((i + 1) % joined == 0 || i + 1 == rows.size()) point.finish();
    }
    return history;
  });
}

namespace {

void set_from(HistorySample& sample, const PortSample& port) {
  sample.status = port.status;
  sample.covered_ms = port.covered_ms;
  sample.known = port.held;
  sample.partly = 0;
  sample.saturated = port.saturated;
  sample.delta = port.delta;
}

void set_from(HistorySample& sample, const PeriodSample& port) {
  sample.status = port.known != 0 ? PortStatus::read : PortStatus::silent;
  sample.covered_ms = port.covered_ms;
  sample.known = port.known;
  sample.partly = port.partly;
  sample.delta = port.sum;
}

bool is_there(const PortSample& port) noexcept { return port.present; }
bool is_there(const PeriodSample& port) noexcept { return port.known != 0; }

}  // namespace

void HistoryReader::for_each_sample(HistoryLevel level, const TimeWindow& window,
                                    std::optional<PortKey> port,
                                    const std::function<bool(const HistorySample&)>& sample) const {
  std::optional<std::int64_t> only;
  const std::vector<HistoryRow> rows = state_->call([&] {
    state_->load_keys();
    if (port) only = state_->place_of_port(*port);
    return state_->rows(level, window);
  });
  if (port && !only) return;
  HistorySample each;
  const auto hand_over = [&](const auto& ports, std::size_t first,
                             const std::vector<std::uint32_t>& rates) {
    for (std::size_t at = 0; at < ports.size(); ++at) {
      const std::size_t place = first + at;
      if (place >= state_->keys.size() || !is_there(ports[at])) continue;
      if (only && static_cast<std::size_t>(*only) != place) continue;
      each.port = state_->keys[place];
      each.rate_mbits = rates[place];
      set_from(each, ports[at]);
      if (!sample(each)) return false;
    }
    return true;
  };
  const std::string query = fmt::format("SELECT place, data FROM {} WHERE place >= ? AND place < ?",
                                        tables_of(level).sample);
  for (const HistoryRow& row : rows) {
    each.sweep = static_cast<std::uint64_t>(row.id);
    each.time_ms = row.time_ms;
    const bool goes_on = state_->call([&] {
      const std::vector<std::uint32_t>& rates = state_->rates_of(row.generation);
      SQLite::Statement select(*state_->database, query);
      const std::size_t chunk = only ? static_cast<std::size_t>(*only) / chunk_ports : 0;
      SQLite::bind(select, pssp::place_of(row.id, chunk),
                   only ? pssp::place_of(row.id, chunk + 1) : pssp::place_of(row.id + 1, 0));
      while (select.executeStep()) {
        const auto first =
            static_cast<std::size_t>(select.getColumn(0).getInt64() & 0xFFFF) * chunk_ports;
        const std::string_view bytes = as_bytes(select.getColumn(1));
        if (level == HistoryLevel::raw) {
          const auto ports = decode_samples(bytes);
          if (ports && !hand_over(ports->ports, first, rates)) return false;
        } else {
          const auto ports = decode_periods(bytes);
          if (ports && !hand_over(*ports, first, rates)) return false;
        }
      }
      return true;
    });
    if (!goes_on) return;
  }
}

std::vector<HistorySweep> HistoryReader::sweeps(const TimeWindow& window) const {
  return state_->call([&] {
    SQLite::Statement select(*state_->database,
                             "SELECT sweep_id, generation, time_ms, duration_us, asked, answered, "
                             "mads, timed_out, implausible, late FROM sweep WHERE time_ms >= ? AND "
                             "time_ms < ? ORDER BY sweep_id");
    SQLite::bind(select, window.since_ms, window.until_ms);
    std::vector<HistorySweep> all;
    while (select.executeStep()) {
      HistorySweep sweep;
      sweep.sweep = as_unsigned(select.getColumn(0));
      sweep.generation = as_unsigned(select.getColumn(1));
      sweep.time_ms = select.getColumn(2).getInt64();
      sweep.figures.duration_ns = as_unsigned(select.getColumn(3)) * 1'000;
      sweep.figures.asked = select.getColumn(4).getUInt();
      sweep.figures.answered = select.getColumn(5).getUInt();
      sweep.figures.mads = as_unsigned(select.getColumn(6));
      sweep.figures.timed_out = as_unsigned(select.getColumn(7));
      sweep.figures.implausible = as_unsigned(select.getColumn(8));
      sweep.figures.late = select.getColumn(9).getInt() != 0;
      all.push_back(sweep);
    }
    return all;
  });
}

std::vector<StoredEvent> HistoryReader::events(const EventQuery& query) const {
  return state_->call([&] {
    SQLite::Statement select(
        *state_->database,
        "SELECT event_id, time_ms, kind, node_guid, port_number, text FROM event WHERE time_ms >= "
        "?1 AND time_ms < ?2 AND (?3 = '' OR kind = ?3) AND (?4 IS NULL OR node_guid = ?4) AND (?5 "
        "IS NULL OR port_number = ?5) AND (?6 = 0 OR event_id < ?6) ORDER BY event_id DESC LIMIT "
        "?7");
    select.bind(1, query.window.since_ms);
    select.bind(2, query.window.until_ms);
    select.bind(3, query.kind);
    if (query.node) select.bind(4, as_sql(*query.node));
    if (query.number) select.bind(5, static_cast<int>(*query.number));
    select.bind(6, as_sql(query.after));
    select.bind(7, static_cast<std::int64_t>(std::min<std::size_t>(query.limit, 1'000'000)));
    std::vector<StoredEvent> all;
    while (select.executeStep()) {
      StoredEvent stored;
      stored.number = as_unsigned(select.getColumn(0));
      stored.time_ms = select.getColumn(1).getInt64();
      stored.kind = select.getColumn(2).getString();
      if (!select.getColumn(3).isNull()) {
        stored.port = PortKey{as_unsigned(select.getColumn(3)),
                              static_cast<PortNumber>(select.getColumn(4).getUInt())};
      }
      stored.text = select.getColumn(5).getString();
      all.push_back(std::move(stored));
    }
    std::reverse(all.begin(), all.end());
    return all;
  });
}

std::vector<NodeName> HistoryReader::node_names(Guid node) const {
  return state_->call([&] {
    SQLite::Statement select(*state_->database,
                             "SELECT since, description FROM node_name JOIN node USING(node_id) "
                             "WHERE guid = ? ORDER BY since");
    select.bind(1, as_sql(node));
    std::vector<NodeName> names;
    while (select.executeStep()) {
      names.push_back({select.getColumn(0).getInt64(), std::string(as_bytes(select.getColumn(1)))});
    }
    return names;
  });
}

std::shared_ptr<const FabricMap> HistoryReader::map_at(std::int64_t time_ms) const {
  return state_->call([&]() -> std::shared_ptr<const FabricMap> {
    const std::optional<HistoryRow> topology = state_->topology_at(time_ms);
    return topology ? state_->map_of(topology->generation, topology->time_ms) : nullptr;
  });
}

std::optional<std::string> HistoryReader::net_at(std::int64_t time_ms) const {
  return state_->call([&]() -> std::optional<std::string> {
    constexpr std::size_t largest_net = std::size_t{256} << 20;
    const std::optional<HistoryRow> topology = state_->topology_at(time_ms);
    if (!topology) return std::nullopt;
    SQLite::Statement find(*state_->database, "SELECT net FROM topology WHERE generation = ?");
    find.bind(1, topology->generation);
    if (!find.executeStep() || find.getColumn(0).isNull()) return std::nullopt;
    return unpacked(as_bytes(find.getColumn(0)), largest_net);
  });
}

}  // namespace pssp
