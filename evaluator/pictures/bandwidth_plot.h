#pragma once

// Histograms of bandwidths, congestions and delays as pictures, drawn by gnuplot.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

/// One histogram of a picture, with its marks.
struct PlotSeries {
  struct Interval {
    double from = 0;
    double to = 0;
  };
  std::string name;
  std::map<double, std::uint64_t> counts;  ///< how often each value occurs; finite, not empty
  double mean = 0;
  std::optional<Interval> mean_95;  ///< 95 % interval of the mean
  double median = 0;
  Interval most;  ///< 5th to 95th percentile
};

/// From single values, at least one; with the 95 % interval if there are two or more.
PlotSeries plot_series(std::string name, const std::vector<double>& values);

/// From values with their frequencies that are not independent, such as the congestions of all
/// flows: without an interval. Ignores infinity. Not empty.
PlotSeries plot_series(std::string name, const std::map<double, std::uint64_t>& counts);

struct HistogramPlot {
  std::string title;
  std::string subtitle;  ///< may be empty
  std::string axis;      ///< what the values are
  std::string counted;   ///< what the histogram counts, e.g. "runs"
  std::vector<PlotSeries> series;
};

/// Writes the picture in the format of the file name, .svg or .png; whole or not at all. Heights
/// are percentages of each series, so that series of different sizes are comparable. Throws
/// Error(usage) for another ending or a plot without series, Error(output) if gnuplot is missing or
/// fails, or if the file cannot be written.
void draw(const HistogramPlot& plot, const std::filesystem::path& file);

/// The script for gnuplot: the same bytes for the same plot. `format`: "svg" or "png".
std::string gnuplot_script(const HistogramPlot& plot, const std::string& format);

}  // namespace pssp
