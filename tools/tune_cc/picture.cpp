// Each set is a point over the first two parameters, colored by its gain: other parameters are not
// visible, so neighbors with different colors show that these matter.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "evaluator/pictures/drawing_programs.h"
#include "simulator/tuning/choice.h"
#include "tools/tune_cc/report.h"

namespace pssp {
namespace {

double number_of_position(const TuningAxis& axis, const TuningCell& cell, std::size_t a) {
  if (!axis.values.empty()) {
    const auto& value = cell.changes[a].second;
    return static_cast<double>(std::ranges::find(axis.values, value) - axis.values.begin());
  }
  constexpr double ns_of_us = 1e3;
  const double number = axis.number_of(cell.changes[a].second);
  return axis.unit_ns == 0 ? number : number / ns_of_us;
}

bool by_ratio(const TuningAxis& axis) { return axis.is_by_ratio() && axis.low >= 1; }

std::string axis_commands(const TuningAxis& axis, char letter) {
  std::string text = fmt::format("set {}label {} noenhanced\n", letter,
                                 gnuplot_literal(axis.name + (axis.unit_ns == 0 ? "" : ", us")));
  if (!axis.values.empty()) {
    text += fmt::format("set {}tics (", letter);
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_literal(axis.values[i]), i);
    }
    return text + fmt::format(")\nset {}range [-0.5:{}]\n", letter,
                              static_cast<double>(axis.values.size()) - 0.5);
  }
  if (by_ratio(axis)) text += fmt::format("set logscale {}\n", letter);
  return text;
}

/// From the smallest to the largest with a small margin, so that no point lies on the frame.
std::string range_command(char letter, const std::vector<double>& positions, bool by_ratio) {
  if (positions.empty()) return {};
  const auto [least, largest] = std::ranges::minmax(positions);
  constexpr double room = 0.05;
  double low = 0, high = 0;
  if (by_ratio) {
    const double factor = std::max(1.05, std::pow(largest / least, room));
    low = least / factor;
    high = largest * factor;
  } else {
    const double more =
        largest > least ? room * (largest - least) : std::max(1.0, room * std::abs(largest));
    low = least - more;
    high = largest + more;
  }
  return fmt::format("set {}range [{:.6g}:{:.6g}]\n", letter, low, high);
}

}  // namespace

std::string surface_script(const Tuning& tuning, const std::string& format) {
  const std::vector<TuningAxis>& axes = tuning.space.axes;
  const std::size_t second = axes.size() > 1 ? 1 : 0;
  std::string script =
      gnuplot_head(format, "gain over off in %: " + tuning.input.tables.front().name, 900, 560) +
      axis_commands(axes[0], 'x');
  if (second != 0) {
    script += axis_commands(axes[second], 'y');
  } else {
    script += "set ylabel 'gain, %'\n";
  }
  const Shortlisted* chosen =
      tuning.result.chosen ? &tuning.result.shortlist[*tuning.result.chosen] : nullptr;
  std::string points;
  std::string best;
  std::vector<double> x, y;
  for (const TuningCell& cell : tuning.result.cells) {
    if (cell.changes.empty()) continue;
    const double gain = 100 * gain_of_table(tuning.plan, tuning.trials, tuning.result, cell.name);
    x.push_back(number_of_position(axes[0], cell, 0));
    y.push_back(second != 0 ? number_of_position(axes[second], cell, second) : gain);
    const std::string line = fmt::format("{:.6g} {:.6g} {:.5g}\n", x.back(), y.back(), gain);
    points += line;
    if (chosen != nullptr && chosen->cell.name == cell.name) best = line;
  }
  // Axes with listed values have a fixed range.
  if (axes[0].values.empty()) script += range_command('x', x, by_ratio(axes[0]));
  const bool has_list = second != 0 && !axes[second].values.empty();
  if (!has_list) script += range_command('y', y, second != 0 && by_ratio(axes[second]));
  script += "$cells << EOD\n" + points + "EOD\n";
  if (!best.empty()) script += "$best << EOD\n" + best + "EOD\n";
  script +=
      "set palette defined (0 '#b2182b', 1 '#f7f7f7', 2 '#2166ac')\nset cblabel 'gain, %'\n"
      "set grid\nset key bmargin right horizontal noenhanced\n"
      "stats $cells using 3 nooutput\n"
      "most = abs(STATS_max) > abs(STATS_min) ? abs(STATS_max) : abs(STATS_min)\n"
      "if (most == 0) most = 1\nset cbrange [-most:most]\n"
      "plot $cells using 1:2:3 with points pt 7 ps 1.6 lc palette title 'sets', "
      "$cells using 1:2 with points pt 6 ps 1.6 lc rgb '#555555' notitle";
  if (!best.empty()) {
    script += ", $best using 1:2 with points pt 6 ps 3 lw 2 lc rgb 'black' title 'recommended'";
  }
  return script + "\n";
}

}  // namespace pssp
