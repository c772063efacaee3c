// Computes the bins itself and uses gnuplot only for drawing, so that the picture shows the numbers
// of the report, and a million runs need only a few dozen lines of script. All series share the
// bins. Their width follows Freedman and Diaconis ("On the histogram as a density estimator", 1981)
// for the narrowest series, rounded to 1, 2 or 5 times a power of ten; integers have bins of
// integer width around them.

#include "evaluator/pictures/bandwidth_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/metrics/statistics.h"
#include "evaluator/pictures/drawing_programs.h"

namespace pssp {
namespace {

/// Colors that are distinguishable with any color vision (Okabe and Ito, "Color universal design",
/// 2008).
constexpr std::array<std::string_view, 6> colours{"#0072B2", "#D55E00", "#009E73",
                                                  "#CC79A7", "#E69F00", "#56B4E9"};

std::string_view colour(std::size_t series) { return colours[series % colours.size()]; }

/// Bins [first + i * width, first + (i + 1) * width).
struct Bins {
  double first = 0;
  double width = 1;
  std::size_t count = 1;

  double middle(std::size_t bin) const { return first + (static_cast<double>(bin) + 0.5) * width; }
  std::size_t bin_of(double value) const {
    // A value on an edge belongs to the upper bin, regardless of rounding.
    constexpr double tolerance = 1e-9;
    const auto bin = static_cast<std::size_t>(std::max(0.0, (value - first) / width + tolerance));
    return std::min(bin, count - 1);
  }
};

/// The next larger number of the form 1, 2, 5 times a power of ten.
double rounded_up(double width) {
  const double power = std::pow(10, std::floor(std::log10(width)));
  constexpr double tolerance = 1e-9;
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (width <= digit * power * (1 + tolerance)) return digit * power;
  }
  return 10 * power;
}

std::uint64_t total(const PlotSeries& series) {
  std::uint64_t sum = 0;
  for (const auto& [value, count] : series.counts) sum += count;
  return sum;
}

/// The value at or below which `percent` % of the values lie.
double weighted_percentile(const PlotSeries& series, double percent) {
  const double wanted = static_cast<double>(total(series)) * percent / 100;
  double below = 0;
  for (const auto& [value, count] : series.counts) {
    below += static_cast<double>(count);
    if (below >= wanted) return value;
  }
  return series.counts.rbegin()->first;
}

bool all_whole(const std::vector<PlotSeries>& series) {
  for (const PlotSeries& one : series) {
    for (const auto& [value, count] : one.counts) {
      if (value != std::floor(value)) return false;
    }
  }
  return true;
}

constexpr std::size_t max_bins = 100;

Bins whole_bins(double least, double most) {
  const double width = std::max(1.0, std::ceil((most - least + 1) / max_bins));
  return {least - 0.5, width, static_cast<std::size_t>((most - least) / width) + 1};
}

Bins bins_for(const std::vector<PlotSeries>& series) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double width = least;
  for (const PlotSeries& one : series) {
    least = std::min(least, one.counts.begin()->first);
    most = std::max(most, one.counts.rbegin()->first);
    const double quartiles = weighted_percentile(one, 75) - weighted_percentile(one, 25);
    width = std::min(width, 2 * quartiles / std::cbrt(static_cast<double>(total(one))));
  }
  if (all_whole(series)) return whole_bins(least, most);
  constexpr double fewest_bins = 8;
  constexpr double narrowest = 1e-3;  // relative to the value, if all values are equal
  if (least == most) {
    width = narrowest * std::abs(most);
    return {most - width / 2, width, 1};
  }
  width = std::clamp(width, (most - least) / max_bins, (most - least) / fewest_bins);
  width = rounded_up(width);
  const double first = std::floor(least / width) * width;
  Bins bins{first, width, max_bins + 2};
  bins.count = bins.bin_of(most) + 1;
  return bins;
}

