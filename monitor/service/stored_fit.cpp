// A node or adapter that has disappeared is not in the current map. Its position is in the map that
// was in use before the node became unfit. Those maps are therefore read before the newest one, in
// ascending order of time.

#include "monitor/service/stored_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/utc_time.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

constexpr std::size_t most_maps = 20;
constexpr std::int64_t missed_for_s = 86'400;

bool is_of_a_node(const VerdictRecord& row) { return row.port.node != 0; }

void restore_from(FitWatch& watch, const HistoryReader& reader,
                  const std::vector<VerdictRecord>& rows) {
  const std::int64_t newest_ms = reader.status().newest_ms;
  const auto now = reader.map_at(newest_ms);
  if (now == nullptr) return;
  std::set<std::int64_t> times;
  for (const VerdictRecord& row : rows) {
    if (is_of_a_node(row) && row.level == Level::bad && !row.until_ms)
      times.insert(row.since_ms - 1);
  }
  while (times.size() > most_maps) times.erase(times.begin());
  for (const std::int64_t time_ms : times) {
    if (const auto map = reader.map_at(time_ms)) watch.restore_positions(*map, time_ms);
  }
  watch.restore_positions(*now, newest_ms);
  watch.restore(rows);
}

/// Three intervals between sweeps, estimated from the last two sweeps.
std::int64_t patience_ms(const HistoryReader& reader, std::int64_t newest_ms) {
  constexpr std::int64_t looked_at_ms = std::int64_t{3} * 3'600'000, least_ms = 3'000;
  const auto sweeps = reader.sweeps({newest_ms - looked_at_ms, newest_ms + 1});
  if (sweeps.size() < 2) return looked_at_ms;
  return std::max(least_ms, 3 * (sweeps.back().time_ms - sweeps[sweeps.size() - 2].time_ms));
}

}  // namespace

void restore_fit(FitWatch& watch, const std::filesystem::path& database, std::int64_t now_ms) {
  try {
    const HistoryReader reader(database);
    restore_from(watch, reader,
                 read_fit_rows(database, {now_ms - DrainGuard::span_ms,
                                          std::numeric_limits<std::int64_t>::max()}));
  } catch (const Error&) {
    return;  // a database that is just being created has no rows yet; a damaged one is reported by
             // its writer
  }
}

StoredFit stored_fit(const std::filesystem::path& database, const NodeNameRule& rule,
                     std::int64_t now_ms) {
  const HistoryReader reader(database);
  const std::int64_t newest_ms = reader.status().newest_ms;
  std::vector<VerdictRecord> rows =
      read_fit_rows(database, {newest_ms, std::numeric_limits<std::int64_t>::max()});
  FitWatch watch({}, rule, missed_for_s);
  restore_from(watch, reader, rows);
  StoredFit stored{watch.standing(), {}};
  const std::int64_t age_ms = now_ms - newest_ms;
  if (!std::ranges::any_of(rows, [](const auto& row) { return !is_of_a_node(row); })) {
    stored.stale = "no daemon has stored verdicts on nodes in this database";
  } else if (age_ms > patience_ms(reader, newest_ms)) {
    stored.stale = fmt::format("the last sweep in the database is from {}", utc_text(newest_ms));
  }
  return stored;
}

}  // namespace pssp
