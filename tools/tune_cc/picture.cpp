// Each set is a point over the first two parameters, coloured by its gain: what the others were is
// not in the picture, so neighbours of different colour say that those matter.

#include <fmt/format.h>

#include <algorithm>

#include "simulator/tuning/choice.h"
#include "tools/simulation/picture_format.h"
#include "tools/tune_cc/report.h"

namespace pssp {
namespace {

double number_of_place(const TuningAxis& axis, const TuningCell& cell, std::size_t a) {
  if (!axis.values.empty()) {
    const auto& value = cell.changes[a].second;
    return static_cast<double>(std::ranges::find(axis.values, value) - axis.values.begin());
  }
  constexpr double ns_of_us = 1e3;
  const double number = axis.number_of(cell.changes[a].second);
  return axis.unit_ns == 0 ? number : number / ns_of_us;
}

std::string axis_commands(const TuningAxis& axis, char letter) {
  std::string text = fmt::format("set {}label {} noenhanced\n", letter,
                                 gnuplot_text(axis.name + (axis.unit_ns == 0 ? "" : ", us")));
  if (!axis.values.empty()) {
    text += fmt::format("set {}tics (", letter);
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_text(axis.values[i]), i);
    }
    return text + fmt::format(")\nset {}range [-0.5:{}]\n", letter,
                              static_cast<double>(axis.values.size()) - 0.5);
  }
  if (axis.is_by_ratio() && axis.low >= 1) text += fmt::format("set logscale {}\n", letter);
  return text;
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
  const Finalist* chosen =
      tuning.result.chosen ? &tuning.result.finalists[*tuning.result.chosen] : nullptr;
  std::string points;
  std::string best;
  for (const TuningCell& cell : tuning.result.cells) {
    if (cell.changes.empty()) continue;
    const double gain = 100 * gain_of_table(tuning.plan, tuning.trials, tuning.result, cell.name);
    const std::string line =
        fmt::format("{:.6g} {:.6g} {:.5g}\n", number_of_place(axes[0], cell, 0),
                    second != 0 ? number_of_place(axes[second], cell, second) : gain, gain);
    points += line;
    if (chosen != nullptr && chosen->cell.name == cell.name) best = line;
  }
  script += "$cells << EOD\n" + points + "EOD\n";
  if (!best.empty()) script += "$best << EOD\n" + best + "EOD\n";
  script +=
      "set palette defined (0 '#b2182b', 1 '#f7f7f7', 2 '#2166ac')\nset cblabel 'gain, %'\n"
      "set grid\nset key outside top right noenhanced\n"
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
