// Both pictures are drawn by gnuplot, which gets its data in the script.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "evaluator/pictures/drawing_programs.h"
#include "tools/simulate_fabric/outputs.h"

namespace pssp {
namespace {

constexpr double giga = 1e9;

std::string subject(const SimulateReport& report) {
  return report.simulation.input.scenario != nullptr
             ? report.options.scenario
             : report.simulation.input.tables.front().name + ", " +
                   report.simulation.input.traffic.front().name;
}

/// GByte/s in a sample, mean of the seeds that reached it; negative if there are none.
double throughput_at(const Simulation& simulation, std::size_t variant, std::size_t sample) {
  double sum = 0;
  double count = 0;
  for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
    const SimulatedRun& run = simulation.runs[variant][s];
    const SimulatedTime length = simulation.traffic[s].traffic.sample;
    if (!run.began || static_cast<SimulatedTime>(sample + 1) * length > run.outcome.simulated ||
        sample >= run.outcome.bytes_by_sample.size()) {
      continue;
    }
    const double seconds = static_cast<double>(length) / double{picoseconds_per_second};
    sum += static_cast<double>(run.outcome.bytes_by_sample[sample]) / seconds / giga;
    ++count;
  }
  return count == 0 ? -1 : sum / count;
}

std::string data_block(const Simulation& simulation, std::size_t variant) {
  std::string block = fmt::format("$data{} << EOD\n", variant);
  const double sample_ms = static_cast<double>(simulation.traffic.front().traffic.sample) /
                           double{picoseconds_per_millisecond};
  for (std::size_t i = 0;; ++i) {
    const double value = throughput_at(simulation, variant, i);
    if (value < 0) break;
    block += fmt::format("{:.9g} {:.6g}\n", sample_ms * (static_cast<double>(i) + 0.5), value);
    // A single point is not a line.
    if (i == 0 && throughput_at(simulation, variant, 1) < 0) {
      block += fmt::format("0 {0:.6g}\n{1:.9g} {0:.6g}\n", value, sample_ms);
    }
  }
  return block + "EOD\n";
}

/// A part of the picture: the cells of the grid with this value, or all runs.
struct Panel {
  std::size_t axis = 0;
  std::string value;  ///< empty: all
};

/// A grid has one panel per value of its first parameter, as figures 4.15 to 4.19 of the thesis; a
/// grid with two parameters also one per value of the second, as figures 4.20 and 4.21.
std::vector<Panel> panels_of(const std::vector<VariedParameter>& varied) {
  if (varied.size() < 2) return {{}};
  std::vector<Panel> panels;
  for (std::size_t axis = 0; axis < (varied.size() == 2 ? 2U : 1U); ++axis) {
    for (const std::string& value : varied[axis].values) panels.push_back({axis, value});
  }
  return panels;
}

/// "Marking_Rate 10": all parameters of a cell except that of the panel.
std::string rest_of_cell(const std::vector<VariedParameter>& varied,
                         const std::vector<std::string>& cell, std::size_t axis) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (i == axis) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", varied[i].name, cell[i]);
  }
  return text;
}

/// The kinds of runs in a panel; those outside the grid are in all panels.
std::vector<std::size_t> curves_of(const Simulation& simulation, const Panel& panel) {
  std::vector<std::size_t> curves;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const std::vector<std::string>& cell = simulation.variants[v].cell;
    const bool of_grid = !panel.value.empty() && !cell.empty();
    if (!of_grid || cell[panel.axis] == panel.value) curves.push_back(v);
  }
  return curves;
}

std::string panel_plot(const Simulation& simulation, const std::vector<VariedParameter>& varied,
                       const Panel& panel) {
  std::string plot;
  std::size_t line = 0;
  for (const std::size_t v : curves_of(simulation, panel)) {
    const std::vector<std::string>& cell = simulation.variants[v].cell;
    const bool of_grid = !panel.value.empty() && !cell.empty();
    const std::string name =
        of_grid ? rest_of_cell(varied, cell, panel.axis) : simulation.variants[v].name;
    plot += fmt::format("{}$data{} using 1:2 with lines lw 2 lc {} dt {} title {}",
                        line == 0 ? "plot " : ", ", v, 1 + line % 8, 1 + line / 8,
                        gnuplot_literal(name));
    ++line;
  }
  return plot + "\n";
}

double largest_throughput(const Simulation& simulation) {
  double largest = 0;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t i = 0;; ++i) {
      const double value = throughput_at(simulation, v, i);
      if (value < 0) break;
      largest = std::max(largest, value);
    }
  }
  return largest;
}

constexpr std::size_t legend_columns = 2;

/// Lines of the legend below each of the panels.
std::size_t legend_rows(const Simulation& simulation, const std::vector<Panel>& panels) {
  std::size_t most = 0;
  for (const Panel& panel : panels) most = std::max(most, curves_of(simulation, panel).size());
  return (most + legend_columns - 1) / legend_columns;
}

