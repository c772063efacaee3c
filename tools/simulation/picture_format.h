#pragma once

// What the pictures of several programs begin with; all are drawn by gnuplot.

#include <filesystem>
#include <string>

namespace pssp {

/// "svg" or "png", by the end of the name. Throws Error(usage) for another one.
std::string picture_format(const std::filesystem::path& file);

/// A text in double quotes, as gnuplot reads it.
std::string gnuplot_text(const std::string& text);

/// Terminal and title of a picture of so many points.
std::string gnuplot_head(const std::string& format, const std::string& title, int width,
                         int height);

}  // namespace pssp
