#pragma once

// The answer of locate_slow.

#include <string>
#include <vector>

#include "operations/diagnosis/slow_objects.h"
#include "tools/diagnosis/measured_fabric.h"
#include "tools/locate_slow/counted_ports.h"

namespace pssp {

struct SlowReport {
  const MeasuredFabric& fabric;
  const std::vector<RateMeasurement>& measurements;
  RateDiagnosis diagnosis;
  const CountedPorts* counted = nullptr;  ///< null: nobody asked for the monitor's history
};

std::string to_text(const SlowReport& report);
std::string to_json(const SlowReport& report);

}  // namespace pssp
