// Names come from users and files. Scripts contain them in single quotes, where gnuplot has no
// command substitution, escapes or macros; only the quote itself is doubled. Scripts do not contain
// the name of the picture file: gnuplot writes to its standard output.

#include "evaluator/pictures/drawing_programs.h"

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

std::string drawn_by(std::vector<std::string> arguments, const std::string& input,
                     std::string_view package) {
  ProgramAnswer answer;
  try {
    answer = run_program({.arguments = std::move(arguments)}, input);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::missing_program) throw Error(ErrorKind::output, error.what());
    throw Error(ErrorKind::output,
                fmt::format("{} (package {}: apt-get install {})", error.what(), package, package));
  }
  if (answer.failure.empty()) return std::move(answer.output);
  throw Error(ErrorKind::output, answer.failure);
}

}  // namespace

std::string drawn_by_gnuplot(const std::string& script) {
  return drawn_by({"gnuplot", "--default-settings"}, script, "gnuplot-nox");
}

std::string drawn_by_graphviz(const std::vector<std::string>& arguments, const std::string& graph) {
  std::vector<std::string> words{"dot"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return drawn_by(std::move(words), graph, "graphviz");
}

std::string picture_format(const std::filesystem::path& file) {
  const std::string ending = lower_case(file.extension().string());
  if (ending == ".svg" || ending == ".png") return ending.substr(1);
  throw Error(
      ErrorKind::usage,
      fmt::format("unknown format of the picture '{}': expected a name that ends in .svg or .png",
                  excerpt(file.string())));
}

std::string gnuplot_literal(std::string_view text) {
  std::string literal = "'";
  for (const char c : printable(text)) {
    if (c == '\'') literal += '\'';
    literal += c;
  }
  return literal + "'";
}

std::string gnuplot_cell(std::string_view text) {
  std::string cell = printable(text);
  std::replace(cell.begin(), cell.end(), '"', '\'');
  return cell;
}

std::string gnuplot_head(const std::string& format, const std::string& title, int width,
                         int height) {
  const std::string terminal =
      format == "png"
          ? fmt::format("set terminal pngcairo size {},{} font 'sans,11'\n", width, height)
          : fmt::format(
                "set terminal svg size {},{} dynamic background rgb 'white' font 'sans,13'\n",
                width, height);
  return terminal + "set encoding utf8\nset title " + gnuplot_literal(title) + " noenhanced\n";
}

}  // namespace pssp
