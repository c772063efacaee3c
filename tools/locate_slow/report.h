#pragma once

// The report of locate_slow.

#include <string>
#include <vector>

#include "operations/diagnosis/rate_unit.h"
#include "operations/diagnosis/slow_objects.h"
#include "tools/diagnosis/measured_fabric.h"
#include "tools/locate_slow/counted_ports.h"

namespace pssp {

struct SlowReport {
  const MeasuredFabric& fabric;
  const std::vector<RateMeasurement>& measurements;
  RateUnit unit;
  double link_rate = 0;  ///< speed of a link of reference capacity in that unit; 0: unknown
  RateDiagnosis diagnosis;
  double given_rate = 0;                  ///< full speed as specified by the user; 0: estimated
  const CountedPorts* counted = nullptr;  ///< null: the monitor's history is not used
};

/// A warning if rates exceed the speed of their links.
std::vector<std::string> impossible_rates(const SlowReport& report);
std::string to_text(const SlowReport& report);
std::string to_json(const SlowReport& report);

}  // namespace pssp