/// Keeps the end of a long name, where file names differ.
std::string shortened(const std::string& name) {
  constexpr std::size_t max_length = 32;
  if (name.size() <= max_length) return name;
  std::size_t start = name.size() - max_length;
  // Does not begin in the middle of a UTF-8 character.
  while (start < name.size() && (static_cast<unsigned char>(name[start]) & 0xC0U) == 0x80U) ++start;
  return "..." + name.substr(start);
}

std::string legend(const PlotSeries& series, std::string_view counted) {
  std::string text = series.name.empty() ? "" : shortened(series.name) + ":  ";
  text += fmt::format("mean {:.5g}", series.mean);
  if (series.mean_95) {
    text +=
        fmt::format(" (95 % interval {:.5g} .. {:.5g})", series.mean_95->from, series.mean_95->to);
  }
  text += fmt::format(",  5 to 95 % of the {}: {:.4g} .. {:.4g}", counted, series.most.from,
                      series.most.to);
  return text;
}

class Script {
 public:
  Script(const HistogramPlot& plot, std::string_view format)
      : plot_(plot), bins_(bins_for(plot.series)) {
    write_terminal(format);
  }

  std::string finish() {
    for (std::size_t i = 0; i < plot_.series.size(); ++i) write_data(i);
    write_axes();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) write_marks(i);
    write_plot();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void write_terminal(std::string_view format) {
    const std::size_t height = 640 + 32 * plot_.series.size();
    if (format == "svg") {
      large_ = 20;
      small_ = 14;
      line("set terminal svg noenhanced size 1100,{} font 'Arial,16' background '#ffffff'", height);
    } else {
      large_ = 16;
      small_ = 12;
      line("set terminal pngcairo noenhanced size 1100,{} font 'Sans,13'", height);
    }
  }

  void write_data(std::size_t number) {
    const PlotSeries& series = plot_.series[number];
    std::vector<std::uint64_t> counts(bins_.count);
    for (const auto& [value, count] : series.counts) counts[bins_.bin_of(value)] += count;
    const auto all = static_cast<double>(total(series));
    line("$series{} << END", number);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
      const double share = 100 * static_cast<double>(counts[bin]) / all;
      highest_ = std::max(highest_, share);
      line("{:.10g} {:.6g}", bins_.middle(bin), share);
    }
    line("END");
  }

  void write_axes() {
    const std::string title = plot_.subtitle.empty() ? gnuplot_literal(plot_.title)
                                                     : gnuplot_literal(plot_.title) + R"(."\n".)" +
                                                           gnuplot_literal(plot_.subtitle);
    line("set title {} font ',{}'", title, large_);
    line("set xlabel {} offset 0,0.3", gnuplot_literal(plot_.axis));
    line("set ylabel {}", gnuplot_literal(fmt::format("{} in a bin of width {:.4g} [%]",
                                                      plot_.counted, bins_.width)));
    const double end = bins_.first + static_cast<double>(bins_.count) * bins_.width;
    // At least this many bins, so that a single bar does not fill the plot.
    constexpr double fewest_widths = 9;
    const double margin =
        std::max(bins_.width, (fewest_widths * bins_.width - (end - bins_.first)) / 2);
    // Starts at 0 if all values are nonnegative.
    const double start = std::max(bins_.first - margin, std::min(bins_.first, 0.0));
    line("set xrange [{:.10g}:{:.10g}]", start, end + margin);
    constexpr double headroom = 1.18;  // for the labels of the marks
    line("set yrange [0:{:.6g}]", highest_ * headroom);
    line("set grid ytics lc rgb '#d0d0d0' lw 1");
    line("set border 3 lw 1.5");
    line("set tics nomirror out");
    line("set boxwidth {:.10g} absolute", bins_.width);
    line(
        "set key below left reverse Left vertical maxcols 1 spacing 1.3 samplen 2 height 0.8 font "
        "',{}'",
        small_);
    line("set style fill transparent solid {} border", plot_.series.size() == 1 ? 0.55 : 0.4);
  }

  void write_marks(std::size_t number) {
    const PlotSeries& series = plot_.series[number];
    if (series.mean_95) {
      line(
          "set object rectangle from first {:.10g}, graph 0 to first {:.10g}, graph {} back "
          "fillcolor rgb '#f0c000' fillstyle solid 0.45 noborder",
          series.mean_95->from, series.mean_95->to, mark_height());
    }
    line_at(series.mean, colour(number), "lw 3");
    if (plot_.series.size() > 1) return;
    name_at(series.mean, "mean", "center", 0.985);
    if (series.most.from == series.most.to) return;
    // Their labels are lower, because the lines may be close to the mean.
    constexpr double below_the_mean = 0.95;
    line_at(series.most.from, "#404040", "lw 2 dashtype 2");
    name_at(series.most.from, "5 % ", "right", below_the_mean);
    line_at(series.most.to, "#404040", "lw 2 dashtype 2");
    name_at(series.most.to, " 95 %", "left", below_the_mean);
  }

  void line_at(double value, std::string_view colour, std::string_view style) {
    line(
        "set arrow from first {:.10g}, graph 0 to first {:.10g}, graph {} nohead front lc rgb "
        "'{}' {}",
        value, value, mark_height(), colour, style);
  }

  void name_at(double value, std::string_view name, std::string_view side, double height) {
    line("set label {} at first {:.10g}, graph {} {} front", gnuplot_literal(name), value, height,
         side);
  }

  /// Relative to the axis. Marks have labels above them only if there is one series.
  double mark_height() const { return plot_.series.size() == 1 ? 0.93 : 1.0; }

  void write_plot() {
    text_ += "plot ";
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      fmt::format_to(std::back_inserter(text_),
                     "{}$series{} using 1:2 with boxes lc rgb '{}' lw 1 title {}",
                     i == 0 ? "" : ", ", i, colour(i),
                     gnuplot_literal(legend(plot_.series[i], plot_.counted)));
    }
    text_ += '\n';
  }

  const HistogramPlot& plot_;
  Bins bins_;
  int large_ = 0;  // font size, in the units of the terminal
  int small_ = 0;
  double highest_ = 0;
  std::string text_;
};

}  // namespace

