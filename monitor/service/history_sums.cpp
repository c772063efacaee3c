#include "monitor/service/history_sums.h"

#include <algorithm>
#include <optional>

namespace pssp {
namespace {

HistoryLevel level_for(const HistoryReader& reader, const TimeWindow& window) {
  constexpr std::int64_t raw_up_to = hour_ms, five_minutes_up_to = 48 * hour_ms;
  const HistoryStatus status = reader.status();
  const std::int64_t since = std::max(window.since_ms, status.oldest_ms);
  const std::int64_t length = std::min(window.until_ms, status.newest_ms + 1) - since;
  const auto reaches = [&](HistoryLevel level) {
    const std::int64_t oldest = status.oldest_of_level[static_cast<std::size_t>(level)];
    return oldest != 0 && oldest <= since;
  };
  if (length > five_minutes_up_to && reaches(HistoryLevel::hour)) return HistoryLevel::hour;
  if (length > raw_up_to && reaches(HistoryLevel::five_minutes)) return HistoryLevel::five_minutes;
  return reaches(HistoryLevel::raw)            ? HistoryLevel::raw
         : reaches(HistoryLevel::five_minutes) ? HistoryLevel::five_minutes
                                               : HistoryLevel::hour;
}

}  // namespace

AllSums sums_of(const HistoryReader& reader, const TimeWindow& window) {
  AllSums sums;
  const auto add = [&](const HistorySample& sample) {
    PortSums& to = sums[{sample.port.node, sample.port.number}];
    to.status = sample.status;
    to.difference.saturated = sample.saturated;
    to.difference.known |= sample.known;
    to.difference.ns += sample.covered_ms * 1'000'000;
    for (std::size_t at = 0; at < counter_count; ++at) to.difference.delta[at] += sample.delta[at];
    return true;
  };
  reader.for_each_sample(level_for(reader, window), window, std::nullopt, add);
  return sums;
}

}  // namespace pssp
