#pragma once

// What is too old, or too much, goes.

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "monitor/counters/event.h"
#include "monitor/store/history_options.h"

namespace pssp {

class Retention {
 public:
  Retention(SQLite::Database& database, const HistoryOptions& options)
      : database_(database), options_(options) {}

  /// Deletes for about that long, in one transaction. False where nothing was to be done.
  bool step(std::chrono::milliseconds budget);

  /// What was deleted before its time for lack of room, since the last call.
  std::vector<MonitorEvent> take_events();

 private:
  bool delete_oldest(HistoryLevel level, std::int64_t before_age);
  bool delete_old();
  bool make_room();
  bool shrink();
  void delete_leftovers();
  void delete_old_state(std::int64_t before_age);

  SQLite::Database& database_;
  const HistoryOptions& options_;
  std::vector<MonitorEvent> events_;
  std::int64_t last_reported_age_ = -1;
  std::int64_t last_leftovers_age_ = -1;
};

/// Bytes in use, without what was deleted.
std::uint64_t used_bytes(SQLite::Database& database);

}  // namespace pssp
