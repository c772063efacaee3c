#pragma once

// Histograms of bandwidths, and of congestions and delays, as pictures, drawn by gnuplot.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

/// One histogram of a picture, and what is marked in it.
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

/// From single values, not empty: with the 95 % interval if there are two or more.
PlotSeries plot_series(std::string name, const std::vector<double>& values);

/// From values that occur so often and are not independent of each other, such as the congestions
/// of all flows: without an interval. What is infinite is left out. Not empty.
PlotSeries plot_series(std::string name, const std::map<double, std::uint64_t>& counts);

struct HistogramPlot {
  std::string title;
  std::string subtitle;  ///< may be empty
  std::string axis;      ///< what the values are
  std::string counted;   ///< what is counted, e.g. "runs"
  std::vector<PlotSeries> series;
};

/// As a file in the format that the name ends in, .svg or .png; whole or not at all. Heights are
/// per cent of each series, so that series of different size can be compared. Throws Error(usage)
/// for another ending or a plot without series, Error(output) when gnuplot is missing or fails, or
/// the file cannot be written.
void draw(const HistogramPlot& plot, const std::filesystem::path& file);

/// What gnuplot is told: the same bytes for the same plot. `format`: "svg" or "png".
std::string gnuplot_script(const HistogramPlot& plot, const std::string& format);

}  // namespace pssp
