#pragma once

// The programs that draw for us, gnuplot and graphviz, and what gnuplot's scripts begin with.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// What gnuplot draws by a script. Throws Error(output) when it is missing or fails, with what it
/// said last.
std::string drawn_by_gnuplot(const std::string& script);

/// What graphviz's dot makes of a graph; errors as above. `arguments`: without the program's name.
std::string drawn_by_graphviz(const std::vector<std::string>& arguments, const std::string& graph);

/// "svg" or "png", by the end of the name, in whatever case. Throws Error(usage) for another one.
std::string picture_format(const std::filesystem::path& file);

/// The text as a literal of gnuplot: nothing in it is carried out.
std::string gnuplot_literal(std::string_view text);
/// The text as a cell of a block of data with tabs between the cells.
std::string gnuplot_cell(std::string_view text);

/// Terminal and title of a picture of so many points.
std::string gnuplot_head(const std::string& format, const std::string& title, int width,
                         int height);

}  // namespace pssp
