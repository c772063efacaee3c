// A five-minute period consists of consecutive sweeps whose wall-clock times are in the same five
// minutes; an hour consists of five-minute periods likewise. A period is closed when a sweep of
// another five minutes arrives. A clock that jumps therefore makes additional or longer periods,
// and no period is overwritten. Periods are filled chunk by chunk; each row records its progress,
// so work continues there after an interruption.
//
// Each row is decoded and added independently of other rows. The sums are integers and therefore
// exact.

#include "monitor/store/downsample.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "monitor/store/database.h"

namespace pssp {
namespace {

template <class Function>
void for_each_set(CounterMask mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<std::size_t>(std::countr_zero(mask)));
}

std::int64_t bucket(std::int64_t time_ms, std::int64_t length_ms) noexcept {
  // Rounded down, also for times before 1970.
  return (time_ms - (time_ms < 0 ? length_ms - 1 : 0)) / length_ms;
}

constexpr HistoryLevel finer(HistoryLevel level) noexcept {
  return level == HistoryLevel::hour ? HistoryLevel::five_minutes : HistoryLevel::raw;
}

/// Sweeps or finer periods that become one period.
struct Group {
  std::int64_t bucket = 0, first = 0, last = 0, time_ms = 0, end_ms = 0, age_ms = 0;
  std::int64_t generation = 0;
};

}  // namespace

PeriodSum::Port& PeriodSum::port(std::size_t at) {
  if (at >= ports_.size()) ports_.resize(at + 1);
  return ports_[at];
}

void PeriodSum::add(std::span<const PortSample> sweep) {
  ++rows_;
  for (std::size_t at = 0; at < sweep.size(); ++at) {
    const PortSample& from = sweep[at];
    Port& to = port(at);
    if (from.held == 0 || from.covered_ms == 0) continue;
    to.sum.known |= from.held;
    to.sum.covered_ms += from.covered_ms;
    for_each_set(from.held, [&](std::size_t counter) {
      to.sum.sum[counter] += from.delta[counter];
      ++to.rows[counter];
    });
    for (std::size_t i = 0; i < peak_counters.size(); ++i) {
      const double rate =
          static_cast<double>(from.delta[static_cast<std::size_t>(peak_counters[i])]) * 1e3 /
          static_cast<double>(from.covered_ms);
      to.sum.peak[i] = std::max(to.sum.peak[i], rate);
    }
  }
}

void PeriodSum::add(std::span<const PeriodSample> period) {
  ++rows_;
  for (std::size_t at = 0; at < period.size(); ++at) {
    const PeriodSample& from = period[at];
    Port& to = port(at);
    to.sum.known |= from.known;
    to.sum.covered_ms += from.covered_ms;
    for_each_set(from.known,
                 [&](std::size_t counter) { to.sum.sum[counter] += from.sum[counter]; });
    for_each_set(from.known & ~from.partly, [&](std::size_t counter) { ++to.rows[counter]; });
    for (std::size_t i = 0; i < peak_counters.size(); ++i) {
      to.sum.peak[i] = std::max(to.sum.peak[i], from.peak[i]);
    }
  }
}

std::vector<PeriodSample> PeriodSum::result() const {
  std::vector<PeriodSample> sums;
  sums.reserve(ports_.size());
  for (const Port& each : ports_) {
    PeriodSample sum = each.sum;
    for_each_set(sum.known, [&](std::size_t counter) {
      if (each.rows[counter] != rows_) sum.partly |= CounterMask{1} << counter;
    });
    sums.push_back(sum);
  }
  return sums;
}

void Downsampler::close_periods(HistoryLevel level) {
  const LevelTables &to = tables_of(level), &from = tables_of(finer(level));
  const bool of_sweeps = finer(level) == HistoryLevel::raw;
  SQLite::Statement source(
      database_,
      fmt::format("SELECT {0}, time_ms, {1}, age_ms, generation FROM {2} WHERE {0} > (SELECT "
                  "coalesce(max(last_id), 0) FROM {3}) {4} ORDER BY {0}",
                  from.period_id, of_sweeps ? "time_ms" : "end_ms", from.period, to.period,
                  of_sweeps ? "" : "AND done = chunks"));
  SQLite::Statement insert(database_,
                           fmt::format("INSERT INTO {}(time_ms, end_ms, age_ms, first_id, last_id, "
                                       "generation, chunks, done) VALUES(?, ?, ?, ?, ?, ?, ?, 0)",
                                       to.period));
  const std::int64_t chunks = (number_of(database_, "SELECT max(port_id) FROM port", -1) +
                               static_cast<std::int64_t>(chunk_ports)) /
                              static_cast<std::int64_t>(chunk_ports);
  std::optional<Group> open;
  while (source.executeStep()) {
    const std::int64_t id = source.getColumn(0).getInt64();
    const std::int64_t in = bucket(source.getColumn(1).getInt64(), to.length_ms);
    if (open && open->bucket != in) {
      run_once_more(insert, open->time_ms, open->end_ms, open->age_ms, open->first, open->last,
                    open->generation, chunks);
      open.reset();
    }
    if (!open) {
      open = Group{};
      open->bucket = in;
      open->first = id;
      open->time_ms = source.getColumn(1).getInt64();
    }
    open->last = id;
    open->end_ms = source.getColumn(2).getInt64();
    open->age_ms = source.getColumn(3).getInt64();
    open->generation = source.getColumn(4).getInt64();
  }
}

