#pragma once

// What the monitor's history has of the ports of what is slow: errors and slowness at one cable are
// one sentence.

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

/// A port, and what was counted and held of it in the time of the measurements.
struct CountedPort {
  PortKey key;
  std::string name;                                           ///< "leaf 4[15]"; from the fabric
  bool is_known = false;                                      ///< the history has it
  std::vector<std::pair<std::string, std::uint64_t>> events;  ///< counter, how often; above 0
  std::vector<VerdictRecord> verdicts;                        ///< none that is good
};

class CountedPorts {
 public:
  /// Throws Error(unreadable_input) for what is no database of the monitor; Error(usage) in a build
  /// without it (without_history.cpp), as measured_window() does.
  CountedPorts(const std::string& database, const TimeWindow& window);
  CountedPorts(const CountedPorts&) = delete;
  CountedPorts& operator=(const CountedPorts&) = delete;
  ~CountedPorts();

  /// Both ends of each cable of the object; ends are ports of switches and adapters, by GUID.
  /// O(rows of the window) a port. Throws as the constructor.
  std::vector<CountedPort> of(const MeasuredFabric& fabric, SuspectObject object) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// The time from `since` to `until` (base/utc_time.h; empty: no bound), or that of a recording by
/// name, its newest. Throws Error(usage) where there is no such recording, or no such time.
TimeWindow measured_window(const std::string& database, const std::string& since,
                           const std::string& until, const std::string& recording);

}  // namespace pssp
