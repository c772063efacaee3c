// Each sweep adds one point, so an hour of a fabric of any size takes a few kilobytes, and no
// history is read. Combined points have the mean of rates, and the maximum of numbers of channels:
// a channel that was hot in one sweep is visible in the curve of an hour.

#include "monitor/api/activity.h"

#include <algorithm>

#include "monitor/api/live_state.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

double errors_a_minute(const PortDifference& difference) {
  constexpr double seconds_a_minute = 60;
  double sum = 0;
  for (const CounterInfo& info : counter_table()) {
    if (info.unit != CounterUnit::events || difference.of(info.counter) == 0) continue;
    sum += difference.per_second(info.counter);
  }
  return seconds_a_minute * sum;
}

ActivityPoint sum_of(const std::vector<ActivityPoint>& points, std::size_t from, std::size_t to) {
  ActivityPoint sum = points[to - 1];
  for (std::size_t i = from; i + 1 < to; ++i) {
    sum.bytes_per_s += points[i].bytes_per_s;
    sum.errors_per_minute += points[i].errors_per_minute;
    sum.hot = std::max(sum.hot, points[i].hot);
    sum.held_up = std::max(sum.held_up, points[i].held_up);
  }
  const auto count = static_cast<double>(to - from);
  sum.bytes_per_s /= count;
  sum.errors_per_minute /= count;
  return sum;
}

template <class Value>
void write_points(JsonWriter& json, std::string_view name, const std::vector<ActivityPoint>& points,
                  Value ActivityPoint::*member) {
  json.key(name).begin_array();
  for (const ActivityPoint& point : points) json.value(point.*member);
  json.end_array();
}

}  // namespace

void add_activity(std::vector<ActivityPoint>& points, const LiveView& view) {
  const std::int64_t now = view.snapshot->time_ms;
  std::erase_if(points, [now](const ActivityPoint& point) {
    return point.time_ms <= now - activity_ms || point.time_ms >= now;
  });
  ActivityPoint point;
  point.time_ms = now;
  bool known = false;
  for (std::size_t c = 0; c < view.channels.size(); ++c) {
    const ChannelUseView& use = view.use[c];
    known = known || use.known;
    point.hot += use.utilisation > hot_utilisation ? 1 : 0;
    point.held_up += use.waiting_share > held_up_share ? 1 : 0;
    const MapPort& port = view.map().ports[view.channels[c]];
    const bool is_adapter = view.map().node_of(port).kind != NodeKind::switch_node;
    if (is_adapter && use.known) point.bytes_per_s += use.bytes_per_s;
  }
  if (!known) return;
  for (const PortDifference& each : view.differences) {
    if (each.ns != 0) point.errors_per_minute += errors_a_minute(each);
  }
  points.push_back(point);
  if (points.size() > most_activity_points) points.erase(points.begin());
}

std::string activity_view(const LiveView& view, const Target& target) {
  target.allow({"points"});
  const std::size_t most = target.number("points", 360, 1, most_activity_points);
  const std::vector<ActivityPoint>& all = view.activity;
  const std::size_t together = (all.size() + most - 1) / most;
  std::vector<ActivityPoint> displayed;
  // Groups are counted from the newest point, so that the last group is complete.
  for (std::size_t to = all.size(); to > 0; to -= std::min(to, together)) {
    displayed.push_back(sum_of(all, to - std::min(to, together), to));
  }
  std::reverse(displayed.begin(), displayed.end());
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write_points(json, "time_ms", displayed, &ActivityPoint::time_ms);
  write_points(json, "bytes_per_s", displayed, &ActivityPoint::bytes_per_s);
  write_points(json, "errors_per_minute", displayed, &ActivityPoint::errors_per_minute);
  write_points(json, "hot_channels", displayed, &ActivityPoint::hot);
  write_points(json, "held_up_channels", displayed, &ActivityPoint::held_up);
  return json.end_object().take();
}

}  // namespace pssp
