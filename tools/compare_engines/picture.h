#pragma once

// The picture of compare_engines.

#include <string>

#include "tools/compare_engines/reports.h"

namespace pssp {

/// A gnuplot script including its data: bars for each engine, in three panels. `kind`: svg or png.
std::string picture_script(const EngineComparison& comparison, const std::string& kind);

}  // namespace pssp
