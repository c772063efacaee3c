#pragma once

// Deletes history that is too old or exceeds the size limit.

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

  /// Deletes in one transaction until about `budget` has passed. Returns false if there was nothing
  /// to do.
  bool step(std::chrono::milliseconds budget);

  /// Events for history that was deleted early for lack of room, since the last call.
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

/// Size of the database without its free pages.
std::uint64_t used_bytes(SQLite::Database& database);

}  // namespace pssp
