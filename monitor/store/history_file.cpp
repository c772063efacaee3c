// Port keys and link rates are cached after the first read: every row of every sweep needs them,
// and they change only with the topology.

#include "monitor/store/history_file.h"

#include <utility>

#include "monitor/store/database.h"
#include "monitor/store/map_codec.h"

namespace pssp {

std::optional<std::int64_t> HistoryFile::place_of_port(PortKey port) const {
  SQLite::Statement find(
      *database, "SELECT port_id FROM port JOIN node USING(node_id) WHERE guid = ? AND number = ?");
  SQLite::bind(find, as_sql(port.node), static_cast<int>(port.number));
  if (!find.executeStep()) return std::nullopt;
  return find.getColumn(0).getInt64();
}

void HistoryFile::load_keys() const {
  SQLite::Statement all(*database,
                        "SELECT port_id, guid, number FROM port JOIN node USING(node_id) WHERE "
                        "port_id >= ? ORDER BY port_id");
  all.bind(1, static_cast<std::int64_t>(keys.size()));
  while (all.executeStep()) {
    const auto place = static_cast<std::size_t>(all.getColumn(0).getInt64());
    if (keys.size() <= place) keys.resize(place + 1);
    keys[place] = {as_unsigned(all.getColumn(1)),
                   static_cast<PortNumber>(all.getColumn(2).getUInt())};
    rates.clear();
  }
}

std::shared_ptr<const FabricMap> HistoryFile::map_of(std::int64_t generation,
                                                     std::int64_t time_ms) const {
  SQLite::Statement find(*database, "SELECT hash, map FROM topology WHERE generation = ?");
  find.bind(1, generation);
  if (!find.executeStep()) return nullptr;
  std::optional<FabricMap> map = decode_map(as_bytes(find.getColumn(1)));
  if (!map) {
    throw Error(ErrorKind::unreadable_input, fmt::format("{}: the map of generation {} is damaged",
                                                         excerpt(file.string()), generation));
  }
  map->generation = static_cast<std::uint64_t>(generation);
  map->hash = as_unsigned(find.getColumn(0));
  map->time_ms = time_ms;
  return std::make_shared<const FabricMap>(std::move(*map));
}

/// Link rates in Mbit/s, by register position of the port.
const std::vector<std::uint32_t>& HistoryFile::rates_of(std::int64_t generation) const {
  const auto [found, is_new] = rates.try_emplace(generation);
  if (!is_new) return found->second;
  const std::shared_ptr<const FabricMap> map = map_of(generation, 0);
  found->second.resize(keys.size());
  for (std::size_t place = 0; map && place < keys.size(); ++place) {
    const auto port = map->find_port(keys[place].node, keys[place].number);
    if (port) found->second[place] = map->ports[*port].rate.capacity();
  }
  return found->second;
}

std::vector<HistoryRow> HistoryFile::rows(HistoryLevel level, const TimeWindow& window) const {
  const LevelTables& tables = tables_of(level);
  const bool raw = level == HistoryLevel::raw;
  SQLite::Statement select(
      *database, fmt::format("SELECT {0}, {1}, generation FROM {2} WHERE time_ms >= ? AND time_ms "
                             "< ? {3} ORDER BY {0}",
                             tables.period_id, raw ? "time_ms" : "end_ms", tables.period,
                             raw ? "" : "AND done = chunks"));
  SQLite::bind(select, window.since_ms, window.until_ms);
  std::vector<HistoryRow> rows;
  while (select.executeStep()) {
    rows.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64(),
                    select.getColumn(2).getInt64()});
  }
  return rows;
}

std::int64_t HistoryFile::count(HistoryLevel level, const TimeWindow& window) const {
  SQLite::Statement select(*database,
                           fmt::format("SELECT count(*) FROM {} WHERE time_ms >= ? AND time_ms < ?",
                                       tables_of(level).period));
  SQLite::bind(select, window.since_ms, window.until_ms);
  select.executeStep();
  return select.getColumn(0).getInt64();
}

std::int64_t HistoryFile::oldest(HistoryLevel level) const {
  const LevelTables& tables = tables_of(level);
  const std::string query =
      fmt::format("SELECT time_ms FROM {0} ORDER BY {1} LIMIT 1", tables.period, tables.period_id);
  return number_of(*database, query.c_str());
}

std::optional<HistoryRow> HistoryFile::topology_at(std::int64_t time_ms) const {
  // Rows are in the order of observation. If the clock jumped back and two rows have the same time,
  // the later row counts.
  SQLite::Statement find(*database,
                         "SELECT since, generation FROM topology_use ORDER BY since <= ? DESC, "
                         "CASE WHEN since <= ? THEN rowid ELSE -rowid END DESC LIMIT 1");
  SQLite::bind(find, time_ms, time_ms);
  if (!find.executeStep()) return std::nullopt;
  return HistoryRow{0, find.getColumn(0).getInt64(), find.getColumn(1).getInt64()};
}

}  // namespace pssp