PlotSeries plot_series(std::string name, const std::vector<double>& values) {
  const SampleStatistics statistics = describe_sample(values);
  PlotSeries series;
  series.name = std::move(name);
  for (const double value : values) ++series.counts[value];
  series.mean = statistics.mean;
  if (statistics.count > 1) {
    series.mean_95 = PlotSeries::Interval{statistics.lower_95, statistics.upper_95};
  }
  series.median = statistics.percentile(50);
  series.most = {statistics.percentile(5), statistics.percentile(95)};
  return series;
}

PlotSeries plot_series(std::string name, const std::map<double, std::uint64_t>& counts) {
  PlotSeries series;
  series.name = std::move(name);
  double sum = 0;
  for (const auto& [value, count] : counts) {
    if (std::isinf(value)) continue;
    series.counts[value] = count;
    sum += value * static_cast<double>(count);
  }
  if (series.counts.empty()) return series;
  series.mean = sum / static_cast<double>(total(series));
  series.median = weighted_percentile(series, 50);
  series.most = {weighted_percentile(series, 5), weighted_percentile(series, 95)};
  return series;
}

std::string gnuplot_script(const HistogramPlot& plot, const std::string& format) {
  return Script(plot, format).finish();
}

void draw(const HistogramPlot& plot, const std::filesystem::path& file) {
  const std::string format = picture_format(file);
  const bool nothing = std::any_of(plot.series.begin(), plot.series.end(),
                                   [](const PlotSeries& s) { return s.counts.empty(); });
  if (plot.series.empty() || nothing) {
    throw Error(
        ErrorKind::usage,
        "nothing to plot: no run has a value, because no host sends or no flow has a route");
  }
  write_file(file, drawn_by_gnuplot(gnuplot_script(plot, format)));
}

}  // namespace pssp
