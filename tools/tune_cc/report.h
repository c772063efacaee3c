#pragma once

// The answers of tune_cc.

#include <string>

#include "tools/tune_cc/options.h"
#include "tools/tune_cc/tuning.h"

namespace pssp {

std::string to_text(const TuneOptions& options, const Tuning& tuning);
std::string to_json(const TuneOptions& options, const Tuning& tuning);

/// A line for each root of congestion, indented by two blanks.
std::string holds_text(const Tuning& tuning);

/// The parameter file: comments that say where it comes from, and the set.
std::string set_text(const TuneOptions& options, const Tuning& tuning);

/// What gnuplot is told to draw the gain of all sets over the first two varied parameters.
std::string surface_script(const Tuning& tuning, const std::string& format);

}  // namespace pssp
