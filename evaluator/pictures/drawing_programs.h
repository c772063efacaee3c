#pragma once

// The drawing programs gnuplot and graphviz, and the beginning of gnuplot's scripts.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// The picture that gnuplot draws from a script. Throws Error(output) if it is missing or fails,
/// with its last message.
std::string drawn_by_gnuplot(const std::string& script);

/// The output of graphviz's dot for a graph; errors as above. `arguments`: without the program's
/// name.
std::string drawn_by_graphviz(const std::vector<std::string>& arguments, const std::string& graph);

/// "svg" or "png", by the ending of the name in any case. Throws Error(usage) for other endings.
std::string picture_format(const std::filesystem::path& file);

/// The text as a literal of gnuplot: nothing in it is executed.
std::string gnuplot_literal(std::string_view text);
/// The text as a cell of a data block with tabs between the cells.
std::string gnuplot_cell(std::string_view text);

/// Terminal and title of a picture of this size in points.
std::string gnuplot_head(const std::string& format, const std::string& title, int width,
                         int height);

}  // namespace pssp
