#pragma once

// The reports of tune_cc.

#include <string>

#include "tools/tune_cc/options.h"
#include "tools/tune_cc/tuning.h"

namespace pssp {

std::string to_text(const TuneOptions& options, const Tuning& tuning);
std::string to_json(const TuneOptions& options, const Tuning& tuning);

/// One line per root of congestion, indented by two blanks.
std::string holds_text(const Tuning& tuning);

/// The parameter file: the set, with comments about its origin.
std::string set_text(const TuneOptions& options, const Tuning& tuning);

/// The gnuplot script for the gain of all sets over the first two varied parameters.
std::string surface_script(const Tuning& tuning, const std::string& format);

}  // namespace pssp
