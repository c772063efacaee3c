#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/untrusted_text.h"
#include "monitor/api/history.h"
#include "monitor/api/views.h"
#include "monitor/counters/state_names.h"

// The history of one port as columns. Recent sweeps are in memory; a HistorySource has older data.

namespace pssp {
namespace {

constexpr std::uint64_t end_of_time = 4'102'444'800'000;  // the year 2100
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void write_column(JsonWriter& json, std::string_view name, const std::vector<double>& numbers) {
  json.key(name).begin_array();
  for (const double each : numbers) json.value(each);
  json.end_array();
}

/// Combines neighboring points until there are at most `points`: the mean of the known means, and
/// the largest of the largest values.
void join_points(HistoryView& history, std::size_t points) {
  const std::size_t count = history.time_ms.size();
  if (count <= points) return;
  const std::size_t step = (count + points - 1) / points;
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < count; i += step) {
    times.push_back(history.time_ms[std::min(i + step, count) - 1]);
  }
  for (HistoryColumn& column : history.columns) {
    std::vector<double> means, largest;
    for (std::size_t i = 0; i < count; i += step) {
      double sum = 0, most = no_number, known = 0;
      for (std::size_t j = i; j < std::min(i + step, count); ++j) {
        if (std::isnan(column.mean[j])) continue;
        sum += column.mean[j];
        most = std::fmax(most, column.largest[j]);
        ++known;
      }
      means.push_back(known == 0 ? no_number : sum / known);
      largest.push_back(most);
    }
    column.mean = std::move(means);
    column.largest = std::move(largest);
  }
  history.time_ms = std::move(times);
}

}  // namespace

std::optional<std::int64_t> asked_time(const Target& target) {
  if (target.find("at") == nullptr) return std::nullopt;
  return static_cast<std::int64_t>(target.number("at", 0, 1, end_of_time));
}

HistoryRequest history_request(const LiveView& view, const Target& target, std::uint32_t port) {
  target.allow({"since", "until", "points", "counters"});
  HistoryRequest request;
  const MapPort& self = view.map().ports[port];
  request.node = view.map().node_of(self).guid;
  request.number = self.number;
  request.since_ms = static_cast<std::int64_t>(target.number("since", 0, 0, end_of_time));
  request.until_ms = static_cast<std::int64_t>(target.number("until", end_of_time, 0, end_of_time));
  if (request.since_ms >= request.until_ms) {
    throw ApiError{400, "since is not before until", "both are milliseconds since 1970"};
  }
  request.points = target.number("points", 500, 1, 5000);
  request.counters = 0;
  for (const std::string& name : target.list("counters")) {
    const auto counter = find_counter(name);
    if (!counter) {
      throw ApiError{400, "unknown counter '" + untrusted_text(name) + "'",
                     "a request without counters= returns all counters"};
    }
    request.counters |= mask_of(*counter);
  }
  if (request.counters == 0) request.counters = all_counters;
  return request;
}

HistoryView recent_history(const LiveView& view, const HistoryRequest& request) {
  HistoryView history;
  history.level = "memory";
  for (const CounterInfo& info : counter_table()) {
    if ((request.counters & mask_of(info.counter)) != 0)
      history.columns.push_back({info.counter, {}, {}});
  }
  for (const auto& sweep : view.recent) {
    if (sweep->time_ms() < request.since_ms || sweep->time_ms() >= request.until_ms) continue;
    const auto port = sweep->map().find_port(request.node, request.number);
    // Counters of a port that is not in the map are unknown.
    const PortDifference difference =
        port ? sweep->difference(*port).value_or(PortDifference{}) : PortDifference{};
    history.time_ms.push_back(sweep->time_ms());
    for (HistoryColumn& column : history.columns) {
      const bool known = difference.has(column.counter);
      column.mean.push_back(known ? difference.per_second(column.counter) : no_number);
    }
  }
  for (HistoryColumn& column : history.columns) column.largest = column.mean;
  join_points(history, request.points);
  return history;
}

std::string history_text(const LiveView& view, const HistoryRequest& request,
                         const HistoryView& history) {
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.key("guid").guid(request.node).member("port", unsigned{request.number});
  json.member("level", history.level).key("time_ms").begin_array();
  for (const std::int64_t each : history.time_ms) json.value(each);
  json.end_array().key("counters").begin_object();
  for (const HistoryColumn& column : history.columns) {
    const CounterInfo& info = info_of(column.counter);
    json.key(info.name).begin_object().member("unit", name_of(info.unit));
    write_column(json, "mean", column.mean);
    write_column(json, "max", column.largest);
    json.key("gap").begin_array();
    for (const double each : column.mean) json.value(std::isnan(each));
    json.end_array().end_object();
  }
  return json.end_object().end_object().take();
}

}  // namespace pssp
