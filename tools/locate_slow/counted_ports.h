#pragma once

// The monitor's history of the ports of slow objects, so that errors and slowness of a cable are
// reported together.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/counters/verdict_record.h"
#include "monitor/store/history_reader.h"
#include "operations/diagnosis/slow_objects.h"
#include "tools/diagnosis/measured_fabric.h"

namespace pssp {

/// A port, with its counts and verdicts during the measurements.
struct CountedPort {
  PortKey key;
  std::string name;                                           ///< "leaf 4[15]"; from the fabric
  bool is_known = false;                                      ///< the history contains it
  std::vector<std::pair<std::string, std::uint64_t>> events;  ///< counters above 0, increase
  std::vector<VerdictRecord> verdicts;                        ///< without good ones
};

class CountedPorts {
 public:
  /// Throws Error(unreadable_input) if it is not a database of the monitor; Error(usage) in a build
  /// without it (without_history.cpp), as measured_window() does.
  CountedPorts(const std::string& database, const TimeWindow& window);
  CountedPorts(const CountedPorts&) = delete;
  CountedPorts& operator=(const CountedPorts&) = delete;
  ~CountedPorts();

  /// Both ends of each cable of the object: ports of switches and adapters, by GUID. O(rows of the
  /// window) per port. Throws as the constructor.
  std::vector<CountedPort> of(const MeasuredFabric& fabric, SuspectObject object) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// The time from `since` to `until` (base/utc_time.h; empty: no bound), or of the newest recording
/// with this name. Throws Error(usage) for an unknown recording or an invalid time.
TimeWindow measured_window(const std::string& database, const std::string& since,
                           const std::string& until, const std::string& recording);

}  // namespace pssp
