#include "evaluator/pictures/map_legend.h"

#include <fmt/format.h>

#include <string_view>

#include "evaluator/pictures/graphviz_text.h"

namespace pssp {
namespace {

std::string row_of(int letters, std::string_view html) {
  return fmt::format(R"(<TR><TD><FONT POINT-SIZE="{}">{}</FONT></TD></TR>)", letters, html);
}

std::string cell_of(int letters, std::string_view alignment, std::string_view html) {
  return fmt::format(R"(<TD ALIGN="{}"><FONT POINT-SIZE="{}">{}</FONT></TD>)", alignment, letters,
                     html);
}

}  // namespace

std::string to_html(const MapLegend& legend, const ColourScale& scale) {
  const int letters = legend.letters;
  std::string colours = cell_of(letters, "RIGHT", html_text(legend.load_name));
  std::string limits = cell_of(letters, "RIGHT", "from");
  std::string members = cell_of(letters, "RIGHT", "channels");
  for (const ColourClass& each : scale.classes()) {
    colours += fmt::format(R"(<TD BGCOLOR="{}" WIDTH="{}" HEIGHT="{}"></TD>)", each.colour,
                           letters * 6, letters);
    limits += cell_of(letters, "CENTER", load_figure(each.from));
    members += cell_of(letters, "CENTER", std::to_string(each.members));
  }
  constexpr std::string_view table = R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="2">)";
  // The blank is for an empty title: graphviz rejects tags without text between them.
  return std::string(table) +
         row_of(letters + letters / 3, "<B>" + html_text(legend.title) + " </B>") +
         row_of(letters, html_text(legend.contents)) +
         fmt::format("<TR><TD>{}<TR>{}</TR><TR>{}</TR><TR>{}</TR></TABLE></TD></TR>", table,
                     colours, limits, members) +
         row_of(letters,
                fmt::format("largest {}, mean {}. Color: busiest channel of a line, either "
                            "direction; width: number of links{}",
                            load_figure(scale.largest()), load_figure(scale.mean()),
                            legend.explains_labels ? "; arrow and figure: busiest channels" : "")) +
         "</TABLE>";
}

std::string load_figure(double load) {
  constexpr double whole_from = 1000;
  return load >= whole_from ? fmt::format("{:.0f}", load) : fmt::format("{:.4g}", load);
}

}  // namespace pssp
