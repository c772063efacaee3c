#pragma once

// Sums of the counters of ports over a window of the history.

#include <map>
#include <utility>

#include "monitor/counters/rates.h"
#include "monitor/store/history_reader.h"

namespace pssp {

struct PortSums {
  PortDifference difference;
  PortStatus status = PortStatus::not_active;  ///< in the last sweep of the window
};
using AllSums = std::map<std::pair<Guid, PortNumber>, PortSums>;

/// Reads the level that is fine enough for the window. O(samples). Throws like HistoryReader.
AllSums sums_of(const HistoryReader& reader, const TimeWindow& window);

}  // namespace pssp
