#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/pictures/bandwidth_plot.h"
#include "evaluator/pictures/simulation_plot.h"
#include "tests/temporary_folder.h"

namespace {

using namespace pssp;
namespace fs = std::filesystem;

/// Sets an environment variable until the end of the scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name), old_(std::getenv(name)) {
    setenv(name, value, 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

std::vector<double> normal(double mean, double deviation, std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> draw(mean, deviation);
  std::vector<double> values(count);
  for (double& value : values) value = draw(random);
  return values;
}

HistogramPlot plot_of(std::vector<PlotSeries> series) {
  HistogramPlot plot;
  plot.title = "Title";
  plot.axis = "bandwidth";
  plot.counted = "runs";
  plot.series = std::move(series);
  return plot;
}

bool has_gnuplot() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

/// Centers of the bins and heights of the bars of series `number` in a script.
std::vector<std::pair<double, double>> bars(const std::string& script, int number) {
  const std::string head = "$series" + std::to_string(number) + " << END\n";
  std::istringstream data(script.substr(script.find(head) + head.size()));
  std::vector<std::pair<double, double>> result;
  double x = 0;
  double y = 0;
  while (data >> x >> y) result.emplace_back(x, y);
  return result;
}

}  // namespace

TEST_CASE("each value is counted in the bar that covers it") {
  for (const double deviation : {1e-6, 0.01, 0.3, 50.0}) {
    const std::vector<double> values = normal(10, deviation, 5000);
    const std::string script = gnuplot_script(plot_of({plot_series("", values)}), "svg");
    const auto found = bars(script, 0);
    REQUIRE(found.size() >= 8);
    CHECK(found.size() <= 102);
    const double width = found[1].first - found[0].first;
    std::vector<double> expected(found.size());
    for (const double value : values) {
      const double at = std::floor((value - found[0].first) / width + 0.5 + 1e-6);
      expected.at(static_cast<std::size_t>(at)) += 100.0 / 5000;
    }
    double sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].second == Approx(expected[i]).margin(0.05));
      sum += found[i].second;
    }
    CHECK(sum == Approx(100).epsilon(1e-3));
  }
}

TEST_CASE("integers have one bar each, centered on the integer") {
  const std::string script =
      gnuplot_script(plot_of({plot_series("", std::vector<double>{3, 4, 4, 7})}), "svg");
  CHECK(bars(script, 0) ==
        std::vector<std::pair<double, double>>{{3, 25}, {4, 50}, {5, 0}, {6, 0}, {7, 25}});
}

TEST_CASE("plots of many integers or of a single value are drawn") {
  std::vector<double> wide;
  for (int i = 0; i < 10'000; ++i) wide.push_back(i);
  CHECK(bars(gnuplot_script(plot_of({plot_series("", wide)}), "svg"), 0).size() <= 101);
  for (const double value : {0.0, 0.5, 1.0, 527.0}) {
    const auto found =
        bars(gnuplot_script(plot_of({plot_series("", std::vector<double>(10, value))}), "svg"), 0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].first == Approx(value).margin(1e-12));
    CHECK(found[0].second == 100);
  }
}

TEST_CASE("all series of a plot share their bins") {
  const std::string script = gnuplot_script(
      plot_of({plot_series("a", normal(0.4, 0.01, 500)), plot_series("b", normal(0.6, 0.05, 900))}),
      "svg");
  const auto a = bars(script, 0);
  const auto b = bars(script, 1);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].first == b[i].first);
}

TEST_CASE("a series of flow congestion has weighted statistics and omits infinity") {
  const PlotSeries series =
      plot_series("", std::map<double, std::uint64_t>{
                          {1, 50}, {2, 46}, {9, 4}, {std::numeric_limits<double>::infinity(), 7}});
  CHECK(series.counts.size() == 3);
  CHECK(series.mean == Approx(1.78));
  CHECK(series.median == 1);
  CHECK(series.most.to == 2);
  CHECK_FALSE(series.mean_95);
}

TEST_CASE("names cannot inject gnuplot commands") {
  HistogramPlot plot =
      plot_of({plot_series("'; system 'touch x' #`date`\n\"", std::vector<double>{1, 2})});
  plot.title = "it's `id` $(id)\\\nset output 'x'";
  const std::string script = gnuplot_script(plot, "svg");
  CHECK(script.find("'it''s `id` $(id)\\ set output ''x'''") != std::string::npos);
  CHECK(script.find("'''; system ''touch x'' #`date` \":") != std::string::npos);
  CHECK(script.find("\nset output") == std::string::npos);
}

