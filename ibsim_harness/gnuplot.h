#pragma once

// Pictures by gnuplot.

#include <filesystem>
#include <string>
#include <string_view>

#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"

namespace pssp {

/// The text as a literal of gnuplot: nothing in it is carried out.
std::string gnuplot_literal(std::string_view text);
/// The text as a cell of a block of data with tabs between the cells.
std::string gnuplot_cell(std::string_view text);

/// What gnuplot draws by a script, which stays in `folder` as NAME.gnuplot. Throws Error(output)
/// with what gnuplot said, Error(missing_program).
std::string draw(const Surroundings& surroundings, const SignalQueue& signals,
                 const std::filesystem::path& folder, const std::string& name,
                 const std::string& script);

}  // namespace pssp
