#pragma once

// A history database that is open for reading, with what several readers need: the ports, the
// periods, and the topology at a given time.

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "monitor/store/database.h"
#include "monitor/store/history_reader.h"

namespace pssp {

/// A sweep or a period, as needed for lists of rows.
struct HistoryRow {
  std::int64_t id = 0, time_ms = 0, generation = 0;
};

/// All queries run within call(), which converts the errors of SQLite.
struct HistoryFile {
  std::filesystem::path file;
  std::unique_ptr<SQLite::Database> database;
  FileIdentity identity;  ///< of the file that was opened

  explicit HistoryFile(std::filesystem::path name)
      : file(std::move(name)),
        database(open_for_reading(file)),
        identity(identity_of(file).value_or(FileIdentity{})) {}
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;
  ~HistoryFile() {
    if (!is_in_place()) leave_log_alone(*database);
  }
  /// False if the name now refers to another file or to none.
  bool is_in_place() const { return identity_of(file) == identity; }

  /// Caches: port keys by register position, and link rates in Mbit/s by generation and position.
  mutable std::vector<PortKey> keys;
  mutable std::map<std::int64_t, std::vector<std::uint32_t>> rates;

  std::optional<std::int64_t> place_of_port(PortKey port) const;
  void load_keys() const;
  const std::vector<std::uint32_t>& rates_of(std::int64_t generation) const;
  std::shared_ptr<const FabricMap> map_of(std::int64_t generation, std::int64_t time_ms) const;
  std::vector<HistoryRow> rows(HistoryLevel level, const TimeWindow& window) const;
  std::int64_t count(HistoryLevel level, const TimeWindow& window) const;
  std::int64_t oldest(HistoryLevel level) const;
  std::optional<HistoryRow> topology_at(std::int64_t time_ms) const;

  /// Runs `action` in one read transaction. Turns errors of SQLite into Error(unreadable_input).
  template <class Action>
  auto call(const Action& action) const {
    try {
      SQLite::Transaction all(*database);
      return action();
    } catch (const SQLite::Exception& error) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: cannot be read: {}", excerpt(file.string()), error.what()));
    }
  }
};

}  // namespace pssp