TEST_CASE("gnuplot draws SVG and PNG and writes complete files") {
  if (!has_gnuplot()) {
    WARN("skipped: no gnuplot");
    return;
  }
  const test::TemporaryFolder folder;
  HistogramPlot plot = plot_of({plot_series("it's <one> & `two`", normal(0.5, 0.01, 1000)),
                                plot_series("mit Umlaut \xC3\xA4", normal(0.6, 0.01, 1000))});
  plot.subtitle = "routing.lft; 'seed' 1";
  draw(plot, folder / "a.svg");
  const std::string svg = read_file(folder / "a.svg");
  CHECK(svg.starts_with("<?xml"));
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK(svg.find("it's &lt;one> &amp; `two`") != std::string::npos);
  CHECK(svg.find("mean 0.5") != std::string::npos);
  CHECK(svg.find("runs in a bin of width") != std::string::npos);
  draw(plot, folder / "b.PNG");
  CHECK(read_file(folder / "b.PNG").starts_with("\x89PNG"));
  const fs::path odd = folder / "$(touch x) `y` 'z';.svg";
  draw(plot, odd);
  CHECK(read_file(odd) == svg);
}

TEST_CASE("a plot that cannot be drawn leaves no file and reports the reason") {
  const test::TemporaryFolder folder;
  const HistogramPlot plot = plot_of({plot_series("", std::vector<double>{1, 2, 3})});
  const auto kind_of = [&](const HistogramPlot& what, const std::string& name) {
    try {
      draw(what, folder / name);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  CHECK(kind_of(plot, "a.pdf") == ErrorKind::usage);
  CHECK(kind_of(plot, "svg") == ErrorKind::usage);
  CHECK(kind_of(plot_of({}), "a.svg") == ErrorKind::usage);
  CHECK(kind_of(plot_of({plot_series("", std::vector<double>{})}), "a.svg") == ErrorKind::usage);
  {
    const Environment nothing_there("PATH", "/nonexistent");
    CHECK(kind_of(plot, "a.svg") == ErrorKind::output);
    CHECK_THROWS_WITH(draw(plot, folder / "a.svg"), Catch::Contains("gnuplot-nox"));
  }
  if (has_gnuplot()) CHECK(kind_of(plot, "no such folder/a.svg") == ErrorKind::output);
  CHECK(folder.entries() == 0);
}

TEST_CASE("simulation plots have titles, subtitles, series names and means") {
  SimulationReport report;
  report.pattern = "bruck";
  report.ranks = 4;
  report.hosts = 8;
  report.options.seed = 3;
  report.result.runs = {{.flows = 4,
                         .levels = 2,
                         .bandwidth_sum = 3,
                         .max_congestion_sum = 4,
                         .mean_congestion_sum = 3,
                         .delay = 3}};
  report.result.histogram = {{1, 2}, {2, 2}};
  const std::vector<NamedSimulation> one{{"a.lft", report}};
  const HistogramPlot bounds = simulation_plot(one, Metric::bounds);
  CHECK(bounds.title == "bruck: 4 ranks on 8 hosts");
  CHECK(bounds.subtitle == "a.lft, 1 runs, seed 3");
  REQUIRE(bounds.series.size() == 2);
  CHECK(bounds.series[0].name == "optimistic");
  CHECK(bounds.series[0].mean == Approx(2.0 / 3));
  CHECK(bounds.series[1].mean == 0.5);
  CHECK(simulation_plot(one, Metric::hist_acc_band).series[0].mean == 0.75);
  CHECK(simulation_plot(one, Metric::sum_max_cong).series[0].mean == 4);
  CHECK(simulation_plot(one, Metric::dep_max_delay).series[0].mean == 3);
  CHECK(simulation_plot(one, Metric::hist_max_cong).series[0].mean == 1.5);
  CHECK(simulation_plot(one, Metric::hist_max_cong).counted == "flows");
  CHECK_THROWS_AS(simulation_plot(one, Metric::get_cable_cong), Error);
  const std::vector<NamedSimulation> two{{"a.lft", report}, {"b.lft", report}};
  const HistogramPlot comparison = simulation_plot(two, Metric::bounds);
  REQUIRE(comparison.series.size() == 4);
  CHECK(comparison.series[3].name == "b.lft: pessimistic");

  const std::vector<double> bandwidths{0.5, 0.75};
  const std::vector<NamedBisections> bisections{{"a.lft", bandwidths}};
  const HistogramPlot bisection = bisection_plot(bisections, 8, 3);
  CHECK(bisection.subtitle == "a.lft, 2 random bisections, seed 3");
  CHECK(bisection.series[0].mean == 0.625);
}