/// All panels have the same size and scale: legends are below the curves, margins are fixed, and
/// the largest value is below the upper edge.
std::string frame_commands(const Simulation& simulation, std::size_t legend) {
  // Patterns end before their time limit.
  SimulatedTime longest = 1;
  for (const std::vector<SimulatedRun>& runs : simulation.runs) {
    for (const SimulatedRun& run : runs) longest = std::max(longest, run.outcome.simulated);
  }
  const double end_ms = static_cast<double>(longest) / double{picoseconds_per_millisecond};
  constexpr double room_above = 1.08;
  const double largest = largest_throughput(simulation);
  return fmt::format(
      "set xlabel 'time, ms'\nset ylabel 'GByte/s'\nset grid\n"
      // Runs that ended early, or within their first sample, have an axis, too.
      "set xrange [0:{:.9g}]\nset yrange [0:{:.4g}]\n"
      "set lmargin 10\nset rmargin 3\nset tmargin 3\nset bmargin {}\n"
      "set key bmargin center horizontal maxcols {} noenhanced samplen 3\n"
      // The fifth of gnuplot's colors is a yellow that is invisible on white.
      "set linetype 5 lc rgb '#a65628'\n",
      end_ms, largest > 0 ? room_above * largest : 1, 4 + legend, legend_columns);
}

}  // namespace

std::string throughput_script(const SimulateReport& report, const std::string& format) {
  const Simulation& simulation = report.simulation;
  const std::vector<VariedParameter> varied = varied_parameters(report.options, simulation.input);
  const std::vector<Panel> panels = panels_of(varied);
  const bool has_panels = panels.size() > 1;
  const std::size_t rows = (panels.size() + 1) / 2;
  const std::string title = "throughput of all hosts: " + subject(report);
  const std::size_t legend = legend_rows(simulation, panels);
  constexpr std::size_t curves = 380, line = 18;  // heights
  std::string script = gnuplot_head(format, has_panels ? "" : title, has_panels ? 1300 : 1000,
                                    static_cast<int>((curves + line * legend) * rows)) +
                       frame_commands(simulation, legend);
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) script += data_block(simulation, v);
  if (has_panels) {
    script += fmt::format("set multiplot layout {},2 title {} noenhanced\n", rows,
                          gnuplot_literal(title));
  }
  for (const Panel& panel : panels) {
    if (has_panels) {
      script += fmt::format("set title {} noenhanced\n",
                            gnuplot_literal(varied[panel.axis].name + " " + panel.value));
    }
    script += panel_plot(simulation, varied, panel);
  }
  return script + (has_panels ? "unset multiplot\n" : "");
}

std::string heat_script(const SimulateReport& report, const std::string& format) {
  const Simulation& simulation = report.simulation;
  const std::vector<VariedParameter> varied = varied_parameters(report.options, simulation.input);
  if (varied.size() != 2) {
    throw Error(ErrorKind::usage, "--heat needs two varied parameters: --cc-vary twice");
  }
  std::string script =
      gnuplot_head(format, "GByte/s of all hosts: " + subject(report), 760, 480) + "$grid << EOD\n";
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const Variant& variant = simulation.variants[v];
    if (variant.cell.size() != 2 || variant.tables != 0) continue;
    const auto place = [&](std::size_t axis) {
      return std::ranges::find(varied[axis].values, variant.cell[axis]) -
             varied[axis].values.begin();
    };
    std::vector<double> values;
    for (const SimulatedRun& run : simulation.runs[v]) {
      if (run.began) values.push_back(run.summary.throughput.mean / giga);
    }
    script += fmt::format("{} {} {:.5g}\n", place(1), place(0), mean_of(values).mean);
  }
  script += "EOD\n";
  constexpr std::array axes{'y', 'x'};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    script += fmt::format("set {}label {} noenhanced\nset {}tics (", axes[axis],
                          gnuplot_literal(varied[axis].name), axes[axis]);
    for (std::size_t i = 0; i < varied[axis].values.size(); ++i) {
      script +=
          fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_literal(varied[axis].values[i]), i);
    }
    script += ")\n";
  }
  return script +
         "set palette defined (0 '#c6dbef', 1 '#4292c6', 2 '#08306b')\nset cblabel 'GByte/s'\n"
         "set autoscale noextend\nset xrange [-0.5:*]\nset yrange [-0.5:*]\nunset key\n"
         "set tics scale 0\n"
         "stats $grid using 3 nooutput\nmiddle = (STATS_min + STATS_max) / 2\n"
         // As pixels, because viewers smooth a picture of few points until cells have no edges.
         "plot $grid using 1:2:3 with image pixels, "
         "'' using 1:2:(sprintf('%.1f', $3)):($3 > middle ? 0xffffff : 0x000000) "
         "with labels tc rgb variable\n";
}

}  // namespace pssp