std::vector<PeriodSample> Downsampler::sum_of(HistoryLevel from, const Period& period,
                                              std::size_t chunk) {
  SQLite::Statement row(database_,
                        fmt::format("SELECT data FROM {} WHERE place = ?", tables_of(from).sample));
  PeriodSum sum;
  for (std::int64_t id = period.first; id <= period.last; ++id) {
    row.reset();
    row.bind(1, place_of(id, chunk));
    if (!row.executeStep()) {
      sum.add_gap();
      continue;
    }
    const std::string_view bytes = as_bytes(row.getColumn(0));
    bool readable = false;
    if (from == HistoryLevel::raw) {
      const auto ports = decode_samples(bytes);
      if ((readable = ports.has_value())) sum.add(ports->ports);
    } else {
      const auto ports = decode_periods(bytes);
      if ((readable = ports.has_value())) sum.add(*ports);
    }
    if (!readable) {
      ++unreadable_rows_;
      sum.add_gap();
    }
  }
  return sum.result();
}

bool Downsampler::is_whole(HistoryLevel from, const Period& period, std::size_t chunk) {
  // Retention deletes from the front, so the samples are complete if the row of the first sweep
  // exists.
  SQLite::Statement row(
      database_, fmt::format("SELECT count(*) FROM {} WHERE place = ?", tables_of(from).sample));
  row.bind(1, place_of(period.first, chunk));
  row.executeStep();
  return row.getColumn(0).getInt() != 0;
}

void Downsampler::sum_again(std::int64_t first_sweep, std::int64_t last_sweep, std::size_t chunk,
                            const std::function<void(std::vector<PeriodSample>&)>& forget) {
  std::int64_t first = first_sweep, last = last_sweep;
  for (const HistoryLevel level : {HistoryLevel::five_minutes, HistoryLevel::hour}) {
    const LevelTables& to = tables_of(level);
    SQLite::Statement find(
        database_, fmt::format("SELECT period_id, first_id, last_id, done, chunks FROM {} WHERE "
                               "last_id >= ? AND first_id <= ? AND done > ? ORDER BY period_id",
                               to.period));
    SQLite::bind(find, first, last, static_cast<std::int64_t>(chunk));
    std::vector<Period> periods;
    while (find.executeStep()) {
      periods.push_back({find.getColumn(0).getInt64(), find.getColumn(1).getInt64(),
                         find.getColumn(2).getInt64(), find.getColumn(3).getInt64(),
                         find.getColumn(4).getInt64()});
    }
    if (periods.empty()) return;
    SQLite::Statement old(database_, fmt::format("SELECT data FROM {} WHERE place = ?", to.sample));
    SQLite::Statement update(database_,
                             fmt::format("UPDATE {} SET data = ? WHERE place = ?", to.sample));
    for (const Period& period : periods) {
      const std::int64_t place = place_of(period.id, chunk);
      std::vector<PeriodSample> sums;
      if (is_whole(finer(level), period, chunk)) {
        sums = sum_of(finer(level), period, chunk);
      } else {
        old.reset();
        old.bind(1, place);
        if (!old.executeStep()) continue;
        if (auto kept = decode_periods(as_bytes(old.getColumn(0)))) sums = std::move(*kept);
        forget(sums);
      }
      const std::string data = encode_periods(sums);
      update.reset();
      bind_bytes(update, 1, data);
      update.bind(2, place);
      update.exec();
    }
    first = periods.front().id;
    last = periods.back().id;
  }
}

bool Downsampler::fill_one(HistoryLevel level, std::chrono::steady_clock::time_point deadline) {
  const LevelTables& to = tables_of(level);
  std::int64_t& filled = filled_[static_cast<std::size_t>(level)];
  SQLite::Statement find(
      database_, fmt::format("SELECT period_id, first_id, last_id, done, chunks FROM {} WHERE "
                             "period_id > ? AND done < chunks ORDER BY period_id LIMIT 1",
                             to.period));
  find.bind(1, filled);
  if (!find.executeStep()) return false;
  Period period{find.getColumn(0).getInt64(), find.getColumn(1).getInt64(),
                find.getColumn(2).getInt64(), find.getColumn(3).getInt64(),
                find.getColumn(4).getInt64()};
  find.reset();
  filled = period.id - 1;
  SQLite::Statement insert(database_,
                           fmt::format("INSERT INTO {}(place, data) VALUES(?, ?)", to.sample));
  do {
    const auto chunk = static_cast<std::size_t>(period.done);
    const std::string data = encode_periods(sum_of(finer(level), period, chunk));
    insert.reset();
    insert.bind(1, place_of(period.id, chunk));
    bind_bytes(insert, 2, data);
    insert.exec();
    ++period.done;
  } while (period.done < period.chunks && std::chrono::steady_clock::now() < deadline);
  SQLite::Statement progress(database_,
                             fmt::format("UPDATE {} SET done = ? WHERE period_id = ?", to.period));
  run_once_more(progress, period.done, period.id);
  return true;
}

bool Downsampler::step(std::chrono::milliseconds budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget;
  bool worked = false;
  SQLite::Transaction all(database_, SQLite::TransactionBehavior::IMMEDIATE);
  for (const HistoryLevel level : {HistoryLevel::five_minutes, HistoryLevel::hour}) {
    close_periods(level);
    while (std::chrono::steady_clock::now() < deadline && fill_one(level, deadline)) worked = true;
  }
  all.commit();
  return worked;
}

}  // namespace pssp
